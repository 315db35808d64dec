// The phrase edits that start at one vertex, as the official scorer stores them.
//
// The official scorer computes the transitive closure of the lattice: it visits middle vertices in order and stores an arc if two
// consecutive arcs give a shorter one than before, with at most `max_unchanged` kept tokens.  The order of vertices is topological,
// so the second of the two is always a unit arc.  One sweep over the vertices after a vertex therefore finds all arcs out of it; the
// predecessors are taken in order: diagonal, deletion, insertion.  If a later predecessor gives a shorter arc, it is stored again,
// and the scorer adds its epsilon for each copy: `copies`.
#pragma once

#include "levenshtein.hpp"

namespace errata {

struct StoredArc {
    int units = 0;    // number of unit arcs, including kept tokens
    int kept = 0;     // number of kept tokens
    int copies = 0;   // how often the official scorer stores it; 0: not at all
    bool changes = false;
    std::uint8_t through = 0;  // the kinds of last unit arc with which it was stored; 0 for a unit arc itself
};

class StoredArcs {
public:
    // Calls visit(i, j, arc) for every arc from (start_i, start_j) into the box up to (end_i, end_j), in order, until it returns false.
    template <typename Visit>
    void from(const Lattice& lattice, const Tokens& source, const Tokens& target, int start_i, int start_j, int end_i, int end_j,
              int max_unchanged, Visit&& visit) {
        const auto width = static_cast<std::size_t>(end_j - start_j + 1);
        std::fill_n(above_.begin(), touched_, StoredArc{});
        std::fill_n(here_.begin(), touched_, StoredArc{});
        touched_ = 0;
        if (above_.size() < width) {
            above_.resize(width);
            here_.resize(width);
        }
        int above_first = 0, above_last = -1;  // columns of the row above (from start_j) with arcs
        for (int i = start_i; i <= end_i; ++i) {
            int first = static_cast<int>(width), last = -1;
            if (i == start_i) first = last = 0;  // the start itself: no arc, but arcs continue from it
            const int begin = i == start_i ? 1 : above_first;
            for (int c = begin; c < static_cast<int>(width); ++c) {
                const bool from_above = c <= above_last + 1, from_left = last == c - 1;
                if (!from_above && !from_left) break;
                const int j = start_j + c;
                StoredArc arc;
                if (lattice.contains(i, j)) {
                    const std::size_t column = static_cast<std::size_t>(c);
                    if (i > start_i && c > 0) {
                        const bool kept = same(source[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]);
                        extend(arc, above_[column - 1], i - 1 == start_i && c == 1, lattice.copies(i, j, diagonal_arc), diagonal_arc, kept, max_unchanged);
                    }
                    if (i > start_i) extend(arc, above_[column], i - 1 == start_i && c == 0, lattice.copies(i, j, deletion_arc), deletion_arc, false, max_unchanged);
                    if (c > 0) extend(arc, here_[column - 1], i == start_i && c == 1, lattice.copies(i, j, insertion_arc), insertion_arc, false, max_unchanged);
                }
                here_[static_cast<std::size_t>(c)] = arc;
                touched_ = std::max(touched_, static_cast<std::size_t>(c) + 1);
                if (arc.copies == 0) continue;
                first = std::min(first, c);
                last = c;
                if ((arc.changes || arc.units == 1) && !visit(i, j, arc)) return;
            }
            report_work(static_cast<std::size_t>(std::max(0, last - begin) + 1));
            if (last < 0) return;
            for (int c = above_first; c <= above_last; ++c) above_[static_cast<std::size_t>(c)] = StoredArc{};
            above_.swap(here_);
            above_first = first;
            above_last = last;
        }
    }

    // The arc between two given vertices; copies == 0 if there is none.
    StoredArc between(const Lattice& lattice, const Tokens& source, const Tokens& target, int start_i, int start_j, int end_i, int end_j,
                      int max_unchanged) {
        StoredArc found;
        from(lattice, source, target, start_i, start_j, end_i, end_j, max_unchanged, [&](int i, int j, const StoredArc& arc) {
            if (i == end_i && j == end_j) found = arc;
            return true;
        });
        return found;
    }

private:
    static void extend(StoredArc& arc, const StoredArc& before, bool from_start, int unit_copies, std::uint8_t kind, bool kept, int max_unchanged) {
        if (unit_copies == 0) return;
        if (from_start) {
            arc = StoredArc{1, kept ? 1 : 0, unit_copies, !kept, 0};
        } else if (before.copies != 0 && (arc.copies == 0 || before.units + 1 < arc.units) && before.kept + (kept ? 1 : 0) <= max_unchanged) {
            arc = StoredArc{before.units + 1, before.kept + (kept ? 1 : 0), arc.copies + 1, before.changes || !kept, static_cast<std::uint8_t>(arc.through | kind)};
        }
    }

    std::vector<StoredArc> above_, here_;  // without arcs from column `touched_` on
    std::size_t touched_ = 0;
};

}  // namespace errata
