// Exact alignment of source, hypothesis and reference, and the classes of its columns.
//
// Sum-of-pairs alignment (Felice and Briscoe 2015, section 2.2): a column costs the sum over its three pairs of 0 for a match,
// `mismatch`, or `gap`.  Ties are decided from the end, by the tokens of a column in this order of preference: all three, source and
// hypothesis, source and reference, hypothesis and reference, source, hypothesis, reference.  Each column is then classified
// (columns.hpp).
//
// A cell is visited only if the sum of the pairwise costs through it is within the bound (Carrillo and Lipman 1988).  The bound
// grows until an alignment within it is found; then no cell of an optimal alignment was left out.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "columns.hpp"
#include "limits.hpp"
#include "pairwise.hpp"

namespace errata {

// The numbers of visited and of all cells of the cube and of its sides, and the work: also the cells of the third side, once for each
// bound that was tried.
struct Effort {
    std::size_t visited = 0, cells = 0, work = 0;
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

// Refuses sentences with too many pairs of positions.
inline void check_pairs(std::size_t pairs, const AlignmentLimits& limits) {
    if (pairs > limits.pairs || pairs > std::numeric_limits<std::uint32_t>::max())
        throw std::overflow_error("source, hypothesis and reference together are too long to be aligned in a gigabyte of memory; cut the sentence");
}

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
        check_sides(0);
        source_hypothesis_.build(source, hypothesis, costs);
    }

    // Returns nothing if it would take more than `most_work`.
    std::optional<AlignedCounts> counts(const Tokens& reference, std::size_t most_work) {
        const std::optional<Effort> effort = align(reference, most_work);
        if (!effort) return std::nullopt;
        return AlignedCounts{count_columns(), cost_, source_reference_.least(), hypothesis_reference_.least(), *effort};
    }

    // Gives back the memory of a large alignment.
    void forget() {
        if (moves_.capacity() > few_cells || starts_.capacity() > few_cells) *this = ThreeWay(limits_);
    }

    AlignedColumns columns(const Tokens& reference) {
        AlignedColumns found;
        found.effort = *align(reference, std::numeric_limits<std::size_t>::max());
        trace([&](std::size_t, std::size_t, std::size_t, bool s, bool h, bool r) { found.columns.push_back({s, h, r}); });
        std::reverse(found.columns.begin(), found.columns.end());
        return found;
    }

private:
    // Nothing is allocated or visited that would not be within the limits.
    std::optional<Effort> align(const Tokens& reference, std::size_t most_work) {
        // No alignment costs more than one in which every token is alone in its column, so no sum is near infinite.
        const std::size_t tokens = source_->size() + hypothesis_->size() + reference.size();
        if (tokens >= static_cast<std::size_t>(infinite) / (4 * static_cast<std::size_t>(costs_.gap)))
            throw std::overflow_error("the sentences are too long for costs this high");
        reference_ = &reference;
        layers_ = reference.size() + 1;
        const std::size_t sides = (rows_ + columns_) * layers_, third = rows_ * columns_;
        check_sides(sides);
        if (sides > most_work) return std::nullopt;
        source_reference_.build(*source_, reference, costs_);
        hypothesis_reference_.build(*hypothesis_, reference, costs_);
        const std::int32_t least = source_hypothesis_.least() + source_reference_.least() + hypothesis_reference_.least();
        Effort effort{sides, third * layers_ + sides, sides};
        std::int32_t bound = least;
        while (true) {
            const std::size_t laid_out = lay_out(bound);
            effort.visited += laid_out;
            effort.work += laid_out + third;
            if (laid_out > limits_.aligned)
                throw std::overflow_error("source, hypothesis and reference together are too long and too different to be aligned in seconds; cut the sentence");
            if (effort.work > most_work) return std::nullopt;
            fill(bound, laid_out);
            if (cost_ <= bound) return effort;
            // The cost of any alignment is a bound, too.
            bound = std::min(cost_, least + std::max(2 * costs_.gap, 2 * (bound - least)));
        }
    }

    void check_sides(std::size_t sides) const { check_pairs(rows_ * columns_ + sides, limits_); }

    static constexpr std::int32_t infinite = Pairwise::infinite;
    static constexpr std::size_t few_cells = 1 << 20;

