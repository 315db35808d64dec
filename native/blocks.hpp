// All references that mix the corrections of a sentence, scored without listing them.
//
// A sentence has sites, places with several variants of text; a reference takes one variant of each.  Between two sites the
// sentence may be cut at a point: after p tokens of the source, q of the hypothesis, and what the reference has up to there.
// If every optimal alignment of every reference goes through the point, both sides are aligned on their own, counts add up,
// and the variants of the two sides can be chosen apart.
//
// Whether they all do is not guessed but shown.  Cut at all candidates; every choice of variants in a block has its own least
// cost.  Take the cost of any alignment with any reference, less the least costs of the blocks of that reference.  Alignments
// that go through all points have 0 at the least.  If every alignment that misses a point has more than 0, no optimal one does.
// The least of those that miss it is found by one walk forwards and one backwards over the graph of all references, in which
// the variants of a block are branches: its size is the sum of their lengths, not the product of their numbers.
// Points that fail are given up, which lowers no difference, so the others need not be tried again.
#pragma once

#include <algorithm>

#include "reference_graph.hpp"
#include "three_way.hpp"

namespace errata {

struct Site {
    std::size_t start = 0, end = 0;
    std::vector<Tokens> variants;
};

using Sites = std::vector<Site>;

// Sites from `first` to before `last`, and the counts of every choice of their variants, the last site changing fastest.
struct Block {
    std::size_t first, last;
    std::vector<ColumnCounts> counts;
};

class Blocks {
public:
    // In a block at most `most_choices` are tried.
    Blocks(const AlignmentCosts& costs, std::size_t most_choices, const BlocksLimits& limits = {})
        : costs_(costs), most_choices_(most_choices), limits_(limits), three_way_(limits.alignment) {}

    // `may_cut` says for each site whether a cut is allowed before it.  Gives nothing where the sentence has too many choices,
    // or takes too many cells.
    std::vector<Block> solve(const Tokens& source, const Tokens& hypothesis, const Sites& sites, const std::vector<bool>& may_cut) {
        source_ = &source;
        hypothesis_ = &hypothesis;
        sites_ = &sites;
        visited_before_ = three_way_.visited();
        std::vector<Cut> cuts{{0, 0, 0}, {sites.size(), source.size(), hypothesis.size()}};
        find_candidates(may_cut, cuts);
        if (!lay_out(cuts)) return {};
        if (cuts.size() > 2) {
            const std::vector<Cut> kept = small_enough() ? certified(cuts) : std::vector<Cut>{cuts.front(), cuts.back()};
            if (kept.size() < cuts.size() && !lay_out(kept)) return {};
        }
        return std::move(blocks_);
    }

private:
    // A point before a site.
    struct Cut {
        std::size_t site, p, q;
    };

    std::size_t choices(std::size_t first, std::size_t last) const {
        std::size_t product = 1;
        for (std::size_t k = first; k < last && product <= most_choices_; ++k) product *= (*sites_)[k].variants.size();
        return product;
    }

    // Between two sites the point with most equal words around it, of those that every optimal alignment of source and
    // hypothesis goes through.
    void find_candidates(const std::vector<bool>& may_cut, std::vector<Cut>& cuts) {
        pairs_.build(*source_, *hypothesis_, costs_);
        const Cut last = cuts.back();
        cuts.pop_back();
        for (std::size_t site = 1; site < sites_->size(); ++site) {
            if (!may_cut[site]) continue;
            const std::size_t from = (*sites_)[site - 1].end, to = (*sites_)[site].start;
            Cut best{};
            std::pair<std::size_t, std::size_t> most;
            bool found = false;
            for (std::size_t p = from; p <= to; ++p) {
                const std::size_t q = pairs_.only_crossing(p);
                if (q > hypothesis_->size()) continue;
                std::size_t before = 0, after = 0;
                while (before < p - from && before < q && same((*source_)[p - 1 - before], (*hypothesis_)[q - 1 - before])) ++before;
                while (after < to - p && q + after < hypothesis_->size() && same((*source_)[p + after], (*hypothesis_)[q + after])) ++after;
                const std::pair<std::size_t, std::size_t> around{std::min(before, after), before + after};
                if (found && around <= most) continue;
                found = true;
                most = around;
                best = {site, p, q};
            }
            if (found) cuts.push_back(best);
        }
        cuts.push_back(last);
    }

