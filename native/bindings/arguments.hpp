// Checks arguments and turns tokens into numbers, with the interpreter locked.
#pragma once

#include <nanobind/nanobind.h>

#include <unordered_map>

#include "levenshtein.hpp"

namespace errata::bindings {

namespace nb = nanobind;

constexpr const char* no_tuple_of_tokens = "a sentence must be a tuple of tokens";

inline nb::tuple tuple_of(nb::handle value, const char* complaint) {
    if (!PyTuple_Check(value.ptr())) throw nb::type_error(complaint);
    return nb::borrow<nb::tuple>(value);
}

// Tokens as numbers, which are equal if the strings are.
class Vocabulary {
public:
    Token add(nb::handle word) {
        if (const Token known = find(word); known != unknown_token) return known;
        const auto number = static_cast<Token>(nb::len(numbers_));
        const nb::int_ value(number);
        if (PyDict_SetItem(numbers_.ptr(), word.ptr(), value.ptr()) != 0) nb::raise_python_error();
        return number;
    }

    Tokens add(const nb::tuple& words) {
        Tokens tokens;
        tokens.reserve(words.size());
        for (const nb::handle word : words) tokens.push_back(add(word));
        return tokens;
    }

    Tokens look_up(const nb::tuple& words) const {
        Tokens tokens;
        tokens.reserve(words.size());
        for (const nb::handle word : words) tokens.push_back(find(word));
        return tokens;
    }

private:
    Token find(nb::handle word) const {
        if (!PyUnicode_Check(word.ptr())) throw nb::type_error("a token must be a str");
        PyObject* number = PyDict_GetItemWithError(numbers_.ptr(), word.ptr());
        if (number != nullptr) return static_cast<Token>(PyLong_AsLong(number));
        if (PyErr_Occurred() != nullptr) nb::raise_python_error();
        return unknown_token;
    }

    nb::dict numbers_;
};

// The same for words that exist as long as this: one string is looked up once.
class PassingVocabulary {
public:
    Tokens add(const nb::tuple& words) {
        Tokens tokens;
        tokens.reserve(words.size());
        for (const nb::handle word : words) {
            const auto [place, is_new] = known_.try_emplace(word.ptr(), unknown_token);
            if (is_new) place->second = vocabulary_.add(word);
            tokens.push_back(place->second);
        }
        return tokens;
    }

private:
    Vocabulary vocabulary_;
    std::unordered_map<const PyObject*, Token> known_;
};

}  // namespace errata::bindings