    // The range of positions with a reference position that costs at most some bound.
    using Range = std::pair<std::size_t, std::size_t>;

    // A cost and the move that gives it in one number, so that the least is the cheapest and then the preferred one.  Costs are below
    // half of `infinite`, so sums with `never` have room.
    using Ranked = std::uint32_t;
    static constexpr int move_bits = 3;
    static constexpr Ranked move_mask = (Ranked{1} << move_bits) - 1;
    static constexpr Ranked never = static_cast<Ranked>(infinite) << (move_bits - 1);

    static Ranked ranked(std::int32_t cost, Ranked move) { return (static_cast<Ranked>(cost) << move_bits) + move; }

    // The costs of reference positions for one pair of positions of source and hypothesis; `never` outside their range.
    struct Strip {
        const Ranked* costs = nullptr;
        std::size_t first = 0, last = 0;

        Ranked at(std::size_t k) const { return k >= first && k < last ? costs[k - first] : never; }
    };

    Range range(std::size_t i, std::size_t j) const {
        return {std::max(source_ranges_[i].first, hypothesis_ranges_[j].first), std::min(source_ranges_[i].second, hypothesis_ranges_[j].second)};
    }

    // Finds the cells that may be visited, and counts them: each pair of positions of source and hypothesis has a strip of them.
    std::size_t lay_out(std::int32_t bound) {
        const std::int32_t least_sh = source_hypothesis_.least(), least_sr = source_reference_.least(), least_hr = hypothesis_reference_.least();
        find_ranges(source_reference_, rows_, bound - least_sh - least_hr, source_ranges_);
        find_ranges(hypothesis_reference_, columns_, bound - least_sh - least_sr, hypothesis_ranges_);
        most_together_ = bound - least_sr - least_hr;
        row_starts_.resize(rows_ + 1);
        row_starts_[0] = 0;
        longest_row_ = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
            report_work(columns_);
            std::size_t row = 0;
            const std::int32_t* const together = source_hypothesis_.row(i);
            for (std::size_t j = 0; j < columns_; ++j) row += length(i, j, together[j]);
            row_starts_[i + 1] = row_starts_[i] + row;
            longest_row_ = std::max(longest_row_, row);
        }
        return row_starts_[rows_];
    }

    // The length of a strip.
    std::size_t length(std::size_t i, std::size_t j, std::int32_t together) const {
        const auto [first, last] = range(i, j);
        return together <= most_together_ && first < last ? last - first : 0;
    }

    // Finds for each position of a sentence the range of reference positions that cost at most `most`.
    void find_ranges(const Pairwise& through, std::size_t positions, std::int32_t most, std::vector<Range>& ranges) const {
        ranges.assign(positions, {0, 0});
        for (std::size_t i = 0; i < positions; ++i) {
            const std::int32_t* const row = through.row(i);
            std::size_t first = 0, last = layers_;
            while (first < layers_ && row[first] > most) ++first;
            while (last > first && row[last - 1] > most) --last;
            ranges[i] = {first, last};
        }
    }

    // Computes the least costs, of which two rows of the source are kept at a time, and the move into every cell.
    void fill(std::int32_t bound, std::size_t laid_out) {
        moves_.resize(laid_out);
        starts_.resize(rows_ * columns_);
        above_.resize(longest_row_);
        here_.resize(longest_row_);
        strips_above_.assign(columns_, Strip{});
        for (std::size_t i = 0; i < rows_; ++i) {
            report_work(columns_ + row_starts_[i + 1] - row_starts_[i]);
            const std::int32_t* const together = source_hypothesis_.row(i);
            std::size_t start = 0;
            Strip left, corner;
            for (std::size_t j = 0; j < columns_; ++j) {
                starts_[i * columns_ + j] = static_cast<std::uint32_t>(start);
                const Strip up = strips_above_[j];
                Strip here;
                if (const std::size_t cells = length(i, j, together[j]); cells > 0) {
                    const std::size_t first = range(i, j).first;
                    here = {&here_[start], first, first + cells};
                    fill_strip(i, j, bound - together[j], {corner, up, left}, first, first + cells, &here_[start], &moves_[row_starts_[i] + start]);
                    start += cells;
                }
                strips_above_[j] = left = here;
                corner = up;
            }
            cost_ = static_cast<std::int32_t>(left.at(layers_ - 1) >> move_bits);
            above_.swap(here_);
        }
    }

    // The strips without the last token of source and hypothesis, of the source, of the hypothesis.
    struct Neighbours {
        Strip corner, up, left;
    };

    void fill_strip(std::size_t i, std::size_t j, std::int32_t most, const Neighbours& near, std::size_t first, std::size_t last, Ranked* costs,
                    std::uint8_t* moves) const {
        const std::int32_t* const with_source = source_reference_.row(i);
        const std::int32_t* const with_hypothesis = hypothesis_reference_.row(j);
        const Token source = i > 0 ? (*source_)[i - 1] : unknown_token, hypothesis = j > 0 ? (*hypothesis_)[j - 1] : unknown_token;
        const std::int32_t together = costs_.pair(source, hypothesis), gaps = 2 * costs_.gap;
        Ranked corner_before = never, up_before = never, left_before = never, before = never;
        if (first > 0) {
            corner_before = near.corner.at(first - 1);
            up_before = near.up.at(first - 1);
            left_before = near.left.at(first - 1);
        }
        for (std::size_t k = first; k < last; ++k) {
            const Ranked corner = near.corner.at(k), up = near.up.at(k), left = near.left.at(k);
            Ranked best = never;
            if (with_source[k] + with_hypothesis[k] <= most) {
                const Token word = k > 0 ? (*reference_)[k - 1] : unknown_token;
                const std::int32_t source_word = costs_.pair(source, word), hypothesis_word = costs_.pair(hypothesis, word);
                best = std::min(best, corner_before + ranked(together + source_word + hypothesis_word, 0));
                best = std::min(best, corner + ranked(together + gaps, 1));
                best = std::min(best, up_before + ranked(source_word + gaps, 2));
                best = std::min(best, left_before + ranked(hypothesis_word + gaps, 3));
                best = std::min(best, up + ranked(gaps, 4));
                best = std::min(best, left + ranked(gaps, 5));
                best = std::min(best, before + ranked(gaps, 6));
                if (i + j + k == 0) best = 0;
            }
            moves[k - first] = static_cast<std::uint8_t>(best & move_mask);
            costs[k - first] = before = best & ~move_mask;
            corner_before = corner;
            up_before = up;
            left_before = left;
        }
    }

    // Visits the columns of the preferred alignment, from the end.
    template <typename Visit>
    void trace(Visit&& visit) const {
        std::size_t i = rows_ - 1, j = columns_ - 1, k = layers_ - 1;
        while (i != 0 || j != 0 || k != 0) {
            const std::uint8_t move = moves_[row_starts_[i] + starts_[i * columns_ + j] + k - range(i, j).first];
            const bool s = takes[move][0], h = takes[move][1], r = takes[move][2];
            visit(i, j, k, s, h, r);
            i -= s;
            j -= h;
            k -= r;
        }
    }

    ColumnCounts count_columns() const {
        ColumnCounts counts{};
        trace([&](std::size_t i, std::size_t j, std::size_t k, bool s, bool h, bool r) {
            classify(counts, s ? &(*source_)[i - 1] : nullptr, h ? &(*hypothesis_)[j - 1] : nullptr, r ? &(*reference_)[k - 1] : nullptr);
        });
        return counts;
    }

    AlignmentLimits limits_;
    AlignmentCosts costs_;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr, *reference_ = nullptr;
    std::size_t rows_ = 0, columns_ = 0, layers_ = 0, longest_row_ = 0;
    std::int32_t most_together_ = 0, cost_ = infinite;
    std::vector<Range> source_ranges_, hypothesis_ranges_;
    Pairwise source_hypothesis_, source_reference_, hypothesis_reference_;
    std::vector<std::size_t> row_starts_;  // the number of cells before each row
    std::vector<std::uint32_t> starts_;    // the number of cells of a row before each strip
    std::vector<Ranked> above_, here_;
    std::vector<Strip> strips_above_;
    std::vector<std::uint8_t> moves_;
};

}  // namespace errata
