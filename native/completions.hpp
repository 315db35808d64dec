// How much it costs at least to complete an alignment, with any reference.
//
// A sentence has an anchor between every two sites.  With one rest of a reference, an alignment is completed from any cell: a position
// of the source and one of the hypothesis.  Its cost is reduced by that of completing it from the next anchor with the same rest.
// The least of these reduced costs over all rests is found by one walk backwards over the graph of all references, in which the
// variants of a site are branches: its size is the sum of their lengths, not the product of their numbers.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "reference_graph.hpp"

namespace errata {

// Costs of positions of source and hypothesis at one position of the reference; infinite outside.
struct Layer {
    std::size_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;
    std::vector<std::int32_t> costs;

    std::int32_t at(std::size_t i, std::size_t j) const {
        const bool inside = i >= first_row && i < last_row && j >= first_column && j < last_column;
        return inside ? costs[(i - first_row) * width() + j - first_column] : Pairwise::infinite;
    }

    std::int32_t& cell(std::size_t i, std::size_t j) { return costs[(i - first_row) * width() + j - first_column]; }

    std::size_t width() const { return last_column - first_column; }
};

class Completions {
public:
    explicit Completions(const AlignmentCosts& costs) : costs_(costs) {}

    // Returns false if it takes more than `most_cells`.  `least` is the least cost of aligning source and hypothesis.
    bool build(const Tokens& source, const Tokens& hypothesis, const ReferenceGraph& graph, const AlignmentPath& anchors, std::int32_t least,
               std::size_t most_cells) {
        most_cells_ = most_cells;
        source_ = &source;
        hypothesis_ = &hypothesis;
        with_source_.build(source, graph, &Branch::with_source, costs_);
        with_hypothesis_.build(hypothesis, graph, &Branch::with_hypothesis, costs_);
        most_ = -least;
        for (const std::vector<Branch>& branches : graph) {
            std::int32_t most = std::numeric_limits<std::int32_t>::min();
            for (const Branch& branch : branches) most = std::max(most, branch.three_way - branch.with_source - branch.with_hypothesis);
            most_ += most;
        }
        cells_ = 0;
        return walk(graph, anchors);
    }

    // The cells of the last completions.
    std::size_t cells() const { return cells_; }

    // At an anchor, and if the next column has a token of the reference.
    const Layer& at_anchor(std::size_t anchor) const { return at_anchors_[anchor]; }
    const Layer& leaving(std::size_t anchor) const { return leaving_[anchor]; }

    // Inside a branch after its first `words` words, at least one and not all.
    const Layer& inside(std::size_t block, std::size_t choice, std::size_t words) const { return inside_[block][choice][words - 1]; }

private:
    // Fills the layers from the last to the first.
    bool walk(const ReferenceGraph& graph, const AlignmentPath& anchors) {
        const std::size_t count = graph.size();
        at_anchors_.assign(count + 1, {});
        leaving_.assign(count + 1, {});
        inside_.assign(count, {});
        Layer from_anchor, after, layer;
        if (!open(at_anchors_[count], count)) return false;
        at_anchors_[count].cell(anchors[count].p, anchors[count].q) = 0;
        finish(count, anchors[count]);
        for (std::size_t site = count; site-- > 0;) {
            if (!open(from_anchor, site) || !open(at_anchors_[site], site)) return false;
            from_anchor.cell(anchors[site].p, anchors[site].q) = 0;
            relax<false>(from_anchor);
            inside_[site].resize(graph[site].size());
            for (std::size_t choice = 0; choice < graph[site].size(); ++choice) {
                const Tokens& words = graph[site][choice].words;
                if (!end_of_branch(from_anchor, site, choice, graph[site][choice], after)) return false;
                std::vector<Layer>& layers = inside_[site][choice];
                layers.resize(words.empty() ? 0 : words.size() - 1);
                const Layer* next = &after;
                for (std::size_t k = words.size(); k-- > 0;) {
                    Layer& here = k > 0 ? layers[k - 1] : layer;
                    if (!open(here, site, choice, k)) return false;
                    take<true>(*next, here, words[k]);
                    if (k > 0) relax<true>(here);
                    next = &here;
                }
                Layer& here = at_anchors_[site];
                for (std::size_t i = here.first_row; i < here.last_row; ++i)
                    for (std::size_t j = here.first_column; j < here.last_column; ++j) here.cell(i, j) = std::min(here.cell(i, j), next->at(i, j));
            }
            finish(site, anchors[site]);
        }
        return true;
    }

