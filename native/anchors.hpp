// A point between every two sites of a sentence, where alignments of all references probably meet.
//
// The points lie on one optimal alignment of source and hypothesis.
#pragma once

#include <algorithm>
#include <utility>

#include "pairwise.hpp"

namespace errata {

// Finds in each gap, from one position of the source to another, the point of a path with the most equal words around it; the first
// of several.  The points at both ends of the sentence are added.
inline AlignmentPath place_anchors(const Tokens& source, const Tokens& hypothesis, const AlignmentPath& path,
                                   const std::vector<std::pair<std::size_t, std::size_t>>& gaps) {
    AlignmentPath anchors{{0, 0}};
    auto from = path.begin();
    for (const auto& [start, end] : gaps) {
        while (from->p < start) ++from;
        AlignmentPoint best{};
        std::pair<std::size_t, std::size_t> most;
        for (auto point = from; point != path.end() && point->p <= end; ++point) {
            const auto [p, q] = *point;
            std::size_t before = 0, after = 0;
            while (before < p - start && before < q && same(source[p - 1 - before], hypothesis[q - 1 - before])) ++before;
            while (after < end - p && q + after < hypothesis.size() && same(source[p + after], hypothesis[q + after])) ++after;
            report_work(before + after + 1);
            const std::pair<std::size_t, std::size_t> around{std::min(before, after), before + after};
            if (point != from && around <= most) continue;
            most = around;
            best = *point;
        }
        anchors.push_back(best);
    }
    anchors.push_back({source.size(), hypothesis.size()});
    return anchors;
}

}  // namespace errata
