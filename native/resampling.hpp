// The choice among references in replicates of a corpus, by the rules of errata/metrics/strategies.py.
//
// A row is a numerator and a denominator; a sentence has one row for each of its references, and a replicate is a list of
// sentences in the order in which they were drawn.  The result is how often each row is chosen, which gives all sums of counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "interrupt.hpp"
#include "wide_products.hpp"

namespace errata {

struct Row {
    std::int64_t above, below;
};

constexpr std::int32_t no_sentence = -1;

// The limit of sums of rows, so that they fit into signed 64-bit numbers.
constexpr std::uint64_t largest_sum = std::uint64_t{1} << 62;

// The rows of sentences: sentence s has those from starts[s] to starts[s + 1], at least one.
struct SentenceRows {
    const Row* rows;
    const std::int64_t* starts;
    std::size_t sentences;

    // The largest absolute value in all rows.
    std::uint64_t largest() const {
        std::uint64_t found = 0;
        for (std::int64_t place = 0; place < starts[sentences]; ++place)
            found = std::max({found, magnitude(rows[place].above), magnitude(rows[place].below)});
        return found;
    }
};

// Products of sums of counts with whole weights are compared by `Products`.
template <typename Products>
class RechooserWith {
public:
    explicit RechooserWith(const SentenceRows& all) : rows_(all.rows), starts_(all.starts), times_(all.sentences) {}

    // Chooses, sentence by sentence, the row that maximises the ratio so far.
    void official(const std::int32_t* drawn, std::size_t length, std::int32_t* chosen) const {
        Row total{0, 0};
        std::size_t work = 0;
        for (std::size_t k = 0; k < length; ++k) {
            if (drawn[k] == no_sentence) continue;
            std::int64_t best = starts_[drawn[k]];
            work += static_cast<std::size_t>(starts_[drawn[k] + 1] - best);
            if (work > units_between_calls / 16) {
                report_work(work);
                work = 0;
            }
            Row best_sum = sum(total, rows_[best]);
            for (std::int64_t place = best + 1; place < starts_[drawn[k] + 1]; ++place) {
                const Row candidate = sum(total, rows_[place]);
                if (better(candidate, best_sum)) best = place, best_sum = candidate;
            }
            total = best_sum;
            ++chosen[best];
        }
        report_work(work);
    }

    // Dinkelbach's method: takes the rows with the largest numerator - ratio * denominator, then their ratio, until it is constant.
    // A sentence that is drawn twice has the same row, so the order of drawing does not matter.
    void optimal(const std::int32_t* drawn, std::size_t length, std::int32_t* chosen) {
        for (std::int32_t& times : times_) times = 0;
        for (std::size_t k = 0; k < length; ++k)
            if (drawn[k] != no_sentence) ++times_[static_cast<std::size_t>(drawn[k])];
        Row ratio{0, 1};
        while (true) {
            report_work(static_cast<std::size_t>(starts_[times_.size()]));
            Row total{0, 0};
            each_drawn([&](std::size_t sentence) {
                const Row row = rows_[largest(sentence, ratio)];
                total.above += times_[sentence] * row.above;
                total.below += times_[sentence] * row.below;
            });
            if (Products::compare(total.above, ratio.below, ratio.above, total.below) == 0) break;
            ratio = total;
        }
        bool nothing_at_all = ratio.above < ratio.below;
        each_drawn([&](std::size_t sentence) { nothing_at_all = nothing_at_all && nothing(sentence) >= 0; });
        each_drawn([&](std::size_t sentence) { chosen[nothing_at_all ? nothing(sentence) : largest(sentence, ratio)] += times_[sentence]; });
    }

private:
    static Row sum(const Row& one, const Row& other) { return {one.above + other.above, one.below + other.below}; }

    // 0/0 is 1; ties go to the larger numerator, then to the smaller denominator.
    static bool better(const Row& one, const Row& other) {
        const int order = Products::compare(one.below ? one.above : 1, other.below ? other.below : 1, other.below ? other.above : 1, one.below ? one.below : 1);
        if (order != 0) return order > 0;
        return one.above != other.above ? one.above > other.above : one.below < other.below;
    }

    // The row with the largest numerator - ratio * denominator; ties go to the larger numerator.
    std::int64_t largest(std::size_t sentence, const Row& ratio) const {
        std::int64_t best = starts_[sentence];
        for (std::int64_t place = best + 1; place < starts_[sentence + 1]; ++place) {
            const std::int64_t more_above = rows_[place].above - rows_[best].above, more_below = rows_[place].below - rows_[best].below;
            const int order = Products::compare(more_above, ratio.below, ratio.above, more_below);
            if (order != 0 ? order > 0 : more_above != 0 ? more_above > 0 : more_below < 0) best = place;
        }
        return best;
    }

    std::int64_t nothing(std::size_t sentence) const {
        for (std::int64_t place = starts_[sentence]; place < starts_[sentence + 1]; ++place)
            if (rows_[place].above == 0 && rows_[place].below == 0) return place;
        return -1;
    }

    template <typename Work>
    void each_drawn(Work&& work) const {
        for (std::size_t sentence = 0; sentence < times_.size(); ++sentence)
            if (times_[sentence] > 0) work(sentence);
    }

    const Row* rows_;
    const std::int64_t* starts_;
    std::vector<std::int32_t> times_;  // how often each sentence is drawn
};

template <typename Products>
void rechoose_with(const SentenceRows& all, const std::int32_t* drawn, std::size_t replicates, std::size_t length, bool optimal, std::int32_t* times) {
    RechooserWith<Products> rechooser(all);
    const auto rows = static_cast<std::size_t>(all.starts[all.sentences]);
    for (; replicates > 0; --replicates, drawn += length, times += rows)
        optimal ? rechooser.optimal(drawn, length, times) : rechooser.official(drawn, length, times);
}

// Adds to `times` how often each row is chosen in each replicate of `length` sentences.
inline void rechoose(const SentenceRows& all, const std::int32_t* drawn, std::size_t replicates, std::size_t length, bool optimal, std::int32_t* times) {
    const std::uint64_t largest = all.largest(), summands = std::max<std::uint64_t>(length, 2);  // two, for differences of rows
    if (largest > largest_sum / summands) throw std::overflow_error("the numbers of the rows are too large to be added up");
    // Nearly all corpora have small numbers, whose products are faster.
    if (largest <= NarrowProducts::largest / summands)
        rechoose_with<NarrowProducts>(all, drawn, replicates, length, optimal, times);
    else
        rechoose_with<WideProducts>(all, drawn, replicates, length, optimal, times);
}

}  // namespace errata
