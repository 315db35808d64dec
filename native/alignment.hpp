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

class Aligner {
public:
    // The edits in order, valid until the next call.
    const std::vector<Difference>& align(const Tokens& source, const Tokens& target) {
        found_.clear();
        if (source.size() == target.size() && std::equal(source.begin(), source.end(), target.begin(), same)) return found_;
        lattice_.build(source, target);
        count_edits(source, target);
        trace(source, target);
        return found_;
    }

private:
    static constexpr std::int32_t infinite = 1 << 30;

    // The fewest edits up to a vertex, if the last arc kept a token (or the vertex is the first), and if it was a change.
    struct Fewest {
        std::int32_t after_keep = infinite, after_change = infinite;
        std::int32_t open() const { return std::min(after_keep + 1, after_change); }
        bool changed_last() const { return after_change < after_keep; }
    };

    Fewest& fewest(int i, int j) { return fewest_[lattice_.slot(i, j)]; }

    void count_edits(const Tokens& source, const Tokens& target) {
        fewest_.assign(lattice_.slots(), Fewest{});
        fewest_[0].after_keep = 0;
        report_work(lattice_.slots());
        for (int i = 0; i < lattice_.rows(); ++i) {
            for (int j = lattice_.first_column(i); j <= lattice_.last_column(i); ++j) {
                Fewest& here = fewest(i, j);
                if (lattice_.in_first(i, j, diagonal_arc)) {
                    const Fewest& from = fewest(i - 1, j - 1);
                    if (same(source[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]))
                        here.after_keep = std::min(from.after_keep, from.after_change);
                    else
                        here.after_change = from.open();
                }
                if (lattice_.in_first(i, j, deletion_arc)) here.after_change = std::min(here.after_change, fewest(i - 1, j).open());
                if (lattice_.in_first(i, j, insertion_arc)) here.after_change = std::min(here.after_change, fewest(i, j - 1).open());
            }
        }
    }

    void trace(const Tokens& source, const Tokens& target) {
        int i = lattice_.rows() - 1, j = lattice_.columns() - 1;
        bool inside = fewest(i, j).changed_last();
        if (inside) found_.push_back({i, i, j, j});
        while (i != 0 || j != 0) {
            if (!inside) {
                --i;
                --j;
                inside = fewest(i, j).changed_last();
                if (inside) found_.push_back({i, i, j, j});
                continue;
            }
            const std::int32_t edits = fewest(i, j).after_change;
            const bool substitutes = lattice_.in_first(i, j, diagonal_arc) && !same(source[static_cast<std::size_t>(i - 1)], target[static_cast<std::size_t>(j - 1)]);
            if (substitutes && fewest(i - 1, j - 1).open() == edits) {
                --i;
                --j;
            } else if (lattice_.in_first(i, j, deletion_arc) && fewest(i - 1, j).open() == edits) {
                --i;
            } else {
                --j;
            }
            found_.back().start = i;
            found_.back().target_start = j;
            inside = fewest(i, j).after_change == fewest(i, j).open();
        }
        std::reverse(found_.begin(), found_.end());
    }

    Lattice lattice_;
    std::vector<Fewest> fewest_;
    std::vector<Difference> found_;
};

inline std::vector<Difference> align(const Tokens& source, const Tokens& target) { return Aligner().align(source, target); }

}  // namespace errata
