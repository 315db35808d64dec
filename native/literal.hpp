// The best sequence of edits with the official scorer's own arcs, weights, order and floating-point sums.
//
// If several sequences have the same weight, the official scorer's edits depend on how often each arc was stored, on the
// rounding of sums of 1, 0.001 and minus the number of arcs, and on the order in which Bellman-Ford visits the arcs: unit arcs
// first, then phrase arcs as they were stored (by middle vertex, then start, then end).  This search does the same.
// The number of arcs grows with the square of the number of vertices, so the search stops at a limit, beyond which the official
// scorer, which tries all pairs of arcs, takes hours.
#pragma once

#include <tuple>

#include "one_pass.hpp"

namespace errata {

class Literal {
public:
    explicit Literal(std::size_t most_arcs) : most_arcs_(most_arcs) {}

    // Begins a sentence; gold may differ between calls, the lattice may not.
    void begin() { known_for_ = -1; }

    // The arcs visited by the last search: about ten times to find and sort them, then once in each round of Bellman-Ford.
    std::uint64_t visited() const { return visited_; }

    // The edits of the path, valid until the next call; a null pointer if there are too many arcs.
    const std::vector<PathEdit>* find(const Lattice& lattice, const Tokens& source, const Tokens& target, const std::vector<GoldArc>& gold,
                                      int max_unchanged) {
        visited_ = 0;
        if (known_for_ != max_unchanged) {
            few_enough_ = few_enough(lattice, source, target, max_unchanged);
            known_for_ = max_unchanged;
        }
        if (!few_enough_) return nullptr;
        arcs_.clear();
        std::int64_t stored = 0;
        for_each_arc(lattice, source, target, max_unchanged, [&](int i, int j, int to_i, int to_j, const StoredArc& arc) {
            stored += arc.copies;
            const bool is_gold = arc.changes && std::binary_search(gold.begin(), gold.end(), GoldArc{i, j, to_i, to_j});
            double weight = arc.units;
            if (arc.changes)
                for (int copy = 0; copy < arc.copies; ++copy) weight += epsilon;
            const Arc entry{0, lattice.index(i, j), lattice.index(to_i, to_j), weight, arc.units, arc.changes, is_gold};
            if (arc.through == 0) arcs_.push_back(entry);
            add(entry, arc.through & diagonal_arc, lattice, to_i - 1, to_j - 1);
            add(entry, arc.through & deletion_arc, lattice, to_i - 1, to_j);
            add(entry, arc.through & insertion_arc, lattice, to_i, to_j - 1);
            return true;
        });
        std::sort(arcs_.begin(), arcs_.end());
        visited_ = 10 * arcs_.size();
        for (Arc& arc : arcs_)
            if (arc.gold) arc.weight = -static_cast<double>(stored);
        relax(lattice);
        trace(lattice);
        return &edits_;
    }

private:
    static constexpr double epsilon = 0.001, infinite = 1e300;
    struct Arc {
        std::size_t through;  // the middle vertex plus 1; 0 for a unit arc
        std::size_t from, to;
        double weight;
        int units;
        bool changes, gold;
        bool operator<(const Arc& o) const { return std::tie(through, from, to) < std::tie(o.through, o.from, o.to); }
    };

    // Counting arcs takes much less time than listing them.
    bool few_enough(const Lattice& lattice, const Tokens& source, const Tokens& target, int max_unchanged) {
        std::size_t count = 0;
        for_each_arc(lattice, source, target, max_unchanged, [&](int, int, int, int, const StoredArc& arc) {
            count += arc.through == 0 ? 1 : static_cast<std::size_t>(arc.copies);
            return count <= most_arcs_;
        });
        return count <= most_arcs_;
    }

    template <typename Visit>
    void for_each_arc(const Lattice& lattice, const Tokens& source, const Tokens& target, int max_unchanged, Visit&& visit) {
        bool go_on = true;
        for (int i = 0; go_on && i < lattice.rows(); ++i)
            for (int j = lattice.first_column(i); go_on && j <= lattice.last_column(i); ++j)
                if (lattice.contains(i, j))
                    stored_.from(lattice, source, target, i, j, lattice.rows() - 1, lattice.columns() - 1, max_unchanged,
                                 [&](int to_i, int to_j, const StoredArc& arc) { return go_on = visit(i, j, to_i, to_j, arc); });
    }

    void add(Arc entry, int stored_so, const Lattice& lattice, int i, int j) {
        if (stored_so == 0) return;
        entry.through = lattice.index(i, j) + 1;
        arcs_.push_back(entry);
    }

    void relax(const Lattice& lattice) {
        const std::size_t cells = lattice.index(lattice.rows() - 1, lattice.columns() - 1) + 1;
        sums_.assign(cells, infinite);
        steps_.assign(cells, nullptr);
        sums_[0] = 0;
        for (bool changed = true; changed;) {
            changed = false;
            visited_ += arcs_.size();
            report_work(arcs_.size());
            for (const Arc& arc : arcs_) {
                const double sum = sums_[arc.from] + arc.weight;
                if (sums_[arc.from] >= infinite || !(sum < sums_[arc.to])) continue;
                sums_[arc.to] = sum;
                steps_[arc.to] = &arc;
                changed = true;
            }
        }
    }

    void trace(const Lattice& lattice) {
        edits_.clear();
        const auto width = static_cast<std::size_t>(lattice.columns());
        for (std::size_t vertex = sums_.size() - 1; vertex != 0;) {
            const Arc& arc = *steps_[vertex];
            if (arc.changes)
                edits_.push_back({static_cast<int>(arc.from / width), static_cast<int>(arc.to / width), static_cast<int>(arc.from % width),
                                 static_cast<int>(arc.to % width), arc.gold, arc.gold ? 0 : arc.units});
            vertex = arc.from;
        }
        std::reverse(edits_.begin(), edits_.end());
    }

    std::size_t most_arcs_;
    bool few_enough_ = false;
    int known_for_ = -1;  // the limit of unchanged tokens for which it is known whether there are few enough arcs
    std::uint64_t visited_ = 0;
    StoredArcs stored_;
    std::vector<Arc> arcs_;
    std::vector<double> sums_;
    std::vector<const Arc*> steps_;
    std::vector<PathEdit> edits_;
};

}  // namespace errata
