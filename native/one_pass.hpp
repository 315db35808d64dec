// The best sequence of edits in one pass over the vertices of the lattice.
//
// Weights are whole numbers in thousandths of a unit arc: a gold arc weighs -gold_weight, any other arc 1000 for each of its unit
// arcs, and an edit that is not gold an epsilon of 1, or 2 if it is a single unit arc that both matrices have.  So the number
// of matches decides, then the units outside matches, then the number of other edits.
//
// States of a vertex: outside an edit; `double_unit`, inside an edit that so far is one unit arc of both matrices;
// changed(k), inside an edit with k kept tokens and a change; unchanged(k), inside an edit of k kept tokens only.
//
// In this pass, every stretch with few enough kept tokens can be an edit, with one epsilon.  The official scorer's arcs are a subset
// of those with the same or larger weights, so a path of this pass whose edits are all stored once is optimal there too.
#pragma once

#include "gold_arcs.hpp"

namespace errata {

// An edit of a path: source span [start, end) became target span [target_start, target_end).
struct PathEdit {
    int start, end, target_start, target_end;
    bool gold;   // whether the arc counts as a match
    int units;   // unit arcs
};

// A best path.
struct Path {
    std::vector<PathEdit> edits;
    bool ambiguous = false;  // whether another path of the same weight has a different number of edits
};

// `fixed` is the number of kept tokens that an edit may have, if known at compile time, or `any_limit`.
constexpr int any_limit = -1;

template <int fixed>
class OnePassWith {
public:
    explicit OnePassWith(std::size_t most_steps) : most_steps_(most_steps) {}

    const Path& find(const Lattice& lattice, const Tokens& source, const Tokens& target, const std::vector<GoldArc>& gold, int kept_limit) {
        any_limit_ = kept_limit;
        const std::size_t steps = lattice.slots() * static_cast<std::size_t>(states());
        if (static_cast<std::size_t>(states()) > most_states || steps > most_steps_)
            throw std::overflow_error("source and output have too many tokens for this max_unchanged: more than a gigabyte of memory");
        outside_.resize(lattice.slots());
        back_.resize(steps);
        const std::size_t row = static_cast<std::size_t>(lattice.columns()) * static_cast<std::size_t>(states());
        above_.resize(row);
        here_.resize(row);
        std::size_t next_gold = 0;
        for (int i = 0; i < lattice.rows(); ++i) {
            report_work(static_cast<std::size_t>(lattice.last_column(i) - lattice.first_column(i) + 1) * static_cast<std::size_t>(states()));
            for (int j = lattice.first_column(i); j <= lattice.last_column(i); ++j) {
                if (!lattice.contains(i, j)) continue;
                enter(lattice, source, target, i, j);
                close(lattice, i, j);
                while (next_gold < gold.size() && (gold[next_gold].to_i < i || (gold[next_gold].to_i == i && gold[next_gold].to_j < j))) ++next_gold;
                for (std::size_t g = next_gold; g < gold.size() && gold[g].to_i == i && gold[g].to_j == j; ++g) {
                    const Node& from = outside_[lattice.slot(gold[g].from_i, gold[g].from_j)];
                    relax(i, j, lattice, outside, {from.weight - gold_weight, from.fewest + 1, from.most + 1}, by_gold, 0);
                }
                outside_[lattice.slot(i, j)] = node(j, outside);
            }
            above_.swap(here_);
        }
        const Node& last = outside_[lattice.slots() - 1];
        path_.ambiguous = last.fewest != last.most;
        trace(lattice, gold);
        return path_;
    }

private:
    struct Node {
        std::int64_t weight;
        std::int32_t fewest, most;  // edits on the paths of that weight
    };
    static constexpr std::int64_t unit = 1000, gold_weight = std::int64_t{1} << 40, infinite = std::int64_t{1} << 60;
    static constexpr std::size_t most_states = 1 << 13;  // a step back has 16 bits, 3 of them for the move
    enum State : int { outside = 0, double_unit = 1 };
    enum Move : int { by_diagonal = 0, by_deletion = 1, by_insertion = 2, by_closing = 3, by_gold = 4 };

    int limit() const { return fixed == any_limit ? any_limit_ : fixed; }
    int states() const { return 2 * limit() + 3; }
    int changed(int kept) const { return 2 + kept; }
    int unchanged(int kept) const { return 2 + limit() + kept; }
    Node& node(int j, int state) { return here_[static_cast<std::size_t>(j) * static_cast<std::size_t>(states()) + static_cast<std::size_t>(state)]; }

    void relax(int i, int j, const Lattice& lattice, int state, const Node& candidate, Move move, int from_state) {
        Node& best = node(j, state);
        if (candidate.weight > best.weight || candidate.weight >= infinite) return;
        if (candidate.weight == best.weight) {
            best.fewest = std::min(best.fewest, candidate.fewest);
            best.most = std::max(best.most, candidate.most);
            return;
        }
        best = candidate;
        back_[lattice.slot(i, j) * static_cast<std::size_t>(states()) + static_cast<std::size_t>(state)] =
            static_cast<std::uint16_t>(from_state << 3 | static_cast<int>(move));
    }

    static Node longer(const Node& node) { return {node.weight + unit, node.fewest, node.most}; }

