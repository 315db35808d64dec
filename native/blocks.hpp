// All mixtures of the corrections of a sentence, scored without listing them.
//
// A sentence has sites, positions with several variants of text; a reference has one variant of each.  Between two sites the
// sentence may be cut at a point: after p tokens of the source, q of the hypothesis, and the reference up to there.
// If every optimal alignment of every reference goes through the point, both sides can be aligned separately, their counts are
// summed, and the variants of the two sides can be chosen independently.
//
// This is proved: the sentence is cut at all candidates, and the certificate is computed from the least costs of every choice of
// variants in a block.  Points that fail are dropped.  This does not lower the reduced costs of the others, so these need not be
// checked again.
#pragma once

#include <algorithm>

#include "certificate.hpp"
#include "three_way.hpp"

namespace errata {

struct Site {
    std::size_t start = 0, end = 0;
    std::vector<Tokens> variants;
};

using Sites = std::vector<Site>;

// Sites from `first` to before `last`, and the counts of every choice of their variants, the last site changing fastest.
struct Block {
    std::size_t first, last;
    std::vector<ColumnCounts> counts;
};

class Blocks {
public:
    // At most `most_choices` are tried in a block.
    Blocks(const AlignmentCosts& costs, std::size_t most_choices, const BlocksLimits& limits = {})
        : costs_(costs), most_choices_(most_choices), limits_(limits), three_way_(limits.alignment), certificate_(costs, limits.cells) {}

    // `may_cut` says for each site whether a cut is allowed before it.  Returns nothing if there are too many choices or cells.
    std::vector<Block> solve(const Tokens& source, const Tokens& hypothesis, const Sites& sites, const std::vector<bool>& may_cut) {
        source_ = &source;
        hypothesis_ = &hypothesis;
        sites_ = &sites;
        work_ = 0;
        check_pairs((source.size() + 1) * (hypothesis.size() + 1), limits_.alignment);
        pairs_.build(source, hypothesis, costs_);
        const std::vector<Cut> cuts = candidates(may_cut);
        std::optional<Layout> layout = lay_out(cuts);
        if (!layout) return {};
        if (cuts.size() > 2) {
            const std::vector<Cut> kept = certified(cuts, layout->graph);
            if (kept.size() < cuts.size()) layout = lay_out(kept);
            if (!layout) return {};
        }
        return std::move(layout->blocks);
    }

private:
    // The blocks between cuts, and their texts and least costs.
    struct Layout {
        std::vector<Block> blocks;
        ReferenceGraph graph;
    };

    std::size_t choices(std::size_t first, std::size_t last) const {
        std::size_t product = 1;
        for (std::size_t k = first; k < last && product <= most_choices_; ++k) product *= (*sites_)[k].variants.size();
        return product;
    }

    // The ends, and between two sites the point with the most equal words around it, of those in every optimal alignment of source
    // and hypothesis.
    std::vector<Cut> candidates(const std::vector<bool>& may_cut) const {
        std::vector<Cut> cuts{{0, 0, 0}};
        for (std::size_t site = 1; site < sites_->size(); ++site) {
            if (!may_cut[site]) continue;
            const std::size_t from = (*sites_)[site - 1].end, to = (*sites_)[site].start;
            Cut best{};
            std::pair<std::size_t, std::size_t> most;
            bool found = false;
            for (std::size_t p = from; p <= to; ++p) {
                report_work(hypothesis_->size());
                const std::size_t q = pairs_.only_crossing(p);
                if (q > hypothesis_->size()) continue;
                std::size_t before = 0, after = 0;
                while (before < p - from && before < q && same((*source_)[p - 1 - before], (*hypothesis_)[q - 1 - before])) ++before;
                while (after < to - p && q + after < hypothesis_->size() && same((*source_)[p + after], (*hypothesis_)[q + after])) ++after;
                const std::pair<std::size_t, std::size_t> around{std::min(before, after), before + after};
                if (found && around <= most) continue;
                found = true;
                most = around;
                best = {site, p, q};
            }
            if (found) cuts.push_back(best);
        }
        cuts.push_back({sites_->size(), source_->size(), hypothesis_->size()});
        return cuts;
    }

