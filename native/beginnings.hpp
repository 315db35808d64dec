// Beginnings of references, in classes that any rest of a reference continues in the same way.
//
// A reference is aligned layer by layer, one for each of its tokens, so references with the same beginning share layers.
// At an anchor only some cells of a layer matter: those that an optimal alignment may leave by a token of the reference.  A cell with a
// cost above that of the anchor, minus the bound of Completions, is not one of them, whatever follows.  If two beginnings have the same
// of these cells, with the same differences between their costs and between the counts of the columns up to them, then every rest
// continues both in the same way: one of them is enough.  Most variants of a site are forgotten after a few equal tokens, so there are
// few classes, though their number may grow with the product of the numbers of variants.
#pragma once

#include <limits>
#include <map>
#include <optional>

#include "columns.hpp"
#include "completions.hpp"

namespace errata {

// What a variant of a site adds to a beginning: the class of the longer beginning, and counts.
struct Step {
    std::size_t to;
    ColumnCounts counts;
};

// The counts of all references: those before the first class, and for each site, class of beginnings and variant what it adds.
// There is one class before the first site, and one after the last.
struct Mixtures {
    ColumnCounts counts{};
    std::vector<std::vector<std::vector<Step>>> steps;
};

class Beginnings {
public:
    static constexpr std::size_t cells_for_memory = 64;  // a stored cell or step counts like so many visited cells

    Beginnings(const AlignmentCosts& costs, std::size_t most_cells) : costs_(costs), most_cells_(most_cells) {}

    // The work for the last beginnings, in cells.
    std::size_t cells() const { return cells_; }

    // Returns nothing if it takes too many cells.  `counted` is how many of the counts matter.
    std::optional<Mixtures> find(const Tokens& source, const Tokens& hypothesis, const ReferenceGraph& graph, const AlignmentPath& anchors,
                                 const Completions& completions, std::size_t counted) {
        source_ = &source;
        hypothesis_ = &hypothesis;
        anchors_ = &anchors;
        completions_ = &completions;
        counted_ = counted;
        cells_ = 0;
        Mixtures found;
        layers_.resize(std::max<std::size_t>(layers_.size(), 1));
        last_ = 0;
        reach(nullptr, completions.at_anchor(0), unknown_token, 0, layers_[0]);
        std::vector<Class> classes(1);
        found.counts = classify_beginning(nullptr, 0, {}, classes[0]);
        for (std::size_t site = 0; site < graph.size(); ++site) {
            std::map<Key, std::size_t> numbers;
            std::vector<Class> following;
            std::vector<std::vector<Step>>& steps = found.steps.emplace_back();
            for (const Class& one : classes) {
                std::vector<Step>& own = steps.emplace_back();
                start_from(one);
                for (std::size_t choice = 0; choice < graph[site].size(); ++choice) {
                    extend(one, graph[site][choice], site, choice);
                    Class longer;
                    const ColumnCounts counts = classify_beginning(&one, site + 1, graph[site][choice].words, longer);
                    if (cells_ > most_cells_) return std::nullopt;
                    const auto [entry, added] = numbers.try_emplace(key(longer), following.size());
                    if (added) following.push_back(std::move(longer));
                    own.push_back({entry->second, counts});
                }
            }
            classes = std::move(following);
        }
        return found;
    }

private:
    static constexpr std::int64_t infinite = Pairwise::infinite;
    static constexpr std::int64_t moves = 8;

    static std::int64_t without_move(std::int64_t ranked) { return ranked & ~(moves - 1); }

    // A cell that an optimal alignment may leave by a token of the reference; cost and counts are those of the first cell more.
    struct Cell {
        std::size_t i, j;
        std::int64_t cost;
        ColumnCounts counts;
    };

    struct Class {
        std::vector<Cell> cells;
        std::int64_t at_anchor = 0;  // the cost at the anchor
    };

    using Key = std::vector<std::int64_t>;

    // What all beginnings of a class have in common.
    static Key key(const Class& one) {
        Key result;
        for (const Cell& cell : one.cells) {
            result.insert(result.end(), {static_cast<std::int64_t>(cell.i), static_cast<std::int64_t>(cell.j), cell.cost});
            result.insert(result.end(), cell.counts.begin(), cell.counts.end());
        }
        return result;
    }

