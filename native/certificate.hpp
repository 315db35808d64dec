// The cuts of a sentence that every optimal alignment with every reference goes through.
//
// The reduced cost of an alignment with a reference is its cost minus the least costs of the blocks of that reference.  It is at
// least 0 for alignments that go through all cuts.  If every alignment that misses a cut has more than 0, no optimal one misses it.
// The least cost of those that miss it is found by one walk forwards and one backwards over the graph of all references, in which
// the variants of a block are branches: its size is the sum of their lengths, not the product of their numbers.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "reference_graph.hpp"

namespace errata {

// A cut before a site: after p tokens of the source and q of the hypothesis.
struct Cut {
    std::size_t site, p, q;
};

class Certificate {
public:
    Certificate(const AlignmentCosts& costs, std::size_t most_cells) : costs_(costs), most_cells_(most_cells) {}

    // Computes for each cut between the first and the last the least reduced cost of an alignment that misses it; nothing if it
    // takes too many cells.  `least` is the least cost of aligning source and hypothesis.
    std::optional<std::vector<std::int32_t>> least_missing(const Tokens& source, const Tokens& hypothesis, const ReferenceGraph& graph,
                                                           const std::vector<Cut>& cuts, std::int32_t least) {
        source_ = &source;
        hypothesis_ = &hypothesis;
        graph_ = &graph;
        with_source_.build(source, graph, &Branch::with_source, costs_);
        with_hypothesis_.build(hypothesis, graph, &Branch::with_hypothesis, costs_);
        most_ = -least;
        for (const std::vector<Branch>& branches : graph) {
            std::int32_t most = 0;
            for (const Branch& branch : branches) most = std::max(most, branch.three_way - branch.with_source - branch.with_hypothesis);
            most_ += most;
        }
        cells_ = 0;
        // Layers of the way forwards are kept; on the way back, each is used at once.
        const auto inner = [&](std::size_t cut) { return cut > 0 && cut + 1 < cuts.size(); };
        std::vector<Layer> entered(cuts.size());
        const bool forwards = walk(false, [&](std::size_t cut, const Layer& layer) {
            if (inner(cut)) entered[cut] = layer;
        });
        if (!forwards) return std::nullopt;
        std::vector<std::int32_t> found(cuts.size() - 2);
        const bool backwards = walk(true, [&](std::size_t cut, const Layer& left) {
            if (inner(cut)) found[cut - 1] = missing(std::move(entered[cut]), left, cuts[cut]);
        });
        if (!backwards) return std::nullopt;
        return found;
    }

private:
    // Costs of positions of source and hypothesis at one position of the reference, if alignments of at most 0 are possible: the
    // bounds with source and hypothesis together are at most `most_`.
    struct Layer {
        std::size_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
        std::vector<std::int32_t> costs;

        std::int32_t at(std::size_t i, std::size_t j) const {
            const bool inside = i >= first_row && i < last_row && j >= first_column && j < last_column;
            return inside ? costs[(i - first_row) * (last_column - first_column) + j - first_column] : Pairwise::infinite;
        }

        std::int32_t& cell(std::size_t i, std::size_t j) { return costs[(i - first_row) * (last_column - first_column) + j - first_column]; }
    };

    // Makes a layer without costs, or returns false if there are too many cells.
    bool open(Layer& layer, const GraphBounds::Row& with_source, const GraphBounds::Row& with_hypothesis) {
        std::tie(layer.first_row, layer.last_row) = range(with_source, most_ - with_hypothesis_.least());
        std::tie(layer.first_column, layer.last_column) = range(with_hypothesis, most_ - with_source_.least());
        const std::size_t cells = (layer.last_row - layer.first_row) * (layer.last_column - layer.first_column);
        cells_ += cells + 1;
        if (cells_ > most_cells_) return false;
        report_work(cells + with_source.size() + with_hypothesis.size());
        layer.costs.assign(cells, Pairwise::infinite);
        return true;
    }

    // The range of positions that cost at most `most`.
    static std::pair<std::size_t, std::size_t> range(const GraphBounds::Row& row, std::int32_t most) {
        std::size_t first = 0, last = row.size();
        while (first < last && row[first] > most) ++first;
        while (last > first && row[last - 1] > most) --last;
        return {first, last};
    }

    // Computes for each cut the least cost of entering its layer at a cell by a token of the reference (backwards: of leaving it), and
    // calls visit(cut, layer) in order.  Returns false if it takes too many cells.
    template <typename Visit>
    bool walk(bool backwards, Visit&& visit) {
        const ReferenceGraph& graph = *graph_;
        const std::size_t count = graph.size(), start = backwards ? count : 0;
        Layer here, entered, now, next;
        if (!open(here, with_source_.at_cut(start), with_hypothesis_.at_cut(start))) return false;
        visit(start, here);
        here.cell(backwards ? source_->size() : 0, backwards ? hypothesis_->size() : 0) = 0;
        relax(here, backwards, nullptr);
        for (std::size_t step = 0; step < count; ++step) {
            const std::size_t b = backwards ? count - 1 - step : step, to = backwards ? b : b + 1;
            if (!open(entered, with_source_.at_cut(to), with_hypothesis_.at_cut(to))) return false;
            for (std::size_t choice = 0; choice < graph[b].size(); ++choice) {
                const Tokens& words = graph[b][choice].words;
                now = here;
                for (std::size_t k = 0; k < words.size(); ++k) {
                    const std::size_t taken = backwards ? words.size() - 1 - k : k + 1;
                    const bool inside = k + 1 < words.size();
                    if (!open(next, inside ? with_source_.inside(b, choice, taken) : with_source_.at_cut(to),
                              inside ? with_hypothesis_.inside(b, choice, taken) : with_hypothesis_.at_cut(to)))
                        return false;
                    take(now, next, words[backwards ? words.size() - 1 - k : k], backwards);
                    std::swap(now, next);
                    if (inside) relax(now, backwards, nullptr);
                }
                for (std::size_t i = entered.first_row; i < entered.last_row; ++i)
                    for (std::size_t j = entered.first_column; j < entered.last_column; ++j)
                        entered.cell(i, j) = std::min(entered.cell(i, j), now.at(i, j) - graph[b][choice].three_way);
            }
            visit(to, entered);
            std::swap(here, entered);
            relax(here, backwards, nullptr);
        }
        return true;
    }

    // Consumes one token of the reference, from one layer to the next.
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

    // Adds columns without the reference, inside a layer; none goes through the blocked point.
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
    std::int32_t missing(Layer entered, const Layer& left, const Cut& cut) const {
        relax(entered, false, &cut);
        std::int32_t least = Pairwise::infinite;
        for (std::size_t cell = 0; cell < entered.costs.size(); ++cell) least = std::min(least, entered.costs[cell] + left.costs[cell]);
        return least;
    }

    AlignmentCosts costs_;
    std::size_t most_cells_, cells_ = 0;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    const ReferenceGraph* graph_ = nullptr;
    GraphBounds with_source_, with_hypothesis_;
    std::int32_t most_ = 0;
};

}  // namespace errata