    // The texts, least costs and counts of every block.
    bool lay_out(const std::vector<Cut>& cuts) {
        blocks_.clear();
        graph_.clear();
        for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
            const Cut &from = cuts[b], &to = cuts[b + 1];
            const std::size_t count = choices(from.site, to.site);
            if (count > most_choices_) return false;
            const auto cut_out = [](const Tokens& tokens, std::size_t first, std::size_t last) {
                return Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last));
            };
            const Tokens source = cut_out(*source_, from.p, to.p), hypothesis = cut_out(*hypothesis_, from.q, to.q);
            Block& block = blocks_.emplace_back(Block{from.site, to.site, {}});
            std::vector<Branch>& branches = graph_.emplace_back();
            three_way_.prepare(source, hypothesis, costs_);
            for (std::size_t choice = 0; choice < count; ++choice) {
                Tokens words = text(from, to, choice);
                block.counts.push_back(three_way_.counts(words));
                if (three_way_.visited() - visited_before_ > limits_.cells) return false;
                branches.push_back({std::move(words), three_way_.cost(), three_way_.cost_with_source(), three_way_.cost_with_hypothesis()});
            }
        }
        return true;
    }

    // What a reference has between two cuts.
    Tokens text(const Cut& from, const Cut& to, std::size_t choice) const {
        std::vector<const Tokens*> chosen(to.site - from.site);
        for (std::size_t k = to.site; k-- > from.site;) {
            const std::vector<Tokens>& variants = (*sites_)[k].variants;
            chosen[k - from.site] = &variants[choice % variants.size()];
            choice /= variants.size();
        }
        Tokens result;
        std::size_t at = from.p;
        const auto copy = [&](std::size_t end) {
            for (; at < end; ++at) result.push_back((*source_)[at]);
        };
        for (std::size_t k = from.site; k < to.site; ++k) {
            copy((*sites_)[k].start);
            result.insert(result.end(), chosen[k - from.site]->begin(), chosen[k - from.site]->end());
            at = (*sites_)[k].end;
        }
        copy(to.p);
        return result;
    }

    // Whether the bounds of all branches fit into memory.
    bool small_enough() const {
        std::size_t words = 0;
        for (const std::vector<Branch>& branches : graph_)
            for (const Branch& branch : branches) words += branch.words.size() + 1;
        return words * (source_->size() + hypothesis_->size() + 2) <= limits_.bounds;
    }

    // The cuts that every optimal alignment with every reference goes through.
    std::vector<Cut> certified(const std::vector<Cut>& cuts) {
        with_source_.build(*source_, graph_, &Branch::with_source, costs_);
        with_hypothesis_.build(*hypothesis_, graph_, &Branch::with_hypothesis, costs_);
        most_ = 0;
        for (const std::vector<Branch>& branches : graph_) {
            std::int32_t most = 0;
            for (const Branch& branch : branches) most = std::max(most, branch.three_way - branch.with_source - branch.with_hypothesis);
            most_ += most;
        }
        cells_ = 0;
        std::vector<Cut> kept{cuts.front()};
        std::vector<Layer> entered, left;
        if (walk(entered, false) && walk(left, true))
            for (std::size_t b = 1; b + 1 < cuts.size(); ++b)
                if (least_missing(entered[b], left[b], cuts[b]) > 0) kept.push_back(cuts[b]);
        kept.push_back(cuts.back());
        return kept;
    }

    // Costs of positions of source and hypothesis at one position of the reference; only where alignments of no more than 0
    // can be, that is where the three pairwise bounds together are not above `most_`.
    struct Layer {
        std::size_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
        std::vector<std::int32_t> costs;

        std::int32_t at(std::size_t i, std::size_t j) const {
            const bool inside = i >= first_row && i < last_row && j >= first_column && j < last_column;
            return inside ? costs[(i - first_row) * (last_column - first_column) + j - first_column] : Pairwise::infinite;
        }

        std::int32_t& cell(std::size_t i, std::size_t j) { return costs[(i - first_row) * (last_column - first_column) + j - first_column]; }
    };

    void open(Layer& layer, const GraphBounds::Row& with_source, const GraphBounds::Row& with_hypothesis) {
        const std::int32_t left = most_ - pairs_.least();
        range(with_source, left - with_hypothesis_.least(), layer.first_row, layer.last_row);
        range(with_hypothesis, left - with_source_.least(), layer.first_column, layer.last_column);
        layer.costs.assign((layer.last_row - layer.first_row) * (layer.last_column - layer.first_column), Pairwise::infinite);
        cells_ += layer.costs.size() + 1;
    }

    static void range(const GraphBounds::Row& row, std::int32_t most, std::size_t& first, std::size_t& last) {
        first = 0;
        last = row.size();
        while (first < last && row[first] > most) ++first;
        while (last > first && row[last - 1] > most) --last;
    }

    // For each cut the least cost of entering its layer at a cell by a token of the reference (or, backwards, of leaving it).
    bool walk(std::vector<Layer>& found, bool backwards) {
        const std::size_t count = graph_.size();
        found.assign(count + 1, {});
        for (std::size_t cut = 0; cut <= count; ++cut) open(found[cut], with_source_.at_cut(cut), with_hypothesis_.at_cut(cut));
        Layer now, next;
        Layer& start = found[backwards ? count : 0];
        Layer here = start;
        here.cell(backwards ? source_->size() : 0, backwards ? hypothesis_->size() : 0) = 0;
        relax(here, backwards, nullptr);
        for (std::size_t step = 0; step < count; ++step) {
            const std::size_t b = backwards ? count - 1 - step : step, to = backwards ? b : b + 1;
            for (std::size_t choice = 0; choice < graph_[b].size(); ++choice) {
                const Tokens& words = graph_[b][choice].words;
                now = here;
                for (std::size_t k = 0; k < words.size(); ++k) {
                    const std::size_t taken = backwards ? words.size() - 1 - k : k + 1;
                    const bool inside = k + 1 < words.size();
                    open(next, inside ? with_source_.inside(b, choice, taken) : with_source_.at_cut(to),
                         inside ? with_hypothesis_.inside(b, choice, taken) : with_hypothesis_.at_cut(to));
                    if (cells_ > limits_.cells) return false;
                    take(now, next, words[backwards ? words.size() - 1 - k : k], backwards);
                    std::swap(now, next);
                    if (inside) relax(now, backwards, nullptr);
                }
                Layer& entered = found[to];
                for (std::size_t i = entered.first_row; i < entered.last_row; ++i)
                    for (std::size_t j = entered.first_column; j < entered.last_column; ++j)
                        entered.cell(i, j) = std::min(entered.cell(i, j), now.at(i, j) - graph_[b][choice].three_way);
            }
            here = found[to];
            relax(here, backwards, nullptr);
        }
        return true;
    }

    // One token of the reference, from one layer to the next.
    void take(const Layer& from, Layer& to, Token word, bool backwards) const {
        const std::int32_t gap = costs_.gap;
        for (std::size_t i = to.first_row; i < to.last_row; ++i) {
            const bool s = backwards ? i < source_->size() : i > 0;
            const std::size_t before_i = backwards ? i + 1 : i - 1;
            const Token source = s ? (*source_)[backwards ? i : i - 1] : 0;
            const std::int32_t with_source = s ? costs_.pair(source, word) : 0;
            for (std::size_t j = to.first_column; j < to.last_column; ++j) {
                const bool h = backwards ? j < hypothesis_->size() : j > 0;
                const std::size_t before_j = backwards ? j + 1 : j - 1;
                const Token hypothesis = h ? (*hypothesis_)[backwards ? j : j - 1] : 0;
                const std::int32_t with_hypothesis = h ? costs_.pair(hypothesis, word) : 0;
                std::int32_t best = from.at(i, j) + 2 * gap;
                if (s) best = std::min(best, from.at(before_i, j) + with_source + 2 * gap);
                if (h) best = std::min(best, from.at(i, before_j) + with_hypothesis + 2 * gap);
                if (s && h) best = std::min(best, from.at(before_i, before_j) + with_source + with_hypothesis + costs_.pair(source, hypothesis));
                to.cell(i, j) = best;
            }
        }
    }

    // Columns without the reference, inside a layer; none goes through the point that is blocked.
    void relax(Layer& layer, bool backwards, const Cut* blocked) const {
        const std::int32_t gap = costs_.gap;
        const std::size_t rows = layer.last_row - layer.first_row, columns = layer.last_column - layer.first_column;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t i = backwards ? layer.last_row - 1 - row : layer.first_row + row;
            for (std::size_t column = 0; column < columns; ++column) {
                const std::size_t j = backwards ? layer.last_column - 1 - column : layer.first_column + column;
                std::int32_t& best = layer.cell(i, j);
                if (blocked != nullptr && i == blocked->p && j == blocked->q) {
                    best = Pairwise::infinite;
                    continue;
                }
                const std::size_t before_i = backwards ? i + 1 : i - 1, before_j = backwards ? j + 1 : j - 1;
                if (row > 0) best = std::min(best, layer.at(before_i, j) + 2 * gap);
                if (column > 0) best = std::min(best, layer.at(i, before_j) + 2 * gap);
                if (row > 0 && column > 0) {
                    const std::int32_t pair = costs_.pair((*source_)[backwards ? i : i - 1], (*hypothesis_)[backwards ? j : j - 1]);
                    best = std::min(best, layer.at(before_i, before_j) + pair + 2 * gap);
                }
            }
        }
    }

    // The least reduced cost of an alignment that misses a cut.
    std::int32_t least_missing(Layer entered, const Layer& left, const Cut& cut) const {
        relax(entered, false, &cut);
        std::int32_t least = Pairwise::infinite;
        for (std::size_t cell = 0; cell < entered.costs.size(); ++cell) least = std::min(least, entered.costs[cell] + left.costs[cell]);
        return least;
    }

    AlignmentCosts costs_;
    std::size_t most_choices_, visited_before_ = 0;
    BlocksLimits limits_;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    const Sites* sites_ = nullptr;
    ThreeWay three_way_;
    Pairwise pairs_;
    std::vector<Block> blocks_;
    ReferenceGraph graph_;
    GraphBounds with_source_, with_hypothesis_;
    std::int32_t most_ = 0;
    std::size_t cells_ = 0;
};

