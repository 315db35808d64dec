// MaxMatch: the edits of a hypothesis that match one annotator's gold edits best, and their counts.
//
// The one pass is tried first.  If it does not prove that the official scorer has the same counts (paths of equal weight with
// other counts, an edit that the scorer stores twice or not at all, insertions that several gold edits claim), the literal search
// is used.  If that has too many arcs, the result of the one pass is used.
#pragma once

#include "literal.hpp"

namespace errata {

struct Counts {
    std::int64_t correct = 0, proposed = 0, gold = 0;
};

// An edit of the hypothesis and the gold edit it equals, -1 for none.
struct MatchedEdit {
    int start, end, target_start, target_end, gold;
};

class MaxMatch {
public:
    explicit MaxMatch(const MaxMatchLimits& limits = {}) : gold_arcs_(limits.work), one_pass_(limits.steps), literal_(limits.arcs), most_searched_(limits.searched) {}

    // Prepares a source and a hypothesis; any number of annotators may follow.
    void prepare(const Tokens& source, const Tokens& target) {
        source_ = &source;
        target_ = &target;
        unchanged_ = source.size() == target.size() && std::equal(source.begin(), source.end(), target.begin(), same);
        if (!unchanged_) lattice_.build(source, target);
        plain_known_ = false;
        gold_arcs_.begin();
        literal_.begin();
        searched_ = 0;
    }

    Counts counts(const GoldEdits& gold, int max_unchanged) {
        Counts counts;
        counts.gold = static_cast<std::int64_t>(gold.size());
        for (const MatchedEdit& edit : find(gold, max_unchanged, false)) {
            ++counts.proposed;
            counts.correct += edit.gold >= 0;
        }
        return counts;
    }

    // Whether the one pass proved the last counts, so that they are sums over the parts between cuts.
    bool proven() const { return proven_; }

    // Whether a gold edit can match any edit of the hypothesis.
    bool can_match(const GoldEdit& edit, int max_unchanged) {
        if (unchanged_) return false;
        one_edit_.assign(1, edit);
        const GoldArcs& arcs = gold_arcs_.find(lattice_, *source_, *target_, one_edit_, max_unchanged);
        return !arcs.arcs.empty() || arcs.contested;
    }

    // The positions of the source that no edit needs to reach over, unless it is gold: all paths keep the same token before and after
    // them, and keep so many tokens around them that no edit has changes on both sides.
    std::vector<int> cuts(int max_unchanged) const {
        std::vector<int> found;
        if (unchanged_) return found;
        for (int first = 0; first < lattice_.rows(); ++first) {
            int last = first;
            while (last + 1 < lattice_.rows() && only_kept(last)) ++last;
            if (last - first > max_unchanged)
                for (int position = first + 1; position < last; ++position) found.push_back(position);
            first = last;
        }
        return found;
    }

    // The same edits as the official scorer, not only the same number; valid until the next call.
    const std::vector<MatchedEdit>& edits(const GoldEdits& gold, int max_unchanged) { return find(gold, max_unchanged, true); }

private:
    // Whether all paths lead through one vertex of this row and one of the next, and keep the token between them.
    bool only_kept(int i) const {
        const int j = lattice_.first_column(i);
        return lattice_.last_column(i) == j && lattice_.first_column(i + 1) == j + 1 && lattice_.last_column(i + 1) == j + 1 &&
               same((*source_)[static_cast<std::size_t>(i)], (*target_)[static_cast<std::size_t>(j)]);
    }

    const std::vector<MatchedEdit>& find(const GoldEdits& gold, int max_unchanged, bool the_very_edits) {
        matched_.clear();
        proven_ = true;
        if (unchanged_) return matched_;
        const GoldArcs& arcs = gold_arcs_.find(lattice_, *source_, *target_, gold, max_unchanged);
        if (the_very_edits) {
            const auto* followed = search_literally(arcs, max_unchanged);
            return match(followed != nullptr ? *followed : search_in_one_pass(arcs, max_unchanged).edits, gold);
        }
        if (!arcs.arcs.empty() || arcs.contested) return match(quickest(arcs, max_unchanged), gold);
        // Annotators without a match all have the same edits.
        if (!plain_known_ || plain_max_unchanged_ != max_unchanged) {
            plain_ = quickest(arcs, max_unchanged);
            plain_max_unchanged_ = max_unchanged;
            plain_known_ = true;
            plain_proven_ = proven_;
        }
        proven_ = plain_proven_;
        return match(plain_, gold);
    }

