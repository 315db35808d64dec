// Turns characters into numbers, with the interpreter locked.
#pragma once

#include <nanobind/nanobind.h>

#include <unordered_map>

#include "linguistic_alignment.hpp"

namespace errata::bindings {

namespace nb = nanobind;

// Numbers for characters, so that a table has a place for each.
class Alphabet {
public:
    Characters add(nb::handle word) {
        if (!PyUnicode_Check(word.ptr())) throw nb::type_error("a word must be a str");
        Characters characters(static_cast<std::size_t>(PyUnicode_GetLength(word.ptr())));
        for (std::size_t k = 0; k < characters.size(); ++k) {
            const Py_UCS4 character = PyUnicode_ReadChar(word.ptr(), static_cast<Py_ssize_t>(k));
            characters[k] = numbers_.try_emplace(character, static_cast<std::uint32_t>(numbers_.size())).first->second;
        }
        return characters;
    }

    std::size_t size() const { return numbers_.size(); }

private:
    std::unordered_map<Py_UCS4, std::uint32_t> numbers_;
};

}  // namespace errata::bindings