    // The cells of a layer that are reached: their costs, and the columns that end there.
    struct Reached {
        std::size_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;  // of cells that are reached
        std::size_t row = 0, column = 0, width = 0;                                  // where cells are stored
        std::vector<std::int64_t> ranked;                                            // cost and move in one number

        std::int64_t at(std::size_t i, std::size_t j) const {
            const bool inside = i >= first_row && i < last_row && j >= first_column && j < last_column;
            return inside ? ranked[(i - row) * width + j - column] : infinite * moves;
        }

        std::int64_t cost(std::size_t i, std::size_t j) const { return without_move(at(i, j)) / moves; }
        std::int64_t move(std::size_t i, std::size_t j) const { return at(i, j) - without_move(at(i, j)); }
        bool has(std::size_t i, std::size_t j) const { return at(i, j) < infinite * moves; }
    };

    // Makes the cells of a class the first layer.
    void start_from(const Class& one) {
        Reached& layer = layers_[0];
        layer.first_row = layer.first_column = std::numeric_limits<std::size_t>::max();
        layer.last_row = layer.last_column = 0;
        for (const Cell& cell : one.cells) {
            layer.first_row = std::min(layer.first_row, cell.i);
            layer.last_row = std::max(layer.last_row, cell.i + 1);
            layer.first_column = std::min(layer.first_column, cell.j);
            layer.last_column = std::max(layer.last_column, cell.j + 1);
        }
        layer.row = layer.first_row;
        layer.column = layer.first_column;
        layer.width = layer.last_column - layer.first_column;
        layer.ranked.assign((layer.last_row - layer.first_row) * layer.width, infinite * moves);
        for (const Cell& cell : one.cells) layer.ranked[(cell.i - layer.row) * layer.width + cell.j - layer.column] = cell.cost * moves;
    }

    // Takes a variant of a site, after the first layer.
    void extend(const Class& start, const Branch& branch, std::size_t site, std::size_t choice) {
        const std::size_t words = branch.words.size();
        if (layers_.size() <= words) layers_.resize(words + 1);
        last_ = words;
        for (std::size_t k = 1; k <= words; ++k) {
            if (k < words)
                reach(&layers_[k - 1], completions_->inside(site, choice, k), branch.words[k - 1], start.at_anchor, layers_[k]);
            else
                reach(&layers_[k - 1], completions_->at_anchor(site + 1), branch.words[k - 1], start.at_anchor + branch.three_way, layers_[k]);
        }
    }

    // Computes the cells of the next layer from which an alignment can be completed at a cost of at most `most`; there is none before
    // the first.
    void reach(const Reached* before, const Layer& bounds, Token word, std::int64_t most, Reached& layer) {
        static const Reached nothing;
        const Reached& old = before == nullptr ? nothing : *before;
        const std::int64_t gaps = 2 * costs_.gap * moves;
        layer.row = std::max(old.first_row, bounds.first_row);
        layer.column = std::max(old.first_column, bounds.first_column);
        layer.width = bounds.last_column > layer.column ? bounds.last_column - layer.column : 0;
        layer.ranked.clear();
        layer.first_row = layer.first_column = std::numeric_limits<std::size_t>::max();
        layer.last_row = layer.last_column = 0;
        std::size_t above_end = 0, visited = 0;
        for (std::size_t i = layer.row; i < bounds.last_row && i <= std::max(old.last_row, layer.last_row); ++i) {
            layer.ranked.resize(layer.ranked.size() + layer.width, infinite * moves);
            std::int64_t* const here = &layer.ranked[(i - layer.row) * layer.width];
            const std::int64_t* const above = i > layer.row ? here - layer.width : nullptr;
            const Token source = i > 0 ? (*source_)[i - 1] : unknown_token;
            const std::int64_t pair = costs_.pair(source, word) * moves;
            std::size_t here_end = 0;
            for (std::size_t j = layer.column; j < bounds.last_column && j <= std::max({old.last_column, above_end, here_end}); ++j) {
                ++visited;
                const std::size_t at = j - layer.column;
                const Token hypothesis = j > 0 ? (*hypothesis_)[j - 1] : unknown_token;
                const std::int64_t with_hypothesis = costs_.pair(hypothesis, word) * moves, together = costs_.pair(source, hypothesis) * moves;
                std::int64_t best = without_move(old.at(i, j)) + gaps + 6;
                if (i > 0) best = std::min(best, without_move(old.at(i - 1, j)) + pair + gaps + 2);
                if (j > 0) best = std::min(best, without_move(old.at(i, j - 1)) + with_hypothesis + gaps + 3);
                if (i > 0 && j > 0) best = std::min(best, without_move(old.at(i - 1, j - 1)) + together + pair + with_hypothesis);
                if (above != nullptr) best = std::min(best, without_move(above[at]) + gaps + 4);
                if (at > 0) best = std::min(best, without_move(here[at - 1]) + gaps + 5);
                if (above != nullptr && at > 0) best = std::min(best, without_move(above[at - 1]) + together + gaps + 1);
                if (before == nullptr && i == 0 && j == 0) best = 0;
                if (without_move(best) / moves + bounds.costs[(i - bounds.first_row) * bounds.width() + j - bounds.first_column] > most) continue;
                here[at] = best;
                here_end = j + 1;
                layer.first_row = std::min(layer.first_row, i);
                layer.last_row = i + 1;
                layer.first_column = std::min(layer.first_column, j);
                layer.last_column = std::max(layer.last_column, j + 1);
            }
            above_end = here_end;
        }
        cells_ += visited;
        report_work(visited + 1);
    }