    // Computes the bounds after a branch, minus the cost of completing from the anchor before it.  From there, an alignment may go to the
    // next anchor, or to the same cell.  Returns false if there are too many cells.
    bool end_of_branch(const Layer& from_anchor, std::size_t site, std::size_t choice, const Branch& branch, Layer& after) {
        Layer own = from_anchor, next;
        for (std::size_t k = 1; k <= branch.words.size(); ++k) {
            if (!(k < branch.words.size() ? open(next, site, choice, k) : open(next, site + 1))) return false;
            take<false>(own, next, branch.words[k - 1]);
            relax<false>(next);
            std::swap(own, next);
        }
        after = at_anchors_[site + 1];
        for (std::size_t i = after.first_row; i < after.last_row; ++i)
            for (std::size_t j = after.first_column; j < after.last_column; ++j)
                after.cell(i, j) = std::max(after.cell(i, j) - branch.three_way, -own.at(i, j));
        return true;
    }

    // Makes a layer without costs, of the positions where the sum of the pairwise bounds allows an optimal alignment: at the anchor
    // before a site, or after some words of a branch.  Returns false if there are too many cells.
    bool open(Layer& layer, std::size_t site, std::size_t choice = 0, std::size_t words = 0) {
        const GraphBounds::Row& with_source = words > 0 ? with_source_.inside(site, choice, words) : with_source_.at_cut(site);
        const GraphBounds::Row& with_hypothesis = words > 0 ? with_hypothesis_.inside(site, choice, words) : with_hypothesis_.at_cut(site);
        std::tie(layer.first_row, layer.last_row) = range(with_source, most_ - with_hypothesis_.least());
        std::tie(layer.first_column, layer.last_column) = range(with_hypothesis, most_ - with_source_.least());
        const std::size_t cells = (layer.last_row - layer.first_row) * layer.width();
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

    // Adds columns without the reference at an anchor.
    void finish(std::size_t b, const AlignmentPoint& anchor) {
        leaving_[b] = at_anchors_[b];
        relax<true>(at_anchors_[b]);
        raise_near(leaving_[b], anchor);
        raise_near(at_anchors_[b], anchor);
    }

    // Raises bounds that are too low: with one token more or less, an alignment costs at most two gaps more.
    void raise_near(Layer& layer, const AlignmentPoint& anchor) const {
        const auto distance = [](std::size_t a, std::size_t b) { return static_cast<std::int32_t>(a > b ? a - b : b - a); };
        for (std::size_t i = layer.first_row; i < layer.last_row; ++i)
            for (std::size_t j = layer.first_column; j < layer.last_column; ++j)
                layer.cell(i, j) = std::max(layer.cell(i, j), -2 * costs_.gap * (distance(i, anchor.p) + distance(j, anchor.q)));
    }

    // Copies the costs of a row from a column on, infinite outside the layer.
    static void copy_row(const Layer& layer, std::size_t i, std::ptrdiff_t first, std::vector<std::int32_t>& costs) {
        std::fill(costs.begin(), costs.end(), Pairwise::infinite);
        if (i < layer.first_row || i >= layer.last_row) return;
        const auto start = static_cast<std::ptrdiff_t>(layer.first_column), end = static_cast<std::ptrdiff_t>(layer.last_column);
        const std::ptrdiff_t from = std::max(first, start), to = std::min(first + static_cast<std::ptrdiff_t>(costs.size()), end);
        if (from >= to) return;
        const std::int32_t* const row = &layer.costs[(i - layer.first_row) * layer.width()];
        std::copy(row + (from - start), row + (to - start), costs.begin() + (from - first));
    }

    // Adds columns with a token of the reference, from one layer to the next or, backwards, to that before it.
    template <bool backwards>
    void take(const Layer& from, Layer& to, Token word) {
        const std::int32_t gaps = 2 * costs_.gap;
        const std::size_t width = to.width(), shift = backwards ? 0 : 1;
        const auto first = static_cast<std::ptrdiff_t>(to.first_column) - static_cast<std::ptrdiff_t>(shift);
        here_.resize(width + 1);
        before_.resize(width + 1);
        with_hypothesis_word_.resize(width);
        hypothesis_words_.resize(width);
        for (std::size_t column = 0; column < width; ++column) {
            const std::size_t j = to.first_column + column - shift;
            hypothesis_words_[column] = j < hypothesis_->size() ? (*hypothesis_)[j] : unknown_token;
            with_hypothesis_word_[column] = costs_.pair(hypothesis_words_[column], word);
        }
        for (std::size_t i = to.first_row; i < to.last_row; ++i) {
            copy_row(from, i, first, here_);
            copy_row(from, backwards ? i + 1 : i - 1, first, before_);
            const std::size_t at = i - shift;
            const Token source = at < source_->size() ? (*source_)[at] : unknown_token;
            const std::int32_t with_source = costs_.pair(source, word);
            std::int32_t* const costs = &to.costs[(i - to.first_row) * width];
            for (std::size_t column = 0; column < width; ++column) {
                // The same column, and that before it (backwards: after it).
                const std::size_t own = column + shift, before = column + 1 - shift;
                const std::int32_t both = before_[before] + with_source + with_hypothesis_word_[column] + costs_.pair(source, hypothesis_words_[column]);
                const std::int32_t one = std::min({here_[own], before_[own] + with_source, here_[before] + with_hypothesis_word_[column]});
                costs[column] = std::min(both, one + gaps);
            }
        }
    }

    // Adds columns without the reference, inside a layer.
    template <bool backwards>
    void relax(Layer& layer) const {
        const std::int32_t gaps = 2 * costs_.gap;
        const std::size_t rows = layer.last_row - layer.first_row, columns = layer.width();
        for (std::size_t row = 0; row < rows; ++row) {
            const std::size_t i = backwards ? layer.last_row - 1 - row : layer.first_row + row, before_i = backwards ? i + 1 : i - 1;
            for (std::size_t column = 0; column < columns; ++column) {
                const std::size_t j = backwards ? layer.last_column - 1 - column : layer.first_column + column, before_j = backwards ? j + 1 : j - 1;
                std::int32_t& best = layer.cell(i, j);
                if (row > 0) best = std::min(best, layer.cell(before_i, j) + gaps);
                if (column > 0) best = std::min(best, layer.cell(i, before_j) + gaps);
                if (row > 0 && column > 0) {
                    const std::int32_t pair = costs_.pair((*source_)[backwards ? i : i - 1], (*hypothesis_)[backwards ? j : j - 1]);
                    best = std::min(best, layer.cell(before_i, before_j) + pair + gaps);
                }
            }
        }
    }

    AlignmentCosts costs_;
    std::size_t most_cells_ = 0, cells_ = 0;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    GraphBounds with_source_, with_hypothesis_;
    std::int32_t most_ = 0;
    std::vector<std::int32_t> here_, before_, with_hypothesis_word_;
    Tokens hypothesis_words_;
    std::vector<Layer> at_anchors_, leaving_;
    std::vector<std::vector<std::vector<Layer>>> inside_;
};

}  // namespace errata
