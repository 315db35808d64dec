// Numbers for the words of one sentence.
//
// Words are compared within a sentence only, so a small table that is used for one after the other is enough for any number of them.
#pragma once

#include <cstring>
#include <string_view>

#include "tokens.hpp"

namespace errata {

class WordNumbers {
public:
    // Begins a sentence; its words must stay where they are until the next.
    void clear() {
        for (const Word& word : words_) places_[word.place] = unknown_token;
        words_.clear();
    }

    // The number of a word, a new one if the sentence does not have it yet.
    Token add(std::string_view text) {
        if (2 * (words_.size() + 1) > places_.size()) grow();
        Word word = read(text);
        if (const Token known = look_up(word); known != unknown_token) return known;
        const auto number = static_cast<Token>(words_.size());
        places_[word.place] = number;
        words_.push_back(word);
        return number;
    }

    Token find(std::string_view text) const {
        Word word = read(text);
        return look_up(word);
    }

private:
    static constexpr std::size_t whole = 8;  // words of at most so many bytes are equal if their keys and sizes are

    struct Word {
        const char* bytes;
        std::size_t size;
        std::uint64_t key;
        std::size_t place;
    };

    template <typename Number>
    static std::uint64_t load(const char* bytes) {
        Number number = 0;
        std::memcpy(&number, bytes, sizeof number);
        return number;
    }

    static std::uint64_t scatter(std::uint64_t key) { return key * 0x9E3779B97F4A7C15u; }

    static Word read(std::string_view text) {
        const char* const bytes = text.data();
        const std::size_t size = text.size();
        std::uint64_t key = 0;
        if (size > whole) {
            for (std::size_t at = 0; at + whole < size; at += whole) {
                key = scatter(key ^ load<std::uint64_t>(bytes + at));
                key ^= key >> 32;
            }
            key ^= load<std::uint64_t>(bytes + size - whole);
        } else if (size >= 4) {
            key = load<std::uint32_t>(bytes) | load<std::uint32_t>(bytes + size - 4) << 32;
        } else if (size > 0) {
            key = load<std::uint8_t>(bytes) | load<std::uint8_t>(bytes + size / 2) << 8 | load<std::uint8_t>(bytes + size - 1) << 16;
        }
        return {bytes, size, key, 0};
    }

    // The number of a word; if it has none, its place is set.
    Token look_up(Word& word) const {
        if (places_.empty()) return unknown_token;
        std::uint64_t hash = scatter(word.key ^ word.size);
        hash ^= hash >> 32;
        for (std::size_t place = static_cast<std::size_t>(hash);; ++place) {
            place &= places_.size() - 1;
            const Token number = places_[place];
            if (number == unknown_token) {
                word.place = place;
                return unknown_token;
            }
            const Word& other = words_[static_cast<std::size_t>(number)];
            if (other.key == word.key && other.size == word.size && (word.size <= whole || std::memcmp(other.bytes, word.bytes, word.size) == 0))
                return number;
        }
    }

    // Makes room for twice as many words; the number of places is a power of two.
    void grow() {
        places_.assign(places_.empty() ? 256 : 2 * places_.size(), unknown_token);
        for (std::size_t number = 0; number < words_.size(); ++number) {
            look_up(words_[number]);
            places_[words_[number].place] = static_cast<Token>(number);
        }
    }

    std::vector<Word> words_;
    std::vector<Token> places_;  // the number of a word at or soon after the place that its key says
};

}  // namespace errata