    // Computes the class of a beginning, and returns the counts up to its first cell.
    ColumnCounts classify_beginning(const Class* start, std::size_t anchor, const Tokens& words, Class& found) {
        const Reached& layer = layers_[last_];
        const Layer& leaving = completions_->leaving(anchor);
        const std::int64_t at_anchor = layer.cost((*anchors_)[anchor].p, (*anchors_)[anchor].q);
        for (std::size_t i = layer.first_row; i < layer.last_row; ++i)
            for (std::size_t j = layer.first_column; j < layer.last_column; ++j)
                if (layer.has(i, j) && layer.cost(i, j) + leaving.at(i, j) <= at_anchor)
                    found.cells.push_back({i, j, layer.cost(i, j), count(start, i, j, words)});
        cells_ += cells_for_memory * (found.cells.size() + 1);
        const Cell first = found.cells.front();
        found.at_anchor = at_anchor - first.cost;
        for (Cell& cell : found.cells) {
            cell.cost -= first.cost;
            for (std::size_t k = 0; k < cell.counts.size(); ++k) cell.counts[k] -= first.counts[k];
        }
        return first.counts;
    }

    // Counts the columns of the preferred alignment up to a cell of the last layer.
    ColumnCounts count(const Class* start, std::size_t i, std::size_t j, const Tokens& words) {
        ColumnCounts counts{};
        std::size_t layer = last_, columns = 0;
        while (layer > 0 || (start == nullptr && (i > 0 || j > 0))) {
            const bool* const column = takes[layers_[layer].move(i, j)];
            classify(counts, column[0] ? &(*source_)[i - 1] : nullptr, column[1] ? &(*hypothesis_)[j - 1] : nullptr,
                     column[2] ? &words[layer - 1] : nullptr);
            i -= column[0];
            j -= column[1];
            layer -= column[2];
            ++columns;
        }
        cells_ += columns;
        std::fill(counts.begin() + static_cast<std::ptrdiff_t>(counted_), counts.end(), 0);
        if (start == nullptr) return counts;
        const auto before = [](const Cell& cell, const std::pair<std::size_t, std::size_t>& at) { return std::make_pair(cell.i, cell.j) < at; };
        const auto cell = std::lower_bound(start->cells.begin(), start->cells.end(), std::make_pair(i, j), before);
        for (std::size_t k = 0; k < counts.size(); ++k) counts[k] += cell->counts[k];
        return counts;
    }

    AlignmentCosts costs_;
    std::size_t most_cells_, cells_ = 0, counted_ = 0;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    const AlignmentPath* anchors_ = nullptr;
    const Completions* completions_ = nullptr;
    std::vector<Reached> layers_;
    std::size_t last_ = 0;
};

}  // namespace errata
