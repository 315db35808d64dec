// The edit distance of words: the fewest characters to insert, delete or replace.
//
// Myers' algorithm (1999) in Hyyrö's form (2003): a column of the matrix of distances is two bit vectors, which say where the
// distance grows and where it shrinks from one row to the next; words of more than 64 characters take several blocks.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "interrupt.hpp"
#include "limits.hpp"

namespace errata {

using Word = std::u32string;

class EditDistance {
public:
    // Prepares a word that is compared with many.
    explicit EditDistance(const Word& word) : length_(word.size()), blocks_((word.size() + 63) / 64) {
        for (std::size_t k = 0; k < word.size(); ++k) {
            std::vector<Place>& places = places_[word[k]];
            if (places.empty() || places.back().block != k / 64) places.push_back({k / 64, 0});
            places.back().bits |= std::uint64_t{1} << (k % 64);
        }
    }

    std::size_t to(const Word& other) {
        if (length_ == 0) return other.size();
        grows_.assign(blocks_, ~std::uint64_t{0});
        shrinks_.assign(blocks_, 0);
        std::size_t distance = length_;
        const bool is_long = blocks_ * other.size() > units_between_calls / 16;  // short words are reported as a whole
        if (!is_long) report_work(blocks_ * other.size());
        for (const char32_t character : other) {
            if (is_long) report_work(blocks_);
            const auto known = places_.find(character);
            const std::vector<Place>& places = known == places_.end() ? nowhere_ : known->second;
            auto place = places.begin();
            std::uint64_t up = 1, down = 0;  // whether the distance grows or shrinks in the row above; it grows in the first row
            for (std::size_t block = 0; block < blocks_; ++block) {
                const bool here = place != places.end() && place->block == block;
                step(here ? place->bits : 0, block, up, down);
                if (here) ++place;
            }
            distance += up;
            distance -= down;
        }
        return distance;
    }

    // Refuses two lists of words if it takes too many steps to compare each word of one with each of the other.
    static void check(const std::vector<Word>& one, const std::vector<Word>& other, const EditDistanceLimits& limits) {
        std::uint64_t blocks = 0, characters = 0;
        for (const Word& word : one) blocks += (word.size() + 63) / 64;
        for (const Word& word : other) characters += word.size();
        if (blocks != 0 && characters > limits.steps / blocks) throw std::overflow_error("the words are too long to be compared in seconds");
    }

private:
    // The positions of a character in 64 characters of the word.
    struct Place {
        std::size_t block;
        std::uint64_t bits;
    };

    void step(std::uint64_t equal, std::size_t block, std::uint64_t& up, std::uint64_t& down) {
        const std::uint64_t grows = grows_[block], shrinks = shrinks_[block];
        const std::uint64_t vertical = equal | shrinks;
        equal |= down;
        const std::uint64_t diagonal = (((equal & grows) + grows) ^ grows) | equal;
        std::uint64_t row_grows = shrinks | ~(diagonal | grows), row_shrinks = grows & diagonal;
        const std::size_t last = block + 1 == blocks_ ? (length_ - 1) % 64 : 63;
        const std::uint64_t next_up = (row_grows >> last) & 1, next_down = (row_shrinks >> last) & 1;
        row_grows = (row_grows << 1) | up;
        row_shrinks = (row_shrinks << 1) | down;
        grows_[block] = row_shrinks | ~(vertical | row_grows);
        shrinks_[block] = row_grows & vertical;
        up = next_up;
        down = next_down;
    }

    std::size_t length_, blocks_;
    std::unordered_map<char32_t, std::vector<Place>> places_;
    const std::vector<Place> nowhere_;
    std::vector<std::uint64_t> grows_, shrinks_;
};

}  // namespace errata
