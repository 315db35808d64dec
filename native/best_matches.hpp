// The sets of words of another text that match each set of words best, by the aligned words that both have.
//
// Sets are found through the words that they share, so sets without a shared word take no time: for each word of each set, the time
// is the number of sets with its aligned word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "limits.hpp"

namespace errata {

using Words = std::vector<std::int32_t>;  // positions in a text, each once
using WordSets = std::vector<Words>;
using AlignedWords = std::vector<std::pair<std::int32_t, std::int32_t>>;

// The best match has the largest F1 (twice the shared words, divided by the words of both), or the largest share of its own words.
// All equally good matches are found, in their order; none if there is no shared word.
inline WordSets find_best_matches(const WordSets& sets, const WordSets& others, const AlignedWords& aligned, bool by_share,
                             const MatchLimits& limits = {}) {
    std::int32_t last = -1, other_last = -1;
    for (const auto& [one, other] : aligned) {
        last = std::max(last, one);
        other_last = std::max(other_last, other);
    }
    WordSets holders(static_cast<std::size_t>(other_last + 1));  // the sets that have each aligned word of the other text
    for (std::size_t k = 0; k < others.size(); ++k)
        for (const std::int32_t word : others[k])
            if (word <= other_last) holders[static_cast<std::size_t>(word)].push_back(static_cast<std::int32_t>(k));
    WordSets partners(static_cast<std::size_t>(last + 1));
    for (const auto& [one, other] : aligned) partners[static_cast<std::size_t>(one)].push_back(other);

    WordSets result(sets.size());
    std::vector<std::uint64_t> shared(others.size(), 0);
    Words met;
    std::uint64_t meetings = 0;
    std::size_t matches = 0;
    for (std::size_t k = 0; k < sets.size(); ++k) {
        met.clear();
        for (const std::int32_t word : sets[k]) {
            if (word > last) continue;
            for (const std::int32_t partner : partners[static_cast<std::size_t>(word)]) {
                const Words& own = holders[static_cast<std::size_t>(partner)];
                if ((meetings += own.size()) > limits.meetings)
                    throw std::overflow_error("the graphs are too deep to be aligned in seconds; cut them into sentences");
                report_work(own.size());
                for (const std::int32_t other : own)
                    if (shared[static_cast<std::size_t>(other)]++ == 0) met.push_back(other);
            }
        }
        std::uint64_t best = 0, best_whole = 1;
        for (const std::int32_t other : met) {
            const std::uint64_t whole = others[static_cast<std::size_t>(other)].size() + (by_share ? 0 : sets[k].size());
            const std::uint64_t count = shared[static_cast<std::size_t>(other)];
            const std::uint64_t own = count * best_whole, known = best * whole;
            if (own > known) {
                best = count;
                best_whole = whole;
                result[k].clear();
            }
            if (own >= known) result[k].push_back(other);
        }
        for (const std::int32_t other : met) shared[static_cast<std::size_t>(other)] = 0;
        std::sort(result[k].begin(), result[k].end());
        if ((matches += result[k].size()) > limits.matches)
            throw std::overflow_error("too many units have the same words to be aligned; cut the graphs into sentences");
    }
    return result;
}

}  // namespace errata
