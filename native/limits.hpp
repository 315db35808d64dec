// How much work or memory one input may take.  An input that needs more is refused, or solved in a cheaper way.
//
// Core and twin count the same quantities, so they refuse the same inputs; the twin has the same numbers in
// errata/core/limits.py.
#pragma once

#include <cstddef>
#include <cstdint>

namespace errata {

struct MaxMatchLimits {
    std::uint64_t work = 300'000'000;          // vertices visited and words compared to match the gold of all annotators of a sentence: seconds
    std::uint64_t searched = std::uint64_t{1} << 32;  // states and arcs visited to find the best paths for all annotators of a sentence
    std::size_t steps = std::size_t{1} << 28;  // states of all vertices in the one pass, of a few bytes each
    std::size_t arcs = 250'000;                // arcs of the literal search
};

struct TextLimits {
    std::size_t tokens = 4'000;  // tokens of a text; time and memory grow with its square
};

struct AlignmentLimits {
    std::size_t pairs = std::size_t{1} << 27;    // pairs of positions of two of three sentences, of four bytes each
    std::size_t aligned = std::size_t{1} << 28;  // cells of one three-way alignment, of one byte each
    std::size_t work = std::size_t{1} << 28;     // work in cells for references of a sentence that are aligned one by one
};

struct BlocksLimits {
    std::size_t choices = std::size_t{1} << 16;     // references that are aligned one by one, and rows of a block
    std::size_t cells = std::size_t{1} << 27;       // work for alignments with branches or references of a sentence, in cells
    std::size_t bounds = std::size_t{1} << 26;      // bounds of positions and of cells, of four bytes each
    std::size_t beginnings = std::size_t{1} << 25;  // work for beginnings of references in cells, and as much for the rows of blocks
    AlignmentLimits alignment;
};

struct MatchLimits {
    std::uint64_t meetings = 1'000'000'000;  // comparisons of a set of words with one of the other text, once for each aligned word
    std::size_t matches = 2'000'000;         // stored matches
};

struct EditDistanceLimits {
    std::uint64_t steps = std::uint64_t{1} << 31;  // characters of one list of words times blocks of 64 characters of the other: seconds
};

struct NgramLimits {
    std::size_t ngrams = std::size_t{1} << 24;  // n-grams of a source and its references, or of a hypothesis: tokens times the order
};

struct LinguisticLimits {
    std::size_t cells = std::size_t{1} << 26;      // cells of one alignment, of ten bytes each
    std::uint64_t steps = std::uint64_t{1} << 31;  // characters of the source times blocks of 64 characters of the target words, and
                                                   // tokens looked back at for transpositions: seconds
};

struct MergingLimits {
    std::size_t operations = 2'000;  // operations in a row; time grows with the square
};

}  // namespace errata