    void enter(const Lattice& lattice, const Tokens& source, const Tokens& target, int i, int j) {
        for (int state = 0; state < states(); ++state) node(j, state) = {infinite, 0, 0};
        if (i == 0 && j == 0) {
            node(j, outside) = {0, 0, 0};
            return;
        }
        const auto width = static_cast<std::size_t>(states());
        if (const int copies = lattice.copies(i, j, diagonal_arc); copies != 0) {
            const Node* from = &above_[static_cast<std::size_t>(j - 1) * width];
            if (same(source[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]))
                keep(lattice, i, j, from);
            else
                change(lattice, i, j, from, copies, by_diagonal);
        }
        if (const int copies = lattice.copies(i, j, deletion_arc); copies != 0) change(lattice, i, j, &above_[static_cast<std::size_t>(j) * width], copies, by_deletion);
        if (const int copies = lattice.copies(i, j, insertion_arc); copies != 0) change(lattice, i, j, &here_[static_cast<std::size_t>(j - 1) * width], copies, by_insertion);
    }

    void keep(const Lattice& lattice, int i, int j, const Node* from) {
        relax(i, j, lattice, outside, longer(from[outside]), by_diagonal, outside);
        if (limit() == 0) return;
        relax(i, j, lattice, unchanged(1), longer(from[outside]), by_diagonal, outside);
        relax(i, j, lattice, changed(1), longer(from[double_unit]), by_diagonal, double_unit);
        for (int kept = 0; kept < limit(); ++kept) {
            relax(i, j, lattice, changed(kept + 1), longer(from[changed(kept)]), by_diagonal, changed(kept));
            if (kept > 0) relax(i, j, lattice, unchanged(kept + 1), longer(from[unchanged(kept)]), by_diagonal, unchanged(kept));
        }
    }

    void change(const Lattice& lattice, int i, int j, const Node* from, int copies, Move move) {
        relax(i, j, lattice, copies == 2 ? double_unit : changed(0), longer(from[outside]), move, outside);
        relax(i, j, lattice, changed(0), longer(from[double_unit]), move, double_unit);
        for (int kept = 0; kept <= limit(); ++kept) {
            relax(i, j, lattice, changed(kept), longer(from[changed(kept)]), move, changed(kept));
            if (kept > 0) relax(i, j, lattice, changed(kept), longer(from[unchanged(kept)]), move, unchanged(kept));
        }
    }

    void close(const Lattice& lattice, int i, int j) {
        const Node single = node(j, double_unit);
        relax(i, j, lattice, outside, {single.weight + 2, single.fewest + 1, single.most + 1}, by_closing, double_unit);
        for (int kept = 0; kept <= limit(); ++kept) {
            const Node phrase = node(j, changed(kept));
            relax(i, j, lattice, outside, {phrase.weight + 1, phrase.fewest + 1, phrase.most + 1}, by_closing, changed(kept));
        }
    }

    void trace(const Lattice& lattice, const std::vector<GoldArc>& gold) {
        std::vector<PathEdit>& edits = path_.edits;
        edits.clear();
        int i = lattice.rows() - 1, j = lattice.columns() - 1, state = outside;
        int end_i = i, end_j = j, units = 0;
        while (i != 0 || j != 0 || state != outside) {
            const int step = back_[lattice.slot(i, j) * static_cast<std::size_t>(states()) + static_cast<std::size_t>(state)];
            const int move = step & 7, from_state = step >> 3;
            if (move == by_gold) {
                const GoldArc& arc = gold_arc_taken(lattice, gold, i, j);
                edits.push_back({arc.from_i, i, arc.from_j, j, true, 0});
                i = arc.from_i;
                j = arc.from_j;
                continue;
            }
            if (move == by_closing) {
                end_i = i;
                end_j = j;
                units = 0;
                state = from_state;
                continue;
            }
            if (move != by_insertion) --i;
            if (move != by_deletion) --j;
            ++units;
            if (state != outside && from_state == outside) edits.push_back({i, end_i, j, end_j, false, units});
            state = from_state;
        }
        std::reverse(edits.begin(), edits.end());
    }

    const GoldArc& gold_arc_taken(const Lattice& lattice, const std::vector<GoldArc>& gold, int i, int j) const {
        const std::int64_t before = outside_[lattice.slot(i, j)].weight + gold_weight;
        auto arc = std::lower_bound(gold.begin(), gold.end(), GoldArc{-1, -1, i, j});
        for (; arc != gold.end() && arc->to_i == i && arc->to_j == j; ++arc)
            if (outside_[lattice.slot(arc->from_i, arc->from_j)].weight == before) return *arc;
        throw std::logic_error("a path of the lattice lost its gold arc");
    }

    std::size_t most_steps_;
    int any_limit_ = 0;
    std::vector<Node> outside_, above_, here_;
    std::vector<std::uint16_t> back_;
    Path path_;
};

class OnePass {
public:
    explicit OnePass(std::size_t most_steps) : usual_(most_steps), other_(most_steps) {}

    // The number of states of all vertices.
    static std::size_t steps(const Lattice& lattice, int max_unchanged) {
        return lattice.slots() * (2 * static_cast<std::size_t>(kept_limit(lattice, max_unchanged)) + 3);
    }

    // Finds a best path, which is valid until the next call.
    const Path& find(const Lattice& lattice, const Tokens& source, const Tokens& target, const std::vector<GoldArc>& gold, int max_unchanged) {
        const int limit = kept_limit(lattice, max_unchanged);
        return limit == usual ? usual_.find(lattice, source, target, gold, limit) : other_.find(lattice, source, target, gold, limit);
    }

private:
    static constexpr int usual = 2;

    static int kept_limit(const Lattice& lattice, int max_unchanged) { return std::min({max_unchanged, lattice.rows() - 1, lattice.columns() - 1}); }

    OnePassWith<usual> usual_;
    OnePassWith<any_limit> other_;
};

}  // namespace errata