    const std::vector<PathEdit>& quickest(const GoldArcs& arcs, int max_unchanged) {
        const Path& path = search_in_one_pass(arcs, max_unchanged);
        proven_ = !arcs.contested && stored_as_found(path, max_unchanged);
        if (proven_) return path.edits;
        const auto* followed = search_literally(arcs, max_unchanged);
        return followed != nullptr ? *followed : path.edits;
    }

    const Path& search_in_one_pass(const GoldArcs& arcs, int max_unchanged) {
        add_searched(OnePass::steps(lattice_, max_unchanged));
        return one_pass_.find(lattice_, *source_, *target_, arcs.arcs, max_unchanged);
    }

    const std::vector<PathEdit>* search_literally(const GoldArcs& arcs, int max_unchanged) {
        const auto* followed = literal_.find(lattice_, *source_, *target_, arcs.arcs, max_unchanged);
        add_searched(literal_.visited());
        return followed;
    }

    void add_searched(std::uint64_t units) {
        searched_ += units;
        if (searched_ > most_searched_)
            throw std::overflow_error("it takes too long to be searched, with its length, its annotators and max_unchanged; cut the sentence, or leave some out");
    }

    // Whether the official scorer has the edits of the path with the same weights, and no other path of that weight with other counts.
    bool stored_as_found(const Path& path, int max_unchanged) {
        if (path.ambiguous) return false;
        for (const PathEdit& edit : path.edits) {
            if (edit.gold || edit.units == 1) continue;
            const StoredArc arc =
                stored_.between(lattice_, *source_, *target_, edit.start, edit.target_start, edit.end, edit.target_end, max_unchanged);
            if (arc.copies != 1 || arc.units != edit.units) return false;
        }
        return true;
    }

    // Matches edits in order; each takes the first gold edit in the file that it equals and that is still free.
    const std::vector<MatchedEdit>& match(const std::vector<PathEdit>& path, const GoldEdits& gold) {
        by_span_.clear();
        for (std::size_t g = 0; g < gold.size(); ++g) by_span_.push_back({{gold[g].start, gold[g].end}, g});
        std::sort(by_span_.begin(), by_span_.end());
        taken_.assign(gold.size(), 0);
        for (const PathEdit& edit : path) {
            MatchedEdit matched{edit.start, edit.end, edit.target_start, edit.target_end, -1};
            const std::pair<int, int> span{edit.start, edit.end};
            for (auto item = std::lower_bound(by_span_.begin(), by_span_.end(), std::pair{span, std::size_t{0}});
                 item != by_span_.end() && item->first == span && matched.gold < 0; ++item) {
                if (taken_[item->second] != 0 || !corrects_to(gold[item->second], *target_, edit.target_start, edit.target_end)) continue;
                taken_[item->second] = 1;
                matched.gold = static_cast<int>(item->second);
            }
            matched_.push_back(matched);
        }
        return matched_;
    }

    const Tokens* source_ = nullptr;
    const Tokens* target_ = nullptr;
    bool unchanged_ = false;
    bool proven_ = true;
    bool plain_known_ = false, plain_proven_ = false;
    int plain_max_unchanged_ = 0;
    std::vector<PathEdit> plain_;
    Lattice lattice_;
    StoredArcs stored_;
    GoldArcFinder gold_arcs_;
    OnePass one_pass_;
    Literal literal_;
    std::uint64_t most_searched_, searched_ = 0;  // for all annotators of the sentence
    GoldEdits one_edit_;
    std::vector<MatchedEdit> matched_;
    std::vector<std::pair<std::pair<int, int>, std::size_t>> by_span_;
    std::vector<int> taken_;
};

}  // namespace errata
