// MaxMatch: the edits of a hypothesis that overlap most with one annotator's gold edits, and their counts.
//
// The one pass is tried first.  Where it cannot prove that the official scorer would count the same (paths of equal weight
// with other counts, an edit that the scorer stores twice or not at all, insertions that several gold edits claim),
// the literal search decides, up to `literal_limit` vertices.  A lattice larger than that is beyond what the official
// scorer finishes in minutes; there the one pass stands.
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
    static constexpr std::size_t literal_limit = 1000;

    // One source and hypothesis; then any number of annotators.
    void prepare(const Tokens& source, const Tokens& target) {
        source_ = &source;
        target_ = &target;
        unchanged_ = source.size() == target.size() && std::equal(source.begin(), source.end(), target.begin(), same);
        if (!unchanged_) lattice_.build(source, target);
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

    // The very edits of the official scorer, not only as many.
    const std::vector<MatchedEdit>& edits(const GoldEdits& gold, int max_unchanged) { return find(gold, max_unchanged, true); }

private:
    const std::vector<MatchedEdit>& find(const GoldEdits& gold, int max_unchanged, bool the_very_edits) {
        matched_.clear();
        if (unchanged_) return matched_;
        gold_arcs_.find(lattice_, *source_, *target_, gold, max_unchanged);
        const bool small = lattice_.vertices() <= literal_limit;
        if (!small || !the_very_edits) one_pass_.find(lattice_, *source_, *target_, gold_arcs_.arcs, max_unchanged);
        if (small && (the_very_edits || !proven(max_unchanged))) {
            literal_.find(lattice_, *source_, *target_, gold_arcs_.arcs, max_unchanged);
            match(literal_.edits, gold);
        } else {
            match(one_pass_.edits, gold);
        }
        return matched_;
    }

    bool proven(int max_unchanged) {
        if (one_pass_.ambiguous || gold_arcs_.contested) return false;
        for (const PathEdit& edit : one_pass_.edits) {
            if (edit.gold || edit.units == 1) continue;
            const StoredArc arc =
                stored_.between(lattice_, *source_, *target_, edit.start, edit.target_start, edit.end, edit.target_end, max_unchanged);
            if (arc.copies != 1 || arc.units != edit.units) return false;
        }
        return true;
    }

    // Edits in order; each takes the first gold edit in the file that it equals and that is still free.
    void match(const std::vector<PathEdit>& path, const GoldEdits& gold) {
        taken_.assign(gold.size(), 0);
        for (const PathEdit& edit : path) {
            MatchedEdit matched{edit.start, edit.end, edit.target_start, edit.target_end, -1};
            for (std::size_t g = 0; g < gold.size() && matched.gold < 0; ++g) {
                if (taken_[g] != 0 || gold[g].start != edit.start || gold[g].end != edit.end) continue;
                if (!corrects_to(gold[g], *target_, edit.target_start, edit.target_end)) continue;
                taken_[g] = 1;
                matched.gold = static_cast<int>(g);
            }
            matched_.push_back(matched);
        }
    }

    const Tokens* source_ = nullptr;
    const Tokens* target_ = nullptr;
    bool unchanged_ = false;
    Lattice lattice_;
    StoredArcs stored_;
    GoldArcs gold_arcs_;
    OnePass one_pass_;
    Literal literal_;
    std::vector<MatchedEdit> matched_;
    std::vector<int> taken_;
};

}  // namespace errata
