// The choice among references made again in replicates of a corpus, as errata/choice.py makes it for a corpus.
//
// A row is a numerator and a denominator; a sentence has one row for each of its references, and a replicate is a list of
// sentences in the order in which they were drawn.  Found is how often each row is chosen, from which all sums of counts follow.
#pragma once

#include <cstdint>
#include <vector>

namespace errata {

struct Row {
    std::int64_t above, below;
};

constexpr std::int32_t no_sentence = -1;

class Rechooser {
public:
    // Rows of sentence s are those from starts[s] to starts[s + 1]; every sentence has one at least.
    Rechooser(const Row* rows, const std::int64_t* starts, std::size_t sentences) : rows_(rows), starts_(starts), times_(sentences) {}

    // Sentence by sentence, the row that makes the ratio so far largest.
    void official(const std::int32_t* drawn, std::size_t length, std::int32_t* chosen) const {
        Row total{0, 0};
        for (std::size_t k = 0; k < length; ++k) {
            if (drawn[k] == no_sentence) continue;
            std::int64_t best = starts_[drawn[k]];
            Row best_sum = sum(total, rows_[best]);
            for (std::int64_t place = best + 1; place < starts_[drawn[k] + 1]; ++place) {
                const Row candidate = sum(total, rows_[place]);
                if (better(candidate, best_sum)) best = place, best_sum = candidate;
            }
            total = best_sum;
            ++chosen[best];
        }
    }

    // Dinkelbach's method: rows with the largest numerator - ratio * denominator, then the ratio they give, until it stays.
    // Sentences drawn twice choose the same row, so the order of drawing does not matter.
    void optimal(const std::int32_t* drawn, std::size_t length, std::int32_t* chosen) {
        for (std::int32_t& times : times_) times = 0;
        for (std::size_t k = 0; k < length; ++k)
            if (drawn[k] != no_sentence) ++times_[static_cast<std::size_t>(drawn[k])];
        Row ratio{0, 1};
        while (true) {
            Row total{0, 0};
            each_drawn([&](std::size_t sentence) {
                const Row row = rows_[largest(sentence, ratio)];
                total.above += times_[sentence] * row.above;
                total.below += times_[sentence] * row.below;
            });
            if (Wide(total.above) * ratio.below == Wide(ratio.above) * total.below) break;
            ratio = total;
        }
        bool nothing_at_all = ratio.above < ratio.below;
        each_drawn([&](std::size_t sentence) { nothing_at_all = nothing_at_all && nothing(sentence) >= 0; });
        each_drawn([&](std::size_t sentence) { chosen[nothing_at_all ? nothing(sentence) : largest(sentence, ratio)] += times_[sentence]; });
    }

private:
    __extension__ typedef __int128 Wide;  // products of two sums of counts with whole weights

    static Row sum(const Row& one, const Row& other) { return {one.above + other.above, one.below + other.below}; }

    // Ties included: 0/0 is 1, then the larger numerator, then the smaller denominator.
    static bool better(const Row& one, const Row& other) {
        const Wide left = Wide(one.below ? one.above : 1) * (other.below ? other.below : 1);
        const Wide right = Wide(other.below ? other.above : 1) * (one.below ? one.below : 1);
        if (left != right) return left > right;
        return one.above != other.above ? one.above > other.above : one.below < other.below;
    }

    std::int64_t largest(std::size_t sentence, const Row& ratio) const {
        const auto gain = [&](std::int64_t place) { return Wide(rows_[place].above) * ratio.below - Wide(ratio.above) * rows_[place].below; };
        std::int64_t best = starts_[sentence];
        for (std::int64_t place = best + 1; place < starts_[sentence + 1]; ++place) {
            const Wide one = gain(place), other = gain(best);
            const Row &row = rows_[place], &best_row = rows_[best];
            if (one != other ? one > other : row.above != best_row.above ? row.above > best_row.above : row.below < best_row.below) best = place;
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

}  // namespace errata
