// Exact alignment of source, hypothesis and reference, and the classes of its columns.
//
// Sum-of-pairs alignment (Felice and Briscoe 2015, section 2.2): a column costs the sum over its three pairs of 0 for a match,
// `mismatch`, or `gap`.  Ties are decided from the end, by the tokens of a column in this order of preference: all three, source and
// hypothesis, source and reference, hypothesis and reference, source, hypothesis, reference.  Each column is then classified for
// detection and for correction (Table 6 of the paper).
//
// A cell is visited only if the sum of the pairwise costs through it is within the bound (Carrillo and Lipman 1988).  The bound
// grows until an alignment within it is found; then no cell of an optimal alignment was left out.
#pragma once

#include <array>
#include <utility>

#include "limits.hpp"
#include "pairwise.hpp"

namespace errata {

// Detection: tp tn fp fn.  Correction: tp tn fp fn fpn.  Then the same nine for the source instead of the hypothesis.
using ColumnCounts = std::array<std::int64_t, 18>;

// The numbers of visited and of all cells of the cube and of its sides.
struct Effort {
    std::size_t visited = 0, cells = 0;
};

// The counts of the preferred alignment, its cost, and the least costs of two of its pairs.
struct AlignedCounts {
    ColumnCounts counts;
    std::int32_t cost, with_source, with_hypothesis;
    Effort effort;
};

// Which of the three have a token in each column of the preferred alignment.
struct AlignedColumns {
    std::vector<std::array<bool, 3>> columns;
    Effort effort;
};

class ThreeWay {
public:
    explicit ThreeWay(const AlignmentLimits& limits = {}) : limits_(limits) {}

    // Prepares a source and a hypothesis; any number of references may follow.
    void prepare(const Tokens& source, const Tokens& hypothesis, const AlignmentCosts& costs) {
        costs_ = costs;
        source_ = &source;
        hypothesis_ = &hypothesis;
        rows_ = source.size() + 1;
        columns_ = hypothesis.size() + 1;
        source_hypothesis_.build(source, hypothesis, costs);
    }

    AlignedCounts counts(const Tokens& reference) {
        const Effort effort = align(reference);
        return {classify(), best_.back(), source_reference_.least(), hypothesis_reference_.least(), effort};
    }

    AlignedColumns columns(const Tokens& reference) {
        AlignedColumns found;
        found.effort = align(reference);
        trace([&](std::size_t, std::size_t, std::size_t, bool s, bool h, bool r) { found.columns.push_back({s, h, r}); });
        std::reverse(found.columns.begin(), found.columns.end());
        return found;
    }

private:
    Effort align(const Tokens& reference) {
        // No alignment costs more than one in which every token is alone in its column, so no sum is near infinite.
        const std::size_t tokens = source_->size() + hypothesis_->size() + reference.size();
        if (tokens >= static_cast<std::size_t>(infinite) / (4 * static_cast<std::size_t>(costs_.gap)))
            throw std::overflow_error("the sentences are too long for costs this high");
        reference_ = &reference;
        layers_ = reference.size() + 1;
        source_reference_.build(*source_, reference, costs_);
        hypothesis_reference_.build(*hypothesis_, reference, costs_);
        const std::int32_t least = source_hypothesis_.least() + source_reference_.least() + hypothesis_reference_.least();
        const std::size_t sides = (rows_ + columns_) * layers_;
        Effort effort{sides, rows_ * columns_ * layers_ + sides};
        for (std::int32_t slack = 0;; slack = slack == 0 ? 2 * costs_.gap : 2 * slack) {
            lay_out(least + slack);
            effort.visited += best_.size();
            if (fill(least + slack)) return effort;
        }
    }

    static constexpr std::int32_t infinite = Pairwise::infinite;
    static constexpr int per_system = 9;

    // The reference positions that may be visited for one pair of positions, and the offset of their costs.
    struct Strip {
        std::size_t offset = 0, first = 0, last = 0;
    };

    std::int32_t at(std::size_t i, std::size_t j, std::size_t k) const {
        const Strip& strip = strips_[i * columns_ + j];
        return k >= strip.first && k < strip.last ? best_[strip.offset + k - strip.first] : infinite;
    }

    bool fill(std::int32_t bound) {
        for (std::size_t i = 0; i < rows_; ++i) {
            const std::int32_t* const with_source = source_reference_.row(i);
            for (std::size_t j = 0; j < columns_; ++j) {
                const Strip& strip = strips_[i * columns_ + j];
                const std::int32_t left = bound - source_hypothesis_.at(i, j);
                const std::int32_t* const with_hypothesis = hypothesis_reference_.row(j);
                for (std::size_t k = strip.first; k < strip.last; ++k)
                    if (with_source[k] + with_hypothesis[k] <= left) best_[strip.offset + k - strip.first] = cheapest(i, j, k);
            }
        }
        return at(rows_ - 1, columns_ - 1, layers_ - 1) <= bound;
    }