// The counts of the source in the place of the hypothesis, taken from blocks of the source's own alignment.
// The block is made of whole baseline blocks.
inline void replace_baseline(Block& block, const std::vector<Block>& baseline, const Sites& sites) {
    constexpr std::size_t half = ColumnCounts{}.size() / 2;
    for (ColumnCounts& counts : block.counts) std::fill(counts.begin() + half, counts.end(), 0);
    for (const Block& part : baseline) {
        if (part.first < block.first || part.last > block.last) continue;
        std::size_t step = 1;
        for (std::size_t k = part.last; k < block.last; ++k) step *= sites[k].variants.size();
        for (std::size_t choice = 0; choice < block.counts.size(); ++choice) {
            const ColumnCounts& from = part.counts[choice / step % part.counts.size()];
            for (std::size_t k = 0; k < half; ++k) block.counts[choice][half + k] += from[k];
        }
    }
}

// The first choice of every row of counts.
inline std::vector<std::size_t> distinct(const Block& block) {
    std::vector<std::size_t> order(block.counts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto before = [&](std::size_t a, std::size_t b) { return block.counts[a] < block.counts[b]; };
    std::stable_sort(order.begin(), order.end(), before);
    order.erase(std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return block.counts[a] == block.counts[b]; }), order.end());
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace errata