    // Returns nothing if there are too many choices or cells.
    std::optional<Layout> lay_out(const std::vector<Cut>& cuts) {
        Layout layout;
        for (std::size_t b = 0; b + 1 < cuts.size(); ++b) {
            const Cut &from = cuts[b], &to = cuts[b + 1];
            const std::size_t count = choices(from.site, to.site);
            if (count > most_choices_) return std::nullopt;
            const auto cut_out = [](const Tokens& tokens, std::size_t first, std::size_t last) {
                return Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last));
            };
            const Tokens source = cut_out(*source_, from.p, to.p), hypothesis = cut_out(*hypothesis_, from.q, to.q);
            Block& block = layout.blocks.emplace_back(Block{from.site, to.site, {}});
            std::vector<Branch>& branches = layout.graph.emplace_back();
            three_way_.prepare(source, hypothesis, costs_);
            for (std::size_t choice = 0; choice < count; ++choice) {
                Tokens words = text(from, to, choice);
                const std::optional<AlignedCounts> aligned = three_way_.counts(words, limits_.cells - work_);
                if (!aligned) return std::nullopt;
                work_ += aligned->effort.work;
                block.counts.push_back(aligned->counts);
                branches.push_back({std::move(words), aligned->cost, aligned->with_source, aligned->with_hypothesis});
            }
        }
        return layout;
    }

    // The text of a reference between two cuts.
    Tokens text(const Cut& from, const Cut& to, std::size_t choice) const {
        std::vector<const Tokens*> chosen(to.site - from.site);
        for (std::size_t k = to.site; k-- > from.site;) {
            const std::vector<Tokens>& variants = (*sites_)[k].variants;
            chosen[k - from.site] = &variants[choice % variants.size()];
            choice /= variants.size();
        }
        Tokens result;
        std::size_t at = from.p;
        const auto copy = [&](std::size_t end) {
            for (; at < end; ++at) result.push_back((*source_)[at]);
        };
        for (std::size_t k = from.site; k < to.site; ++k) {
            copy((*sites_)[k].start);
            result.insert(result.end(), chosen[k - from.site]->begin(), chosen[k - from.site]->end());
            at = (*sites_)[k].end;
        }
        copy(to.p);
        return result;
    }

    // The cuts that every optimal alignment with every reference is proved to go through; only the ends if the proof takes too much.
    std::vector<Cut> certified(const std::vector<Cut>& cuts, const ReferenceGraph& graph) {
        std::optional<std::vector<std::int32_t>> missing;
        three_way_.forget();
        if (bounds(graph) <= limits_.bounds) missing = certificate_.least_missing(*source_, *hypothesis_, graph, cuts, pairs_.least());
        std::vector<Cut> kept{cuts.front()};
        for (std::size_t b = 1; missing && b + 1 < cuts.size(); ++b)
            if ((*missing)[b - 1] > 0) kept.push_back(cuts[b]);
        kept.push_back(cuts.back());
        return kept;
    }

    // The number of stored bounds of all branches.
    std::size_t bounds(const ReferenceGraph& graph) const {
        std::size_t words = 0;
        for (const std::vector<Branch>& branches : graph)
            for (const Branch& branch : branches) words += branch.words.size() + 1;
        return words * (source_->size() + hypothesis_->size() + 2);
    }

    AlignmentCosts costs_;
    std::size_t most_choices_, work_ = 0;
    BlocksLimits limits_;
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    const Sites* sites_ = nullptr;
    ThreeWay three_way_;
    Pairwise pairs_;
    Certificate certificate_;
};

// Replaces the counts of the baseline by those of the realigned source; the block consists of whole baseline blocks.
inline void replace_baseline(Block& block, const std::vector<Block>& baseline, const Sites& sites) {
    constexpr std::size_t half = ColumnCounts{}.size() / 2;
    for (ColumnCounts& counts : block.counts) std::fill(counts.begin() + half, counts.end(), 0);
    for (const Block& part : baseline) {
        if (part.first < block.first || part.last > block.last) continue;
        std::size_t step = 1;
        for (std::size_t k = part.last; k < block.last; ++k) step *= sites[k].variants.size();
        for (std::size_t choice = 0; choice < block.counts.size(); ++choice) {
            const ColumnCounts& from = part.counts[choice / step % part.counts.size()];
            for (std::size_t k = 0; k < half; ++k) block.counts[choice][half + k] += from[k];
        }
    }
}

// The first choice of every distinct row of counts.
inline std::vector<std::size_t> distinct(const Block& block) {
    std::vector<std::size_t> order(block.counts.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto before = [&](std::size_t a, std::size_t b) { return block.counts[a] < block.counts[b]; };
    std::stable_sort(order.begin(), order.end(), before);
    order.erase(std::unique(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return block.counts[a] == block.counts[b]; }), order.end());
    std::sort(order.begin(), order.end());
    return order;
}

}  // namespace errata
