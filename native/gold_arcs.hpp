// Which arcs of the lattice count as gold edits.
//
// An arc matches a gold edit of the same source span if its target text is one of the corrections.  For insertions the
// official scorer lets each gold edit be used once: it walks the arcs that insert at a position, in order, taking turns from
// the left and the right end, gives each arc the first (from the left) or last (from the right) free gold edit it
// equals, and after a match passes over the arcs that do not continue from the matched one.
#pragma once

#include <utility>

#include "stored_arcs.hpp"

namespace errata {

struct GoldEdit {
    int start = 0, end = 0;
    std::vector<Tokens> corrections;
};

using GoldEdits = std::vector<GoldEdit>;

// An arc that weighs as a match: from (from_i, from_j) to (to_i, to_j).
struct GoldArc {
    int from_i, from_j, to_i, to_j;
    bool operator<(const GoldArc& o) const {
        return std::pair(std::pair(to_i, to_j), std::pair(from_i, from_j)) < std::pair(std::pair(o.to_i, o.to_j), std::pair(o.from_i, o.from_j));
    }
    bool operator==(const GoldArc& o) const { return !(*this < o) && !(o < *this); }
};

inline bool text_at(const Tokens& target, int j, const Tokens& text) {
    if (static_cast<std::size_t>(j) + text.size() > target.size()) return false;
    for (std::size_t k = 0; k < text.size(); ++k)
        if (!same(target[static_cast<std::size_t>(j) + k], text[k])) return false;
    return true;
}

inline bool corrects_to(const GoldEdit& gold, const Tokens& target, int from, int to) {
    for (const Tokens& text : gold.corrections)
        if (text.size() == static_cast<std::size_t>(to - from) && text_at(target, from, text)) return true;
    return false;
}

class GoldArcs {
public:
    // Sorted by end, then start.  `contested` tells that the insertions at some position could have been given
    // to gold edits in more than one way, so that the counts of a path depend on more than its number of matches.
    std::vector<GoldArc> arcs;
    bool contested = false;

    void find(const Lattice& lattice, const Tokens& source, const Tokens& target, const GoldEdits& gold, int max_unchanged) {
        arcs.clear();
        contested = false;
        insertions_.clear();
        for (int g = 0; g < static_cast<int>(gold.size()); ++g) {
            const GoldEdit& edit = gold[static_cast<std::size_t>(g)];
            if (edit.start == edit.end)
                insertions_.emplace_back(edit.start, g);
            else
                match_span(lattice, source, target, edit, max_unchanged);
        }
        std::sort(insertions_.begin(), insertions_.end());  // by position, then in file order
        for (auto first = insertions_.begin(); first != insertions_.end();) {
            const int position = first->first;
            free_.clear();
            for (; first != insertions_.end() && first->first == position; ++first) free_.push_back(first->second);
            walk_insertions(lattice, target, gold, position);
        }
        std::sort(arcs.begin(), arcs.end());
        arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
    }

private:
    void match_span(const Lattice& lattice, const Tokens& source, const Tokens& target, const GoldEdit& gold, int max_unchanged) {
        for (const Tokens& text : gold.corrections) {
            const int length = static_cast<int>(text.size());
            for (int j = lattice.first_column(gold.start); j <= lattice.last_column(gold.start) && j + length < lattice.columns(); ++j) {
                if (!lattice.contains(gold.start, j) || !lattice.contains(gold.end, j + length) || !text_at(target, j, text)) continue;
                const StoredArc arc = stored_.between(lattice, source, target, gold.start, j, gold.end, j + length, max_unchanged);
                if (arc.copies != 0 && arc.changes) arcs.push_back({gold.start, j, gold.end, j + length});
            }
        }
    }

