// The arcs of the lattice that count as gold edits.
//
// An arc matches a gold edit of the same source span if its target text is one of the corrections.  For insertions the official
// scorer uses each gold edit once: it walks over the arcs that insert at a position, in order, alternately from the left and the
// right end.  Each arc gets the first (from the left) or last (from the right) free gold edit that it equals.  After a match the
// arcs that do not continue from the matched one are skipped.
#pragma once

#include <stdexcept>
#include <utility>

#include "limits.hpp"
#include "stored_arcs.hpp"

namespace errata {

struct GoldEdit {
    int start = 0, end = 0;
    std::vector<Tokens> corrections;
};

using GoldEdits = std::vector<GoldEdit>;

// An arc that counts as a match: from (from_i, from_j) to (to_i, to_j).
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

// All arcs that count as a match for one annotator, sorted by end, then start.
struct GoldArcs {
    std::vector<GoldArc> arcs;
    // Whether the insertions at some position can match gold edits in several ways, so that the counts of a path depend on more than
    // its number of matches.
    bool contested = false;
};

class GoldArcFinder {
public:
    explicit GoldArcFinder(std::uint64_t most_work) : most_work_(most_work) {}

    // Begins a sentence, whose annotators share the limit of work.
    void begin() { work_ = 0; }

    // Finds the arcs of one annotator, valid until the next call.
    const GoldArcs& find(const Lattice& lattice, const Tokens& source, const Tokens& target, const GoldEdits& gold, int max_unchanged) {
        std::vector<GoldArc>& arcs = found_.arcs;
        arcs.clear();
        found_.contested = false;
        insertions_.clear();
        spans_.clear();
        for (int g = 0; g < static_cast<int>(gold.size()); ++g) {
            const GoldEdit& edit = gold[static_cast<std::size_t>(g)];
            if (edit.start == edit.end)
                insertions_.emplace_back(edit.start, g);
            else
                spans_.push_back({edit.start, edit.end, g});
        }
        std::sort(spans_.begin(), spans_.end());
        for (auto first = spans_.begin(); first != spans_.end();) {
            auto last = first;
            while (last != spans_.end() && last->start == first->start && last->end == first->end) ++last;
            collect_texts(gold, first, last, [](const Span& span) { return span.gold; });
            match_spans(lattice, source, target, first->start, first->end, max_unchanged);
            first = last;
        }
        std::sort(insertions_.begin(), insertions_.end());  // by position, then in file order
        for (auto first = insertions_.begin(); first != insertions_.end();) {
            auto last = first;
            while (last != insertions_.end() && last->first == first->first) ++last;
            collect_texts(gold, first, last, [](const std::pair<int, int>& insertion) { return insertion.second; });
            walk_insertions(lattice, target, first->first, gold.size());
            first = last;
        }
        std::sort(arcs.begin(), arcs.end());
        arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
        return found_;
    }

private:
    struct Span {
        int start, end, gold;
        bool operator<(const Span& o) const { return std::pair(std::pair(start, end), gold) < std::pair(std::pair(o.start, o.end), o.gold); }
    };
    // A correction of some gold edits of one span, and those edits in file order.
    struct Text {
        const Tokens* tokens;
        std::vector<int> gold;
        std::size_t first = 0, last = 0;  // the range of edits that are still free
    };

    template <typename Iterator, typename GoldOf>
    void collect_texts(const GoldEdits& gold, Iterator first, Iterator last, GoldOf gold_of) {
        uses_.clear();
        for (auto item = first; item != last; ++item)
            for (const Tokens& text : gold[static_cast<std::size_t>(gold_of(*item))].corrections) uses_.emplace_back(&text, gold_of(*item));
        std::sort(uses_.begin(), uses_.end(), [](const auto& a, const auto& b) {
            return *a.first != *b.first ? *a.first < *b.first : a.second < b.second;
        });
        texts_.clear();
        for (const auto& [tokens, g] : uses_) {
            if (texts_.empty() || *texts_.back().tokens != *tokens) texts_.push_back({tokens, {}, 0, 0});
            if (texts_.back().gold.empty() || texts_.back().gold.back() != g) texts_.back().gold.push_back(g);
        }
        for (Text& text : texts_) text.last = text.gold.size();
    }

    void add_work(std::uint64_t units) {
        report_work(units);
        work_ += units;
        if (work_ > most_work_)
            throw std::overflow_error("its gold edits span too many tokens, with corrections that occur at too many positions, to be matched in seconds");
    }

    // The words of all texts, and one more for each: what is compared at a position.
    std::uint64_t words() const {
        std::uint64_t found = 0;
        for (const Text& text : texts_) found += text.tokens->size() + 1;
        return found;
    }

