// The counts of all references of a sentence that mix variants of text, without listing them.
//
// A sentence has sites, positions with several variants of text; a reference has one variant of each.  Beginnings of references are
// aligned, of which many are equal for the rest (beginnings.hpp).  If that takes too much, or if there is only one site, every
// reference is aligned.
#pragma once

#include <algorithm>

#include "anchors.hpp"
#include "beginnings.hpp"
#include "three_way.hpp"

namespace errata {

struct Site {
    std::size_t start = 0, end = 0;
    std::vector<Tokens> variants;
};

using Sites = std::vector<Site>;

class MixtureSolver {
public:
    MixtureSolver(const AlignmentCosts& costs, const BlocksLimits& limits = {})
        : costs_(costs), limits_(limits), three_way_(limits.alignment), completions_(costs), beginnings_(costs, limits.beginnings) {}

    // Returns nothing if it takes too much.  `counted` is how many of the counts matter; the others are 0.
    std::optional<Mixtures> solve(const Tokens& source, const Tokens& hypothesis, const Sites& sites, std::size_t counted) {
        source_ = &source;
        hypothesis_ = &hypothesis;
        sites_ = &sites;
        work_ = shared_ = 0;
        check_pairs((source.size() + 1) * (hypothesis.size() + 1), limits_.alignment);
        if (sites.size() > 1)
            if (std::optional<Mixtures> found = share_beginnings(counted)) return found;
        return count_each(counted);
    }

    // The work for the last sentence, in cells.
    std::size_t work() const { return work_ + shared_; }

private:
    std::optional<Mixtures> share_beginnings(std::size_t counted) {
        AlignmentPath path;
        pairs_.build(*source_, *hypothesis_, costs_, &path);
        std::vector<std::pair<std::size_t, std::size_t>> gaps;
        for (std::size_t site = 1; site < sites_->size(); ++site) gaps.emplace_back((*sites_)[site - 1].end, (*sites_)[site].start);
        const AlignmentPath anchors = place_anchors(*source_, *hypothesis_, path, gaps);
        const std::optional<ReferenceGraph> graph = make_graph(anchors);
        three_way_.forget();
        shared_ = (source_->size() + 1) * (hypothesis_->size() + 1);
        if (!graph || bounds(*graph) > limits_.bounds) return std::nullopt;
        const std::size_t most_cells = limits_.bounds - bounds(*graph);
        const bool completed = completions_.build(*source_, *hypothesis_, *graph, anchors, pairs_.least(), most_cells);
        shared_ += bounds(*graph) + std::min(completions_.cells(), most_cells);
        if (!completed) return std::nullopt;
        std::optional<Mixtures> found = beginnings_.find(*source_, *hypothesis_, *graph, anchors, completions_, counted);
        shared_ += std::min(beginnings_.cells(), limits_.beginnings);
        return found;
    }

    static Tokens cut_out(const Tokens& tokens, std::size_t first, std::size_t last) {
        return Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(first), tokens.begin() + static_cast<std::ptrdiff_t>(last));
    }

    // The branches between anchors; nothing if it takes too much.
    std::optional<ReferenceGraph> make_graph(const AlignmentPath& anchors) {
        ReferenceGraph graph;
        for (std::size_t k = 0; k < sites_->size(); ++k) {
            const auto &from = anchors[k], &to = anchors[k + 1];
            const Tokens source = cut_out(*source_, from.p, to.p), hypothesis = cut_out(*hypothesis_, from.q, to.q);
            const Site& site = (*sites_)[k];
            std::vector<Branch>& branches = graph.emplace_back();
            three_way_.prepare(source, hypothesis, costs_);
            for (const Tokens& variant : site.variants) {
                Tokens words = cut_out(*source_, from.p, site.start);
                words.insert(words.end(), variant.begin(), variant.end());
                words.insert(words.end(), source_->begin() + static_cast<std::ptrdiff_t>(site.end), source_->begin() + static_cast<std::ptrdiff_t>(to.p));
                const std::optional<AlignedCounts> aligned = three_way_.counts(words, limits_.cells - work_);
                if (!aligned) return std::nullopt;
                work_ += aligned->effort.work;
                branches.push_back({std::move(words), aligned->cost, aligned->with_source, aligned->with_hypothesis});
            }
        }
        return graph;
    }

    // The number of stored bounds of all branches.
    std::size_t bounds(const ReferenceGraph& graph) const {
        std::size_t words = 0;
        for (const std::vector<Branch>& branches : graph)
            for (const Branch& branch : branches) words += branch.words.size() + 1;
        return words * (source_->size() + hypothesis_->size() + 2);
    }

    // Aligns every reference.  Each beginning is a class of its own, and the last site adds the counts of the whole reference.
    std::optional<Mixtures> count_each(std::size_t counted) {
        std::size_t references = 1, steps = 0;
        for (const Site& site : *sites_) {
            if ((references *= site.variants.size()) > limits_.choices) return std::nullopt;
            steps += references;
        }
        if (steps * Beginnings::cells_for_memory > limits_.beginnings) return std::nullopt;
        Mixtures found;
        three_way_.prepare(*source_, *hypothesis_, costs_);
        std::size_t classes = 1;
        for (std::size_t k = 0; k < sites_->size(); ++k) {
            const std::size_t size = (*sites_)[k].variants.size();
            found.steps.emplace_back(classes, std::vector<Step>(size, Step{0, {}}));
            if (k + 1 < sites_->size())
                for (std::size_t number = 0; number < classes; ++number)
                    for (std::size_t variant = 0; variant < size; ++variant) found.steps[k][number][variant].to = number * size + variant;
            if (k + 1 < sites_->size()) classes *= size;
        }
        for (std::size_t choice = 0; choice < references; ++choice) {
            const std::optional<AlignedCounts> aligned = three_way_.counts(reference(choice), limits_.cells - work_);
            if (!aligned) return std::nullopt;
            work_ += aligned->effort.work;
            ColumnCounts& counts = sites_->empty() ? found.counts : found.steps.back()[choice / last_size()][choice % last_size()].counts;
            std::copy_n(aligned->counts.begin(), counted, counts.begin());
        }
        return found;
    }

    std::size_t last_size() const { return sites_->back().variants.size(); }

    // The text of a reference; of its number, the last site changes fastest.
    Tokens reference(std::size_t choice) const {
        std::vector<const Tokens*> chosen(sites_->size());
        for (std::size_t k = sites_->size(); k-- > 0;) {
            const std::vector<Tokens>& variants = (*sites_)[k].variants;
            chosen[k] = &variants[choice % variants.size()];
            choice /= variants.size();
        }
        Tokens result;
        std::size_t done = 0;
        const auto copy = [&](std::size_t end) {
            for (; done < end; ++done) result.push_back((*source_)[done]);
        };
        for (std::size_t k = 0; k < sites_->size(); ++k) {
            copy((*sites_)[k].start);
            result.insert(result.end(), chosen[k]->begin(), chosen[k]->end());
            done = (*sites_)[k].end;
        }
        copy(source_->size());
        return result;
    }

    AlignmentCosts costs_;
    BlocksLimits limits_;
    std::size_t work_ = 0, shared_ = 0;  // for alignments, and for what alignments share
    const Tokens *source_ = nullptr, *hypothesis_ = nullptr;
    const Sites* sites_ = nullptr;
    ThreeWay three_way_;
    Pairwise pairs_;
    Completions completions_;
    Beginnings beginnings_;
};

}  // namespace errata
