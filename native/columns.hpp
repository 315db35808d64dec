// The classes of the columns of an alignment of source, hypothesis and reference (Felice and Briscoe 2015, Table 6).
#pragma once

#include <array>
#include <cstdint>

#include "levenshtein.hpp"

namespace errata {

constexpr std::size_t per_system = 9;

// Detection: tp tn fp fn.  Correction: tp tn fp fn fpn.  Then the same nine for the source instead of the hypothesis.
using ColumnCounts = std::array<std::int32_t, 2 * per_system>;

// Which of the three have a token in a column, in the order of preference.
constexpr bool takes[7][3] = {{true, true, true},   {true, true, false},  {true, false, true}, {false, true, true},
                              {true, false, false}, {false, true, false}, {false, false, true}};

// Counts a column, in which source and hypothesis, source and reference, hypothesis and reference are equal or not.
inline void count_column(std::int32_t* counts, bool sh, bool sr, bool hr) {
    enum { d_tp, d_tn, d_fp, d_fn, c_tp, c_tn, c_fp, c_fn, c_fpn };
    if (sh && sr) {
        ++counts[d_tn];
        ++counts[c_tn];
    } else if (sh) {
        ++counts[d_fn];
        ++counts[c_fn];
    } else if (sr) {
        ++counts[d_fp];
        ++counts[c_fp];
    } else {
        ++counts[d_tp];
        if (hr) {
            ++counts[c_tp];
        } else {
            ++counts[c_fp];
            ++counts[c_fn];
            ++counts[c_fpn];
        }
    }
}

// Counts a column with the given tokens, or none, for the hypothesis and for the source instead of it.
inline void classify(ColumnCounts& counts, const Token* source, const Token* hypothesis, const Token* reference) {
    const auto equal = [](const Token* a, const Token* b) { return (a == nullptr) == (b == nullptr) && (a == nullptr || same(*a, *b)); };
    const bool sr = equal(source, reference);
    count_column(counts.data(), equal(source, hypothesis), sr, equal(hypothesis, reference));
    if (source != nullptr || reference != nullptr) count_column(counts.data() + per_system, true, sr, sr);
}

}  // namespace errata