    // From each vertex where a text begins, one sweep finds the columns of the end row where an arc ends.
    void match_spans(const Lattice& lattice, const Tokens& source, const Tokens& target, int start, int end, int max_unchanged) {
        add_work(static_cast<std::uint64_t>(lattice.last_column(start) - lattice.first_column(start) + 1) * words());
        for (int j = lattice.first_column(start); j <= lattice.last_column(start); ++j) {
            if (!lattice.contains(start, j)) continue;
            int farthest = -1;
            for (const Text& text : texts_) {
                const int to = j + static_cast<int>(text.tokens->size());
                if (to > farthest && to < lattice.columns() && lattice.contains(end, to) && text_at(target, j, *text.tokens)) farthest = to;
            }
            if (farthest < 0) continue;
            arrives_.assign(static_cast<std::size_t>(farthest - j + 1), 0);
            add_work(static_cast<std::uint64_t>(end - start + 1) * static_cast<std::uint64_t>(farthest - j + 1));
            stored_.from(lattice, source, target, start, j, end, farthest, max_unchanged, [&](int to_i, int to_j, const StoredArc& arc) {
                if (to_i == end && arc.changes) arrives_[static_cast<std::size_t>(to_j - j)] = 1;
                return true;
            });
            for (const Text& text : texts_) {
                const std::size_t length = text.tokens->size();
                if (length < arrives_.size() && arrives_[length] != 0 && text_at(target, j, *text.tokens))
                    found_.arcs.push_back({start, j, end, j + static_cast<int>(length)});
            }
        }
    }

    // Arcs that insert at one position are numbered in the order of (from, to), a unit arc of both matrices twice.  Only arcs that
    // equal a gold text change the walk, so it jumps from one of those to the next.
    void walk_insertions(const Lattice& lattice, const Tokens& target, int position, std::size_t gold_count) {
        const int columns = lattice.columns();
        add_work(static_cast<std::uint64_t>(columns) * words());
        number_insertions(lattice, position);
        candidates_.clear();
        for (std::size_t t = 0; t < texts_.size(); ++t) {
            const int length = static_cast<int>(texts_[t].tokens->size());
            for (int j = 0; length > 0 && j + length < columns; ++j) {
                if (run_end_[static_cast<std::size_t>(j)] < j + length || !text_at(target, j, *texts_[t].tokens)) continue;
                candidates_.push_back({number(j, j + length), j, j + length, t});
                if (texts_[t].gold.size() > 1) found_.contested = true;
            }
        }
        const std::size_t distinct = candidates_.size();
        for (std::size_t c = 0; c < distinct; ++c) {  // the second copy of a unit arc
            Candidate again = candidates_[c];
            ++again.number;
            if (again.to == again.from + 1 && twice_[static_cast<std::size_t>(again.from)] != 0) candidates_.push_back(again);
        }
        std::sort(candidates_.begin(), candidates_.end());
        taken_.assign(gold_count, 0);
        std::size_t matched = 0;
        std::int64_t left = 0, right = before_[static_cast<std::size_t>(columns)] - 1;
        bool from_left = true;
        while (left <= right) {
            const auto next_left = std::lower_bound(candidates_.begin(), candidates_.end(), Candidate{left, 0, 0, 0});
            auto next_right = std::upper_bound(candidates_.begin(), candidates_.end(), Candidate{right, 0, 0, 0});
            if (next_left == next_right) break;  // no candidate between the two ends
            --next_right;
            // The number of turns until each end is at a candidate; this turn is 0.
            const std::int64_t left_turn = 2 * (next_left->number - left) + (from_left ? 0 : 1);
            const std::int64_t right_turn = 2 * (right - next_right->number) + (from_left ? 1 : 0);
            const std::int64_t turn = std::min(left_turn, right_turn);
            left += (turn + (from_left ? 1 : 0)) / 2;
            right -= (turn + (from_left ? 0 : 1)) / 2;
            if (left > right) break;
            from_left = left_turn <= right_turn;
            const Candidate arc = from_left ? *next_left : *next_right;
            const bool match = take_gold(texts_[arc.text], from_left);
            if (match) {
                found_.arcs.push_back({position, arc.from, position, arc.to});
                ++matched;
            }
            if (from_left) {
                if (match && run_end_[static_cast<std::size_t>(arc.to)] == arc.to) break;  // nothing continues from it
                left = match ? before_[static_cast<std::size_t>(arc.to)] : left + 1;
            } else {
                if (match && (arc.from == 0 || run_end_[static_cast<std::size_t>(arc.from - 1)] == arc.from - 1)) break;
                right = match ? before_[static_cast<std::size_t>(arc.from - 1)] + twice_[static_cast<std::size_t>(arc.from - 1)] : right - 1;
            }
            from_left = !from_left;
        }
        if (matched != distinct) found_.contested = true;
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
        std::size_t text;
        bool operator<(const Candidate& o) const { return number < o.number; }
    };

    // Takes the first or last free gold edit with this text.
    bool take_gold(Text& text, bool from_left) {
        while (text.first < text.last && taken_[static_cast<std::size_t>(text.gold[text.first])] != 0) ++text.first;
        while (text.first < text.last && taken_[static_cast<std::size_t>(text.gold[text.last - 1])] != 0) --text.last;
        if (text.first == text.last) return false;
        taken_[static_cast<std::size_t>(text.gold[from_left ? text.first : text.last - 1])] = 1;
        return true;
    }

    GoldArcs found_;
    StoredArcs stored_;
    std::uint64_t most_work_, work_ = 0;
    std::vector<std::pair<int, int>> insertions_;
    std::vector<Span> spans_;
    std::vector<std::pair<const Tokens*, int>> uses_;
    std::vector<Text> texts_;
    std::vector<int> arrives_, run_end_, twice_, taken_;
    std::vector<std::int64_t> before_;
    std::vector<Candidate> candidates_;
};

}  // namespace errata