    void lay_out(std::int32_t bound) {
        const std::int32_t least_sh = source_hypothesis_.least(), least_sr = source_reference_.least(), least_hr = hypothesis_reference_.least();
        find_ranges(source_reference_, rows_, bound - least_sh - least_hr, source_ranges_);
        find_ranges(hypothesis_reference_, columns_, bound - least_sh - least_sr, hypothesis_ranges_);
        strips_.assign(rows_ * columns_, Strip{});
        std::size_t laid_out = 0;
        for (std::size_t i = 0; i < rows_; ++i)
            for (std::size_t j = 0; j < columns_; ++j) {
                if (source_hypothesis_.at(i, j) > bound - least_sr - least_hr) continue;
                const std::size_t first = std::max(source_ranges_[i].first, hypothesis_ranges_[j].first);
                const std::size_t last = std::min(source_ranges_[i].second, hypothesis_ranges_[j].second);
                if (first >= last) continue;
                strips_[i * columns_ + j] = {laid_out, first, last};
                laid_out += last - first;
            }
        if (laid_out > limits_.aligned)
            throw std::overflow_error("source, hypothesis and reference together are too long to be aligned in a gigabyte of memory");
        best_.assign(laid_out, infinite);
    }

    // Finds for each position of a sentence the range of reference positions that cost at most `most`.
    void find_ranges(const Pairwise& through, std::size_t positions, std::int32_t most,
                     std::vector<std::pair<std::size_t, std::size_t>>& ranges) const {
        ranges.assign(positions, {0, 0});
        for (std::size_t i = 0; i < positions; ++i) {
            std::size_t first = 0, last = layers_;
            while (first < layers_ && through.at(i, first) > most) ++first;
            while (last > first && through.at(i, last - 1) > most) --last;
            ranges[i] = {first, last};
        }
    }

    std::int32_t cheapest(std::size_t i, std::size_t j, std::size_t k) const {
        std::int32_t best = i == 0 && j == 0 && k == 0 ? 0 : infinite;
        for (int move = 0; move < moves; ++move) best = std::min(best, by(move, i, j, k));
        return best;
    }

    // Columns in the order of preference: which of source, hypothesis and reference have a token.
    static constexpr int moves = 7;
    static constexpr bool takes[moves][3] = {{true, true, true},   {true, true, false},  {true, false, true}, {false, true, true},
                                             {true, false, false}, {false, true, false}, {false, false, true}};

    std::int32_t by(int move, std::size_t i, std::size_t j, std::size_t k) const {
        const bool s = takes[move][0], h = takes[move][1], r = takes[move][2];
        if ((s && i == 0) || (h && j == 0) || (r && k == 0)) return infinite;
        std::int32_t cost = 0;
        cost += s && h ? costs_.pair((*source_)[i - 1], (*hypothesis_)[j - 1]) : s || h ? costs_.gap : 0;
        cost += s && r ? costs_.pair((*source_)[i - 1], (*reference_)[k - 1]) : s || r ? costs_.gap : 0;
        cost += h && r ? costs_.pair((*hypothesis_)[j - 1], (*reference_)[k - 1]) : h || r ? costs_.gap : 0;
        return at(i - s, j - h, k - r) + cost;
    }

    // Visits the columns of the preferred alignment, from the end.
    template <typename Visit>
    void trace(Visit&& visit) const {
        std::size_t i = rows_ - 1, j = columns_ - 1, k = layers_ - 1;
        while (i != 0 || j != 0 || k != 0) {
            int move = 0;
            while (by(move, i, j, k) != at(i, j, k)) ++move;
            const bool s = takes[move][0], h = takes[move][1], r = takes[move][2];
            visit(i, j, k, s, h, r);
            i -= s;
            j -= h;
            k -= r;
        }
    }

    ColumnCounts classify() const {
        ColumnCounts counts{};
        trace([&](std::size_t i, std::size_t j, std::size_t k, bool s, bool h, bool r) {
            const bool sh = s == h && (!s || same((*source_)[i - 1], (*hypothesis_)[j - 1]));
            const bool sr = s == r && (!s || same((*source_)[i - 1], (*reference_)[k - 1]));
            const bool hr = h == r && (!h || same((*hypothesis_)[j - 1], (*reference_)[k - 1]));
            count(counts.data(), sh, sr, hr);
            if (s || r) count(counts.data() + per_system, true, sr, sr);
        });
        return counts;
    }

    // Counts a column, in which source and hypothesis, source and reference, hypothesis and reference are equal or not.
    static void count(std::int64_t* counts, bool sh, bool sr, bool hr) {
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

    AlignmentLimits limits_;
    AlignmentCosts costs_;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr, *reference_ = nullptr;
    std::size_t rows_ = 0, columns_ = 0, layers_ = 0;
    std::vector<std::pair<std::size_t, std::size_t>> source_ranges_, hypothesis_ranges_;
    std::vector<Strip> strips_;
    Pairwise source_hypothesis_, source_reference_, hypothesis_reference_;
    std::vector<std::int32_t> best_;
};

}  // namespace errata
