// The edits between two token sequences, without gold.
//
// Of all alignments with the fewest insertions, deletions and substitutions, one with the fewest edits is taken; an edit is a
// longest stretch without kept tokens.  Ties are decided from the end: a diagonal before a deletion before an insertion.
#pragma once

#include "levenshtein.hpp"

namespace errata {

struct Difference {
    int start, end, target_start, target_end;
};

inline std::vector<Difference> align(const Tokens& source, const Tokens& target) {
    Lattice lattice;
    lattice.build(source, target);
    const int last_i = lattice.rows() - 1, last_j = lattice.columns() - 1;
    const std::size_t cells = lattice.index(last_i, last_j) + 1;
    constexpr std::int32_t infinite = 1 << 30;
    // The fewest edits up to a vertex, if the last arc kept a token (or the vertex is the first), and if it was a change.
    std::vector<std::int32_t> after_keep(cells, infinite), after_change(cells, infinite);
    after_keep[0] = 0;
    const auto open = [&](std::size_t from) { return std::min(after_keep[from] + 1, after_change[from]); };
    const auto kept = [&](int i, int j) { return same(source[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]); };
    for (int i = 0; i <= last_i; ++i) {
        report_work(static_cast<std::size_t>(lattice.last_column(i) - lattice.first_column(i) + 1));
        for (int j = lattice.first_column(i); j <= lattice.last_column(i); ++j) {
            const std::size_t here = lattice.index(i, j);
            if (lattice.in_first(i, j, diagonal_arc)) {
                const std::size_t from = lattice.index(i - 1, j - 1);
                if (kept(i, j))
                    after_keep[here] = std::min(after_keep[from], after_change[from]);
                else
                    after_change[here] = open(from);
            }
            if (lattice.in_first(i, j, deletion_arc)) after_change[here] = std::min(after_change[here], open(lattice.index(i - 1, j)));
            if (lattice.in_first(i, j, insertion_arc)) after_change[here] = std::min(after_change[here], open(lattice.index(i, j - 1)));
        }
    }
    std::vector<Difference> found;
    int i = last_i, j = last_j;
    bool inside = after_change[cells - 1] < after_keep[cells - 1];
    if (inside) found.push_back({i, i, j, j});
    while (i != 0 || j != 0) {
        const std::size_t here = lattice.index(i, j);
        if (!inside) {
            --i;
            --j;
            const std::size_t from = lattice.index(i, j);
            inside = after_change[from] < after_keep[from];
            if (inside) found.push_back({i, i, j, j});
            continue;
        }
        if (lattice.in_first(i, j, diagonal_arc) && !kept(i, j) && open(lattice.index(i - 1, j - 1)) == after_change[here]) {
            --i;
            --j;
        } else if (lattice.in_first(i, j, deletion_arc) && open(lattice.index(i - 1, j)) == after_change[here]) {
            --i;
        } else {
            --j;
        }
        found.back().start = i;
        found.back().target_start = j;
        const std::size_t from = lattice.index(i, j);
        inside = after_change[from] == open(from);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace errata