    // Arcs that insert at one position are numbered in order of (from, to), a unit arc of both matrices twice.  Only the few
    // that equal a gold text can change the walk, so it jumps from one of those to the next.  `free_` has the gold edits.
    void walk_insertions(const Lattice& lattice, const Tokens& target, const GoldEdits& gold, int position) {
        const int columns = lattice.columns();
        number_insertions(lattice, position);
        candidates_.clear();
        for (const int g : free_) {
            for (const Tokens& text : gold[static_cast<std::size_t>(g)].corrections) {
                const int length = static_cast<int>(text.size());
                for (int j = 0; length > 0 && j + length < columns; ++j)
                    if (run_end_[static_cast<std::size_t>(j)] >= j + length && text_at(target, j, text)) candidates_.push_back({number(j, j + length), j, j + length});
            }
        }
        std::sort(candidates_.begin(), candidates_.end());
        const std::size_t found = candidates_.size();
        candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
        if (candidates_.size() != found) contested = true;
        const std::size_t distinct = candidates_.size();
        for (std::size_t c = 0; c < distinct; ++c)  // the second copy of a unit arc
            if (candidates_[c].to == candidates_[c].from + 1 && twice_[static_cast<std::size_t>(candidates_[c].from)])
                candidates_.push_back({candidates_[c].number + 1, candidates_[c].from, candidates_[c].to});
        std::sort(candidates_.begin(), candidates_.end());

        std::size_t matched = 0;
        std::int64_t left = 0, right = before_[static_cast<std::size_t>(columns)] - 1;
        bool from_left = true;
        while (left <= right) {
            const auto next_left = std::lower_bound(candidates_.begin(), candidates_.end(), Candidate{left, 0, 0}, by_number);
            auto next_right = std::upper_bound(candidates_.begin(), candidates_.end(), Candidate{right, 0, 0}, by_number);
            if (next_left == next_right) break;  // no candidate between the two ends
            --next_right;
            // Turns until each end stands on a candidate, this turn being 0.
            const std::int64_t left_turn = 2 * (next_left->number - left) + (from_left ? 0 : 1);
            const std::int64_t right_turn = 2 * (right - next_right->number) + (from_left ? 1 : 0);
            const std::int64_t turn = std::min(left_turn, right_turn);
            const std::int64_t left_visits = (turn + (from_left ? 1 : 0)) / 2, right_visits = (turn + (from_left ? 0 : 1)) / 2;
            left += left_visits;
            right -= right_visits;
            if (left > right) break;
            from_left = left_turn <= right_turn;
            const Candidate arc = from_left ? *next_left : *next_right;
            const bool match = take_gold(gold, target, arc, from_left);
            if (match) {
                arcs.push_back({position, arc.from, position, arc.to});
                ++matched;
            }
            if (from_left) {
                left = match ? before_[static_cast<std::size_t>(arc.to)] : left + 1;
                if (match && run_end_[static_cast<std::size_t>(arc.to)] == arc.to) break;  // nothing continues from it
            } else {
                if (match && (arc.from == 0 || run_end_[static_cast<std::size_t>(arc.from - 1)] == arc.from - 1)) break;
                right = match ? before_[static_cast<std::size_t>(arc.from - 1)] + (twice_[static_cast<std::size_t>(arc.from - 1)] ? 1 : 0) : right - 1;
            }
            from_left = !from_left;
        }
        if (matched != distinct) contested = true;
    }

    void number_insertions(const Lattice& lattice, int position) {
        const auto columns = static_cast<std::size_t>(lattice.columns());
        run_end_.assign(columns, 0);
        twice_.assign(columns, 0);
        before_.assign(columns + 1, 0);
        for (int j = lattice.columns() - 1; j >= 0; --j) {
            const bool inside = j + 1 < lattice.columns() && lattice.contains(position, j + 1);
            const int copies = inside ? lattice.copies(position, j + 1, insertion_arc) : 0;
            run_end_[static_cast<std::size_t>(j)] = copies == 0 ? j : run_end_[static_cast<std::size_t>(j) + 1];
            twice_[static_cast<std::size_t>(j)] = copies == 2 ? 1 : 0;
        }
        for (std::size_t j = 0; j < columns; ++j)
            before_[j + 1] = before_[j] + (run_end_[j] - static_cast<int>(j)) + twice_[j];
    }

    std::int64_t number(int from, int to) const {
        return before_[static_cast<std::size_t>(from)] + (to - from - 1) + (to > from + 1 ? twice_[static_cast<std::size_t>(from)] : 0);
    }

    struct Candidate {
        std::int64_t number;
        int from, to;
        bool operator<(const Candidate& o) const { return number < o.number; }
        bool operator==(const Candidate& o) const { return number == o.number; }
    };
    static bool by_number(const Candidate& a, const Candidate& b) { return a.number < b.number; }

    bool take_gold(const GoldEdits& gold, const Tokens& target, const Candidate& arc, bool from_left) {
        const std::size_t count = free_.size();
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t place = from_left ? k : count - 1 - k;
            if (!corrects_to(gold[static_cast<std::size_t>(free_[place])], target, arc.from, arc.to)) continue;
            free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(place));
            return true;
        }
        return false;
    }

    StoredArcs stored_;
    std::vector<std::pair<int, int>> insertions_;
    std::vector<int> run_end_, free_;
    std::vector<int> twice_;
    std::vector<std::int64_t> before_;
    std::vector<Candidate> candidates_;
};

}  // namespace errata
