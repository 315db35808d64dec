// The least cost of aligning two sentences through every pair of positions.
#pragma once

#include "levenshtein.hpp"

namespace errata {

struct AlignmentCosts {
    int gap = 2, mismatch = 3;

    std::int32_t pair(Token a, Token b) const { return same(a, b) ? 0 : mismatch; }
};

// A point of an alignment of two sentences: after p tokens of the first and q of the second.
struct AlignmentPoint {
    std::size_t p, q;
};

using AlignmentPath = std::vector<AlignmentPoint>;

class Pairwise {
public:
    static constexpr std::int32_t infinite = 1 << 29;

    // Also finds the points of a cheapest alignment, if wanted.
    void build(const Tokens& one, const Tokens& other, const AlignmentCosts& costs, AlignmentPath* path = nullptr) {
        const std::size_t n = one.size(), m = other.size();
        width_ = m + 1;
        through_.resize((n + 1) * width_);
        for (std::size_t i = 0; i <= n; ++i) {
            report_work(width_);
            std::int32_t* const row = &through_[i * width_];
            const std::int32_t* const above = i > 0 ? row - width_ : nullptr;
            row[0] = static_cast<std::int32_t>(i) * costs.gap;
            for (std::size_t j = 1; j <= m; ++j) {
                std::int32_t best = row[j - 1] + costs.gap;
                if (i > 0) best = std::min({best, above[j] + costs.gap, above[j - 1] + costs.pair(one[i - 1], other[j - 1])});
                row[j] = best;
            }
        }
        if (path != nullptr) *path = trace(one, other, costs);
        // Backwards, of which only one row is kept.
        rest_.resize(width_);
        for (std::size_t i = n + 1; i-- > 0;) {
            report_work(width_);
            std::int32_t corner = rest_[m];
            rest_[m] = static_cast<std::int32_t>(n - i) * costs.gap;
            for (std::size_t j = m; j-- > 0;) {
                const std::int32_t below = rest_[j];
                std::int32_t best = rest_[j + 1] + costs.gap;
                if (i < n) best = std::min({best, below + costs.gap, corner + costs.pair(one[i], other[j])});
                rest_[j] = best;
                corner = below;
            }
            std::int32_t* const row = &through_[i * width_];
            for (std::size_t j = 0; j <= m; ++j) row[j] += rest_[j];
        }
    }

    std::int32_t least() const { return through_[0]; }

    std::int32_t at(std::size_t i, std::size_t j) const { return through_[i * width_ + j]; }

    const std::int32_t* row(std::size_t i) const { return &through_[i * width_]; }

private:
    // Follows a cheapest alignment from the end, before the costs backwards are added; tokens of both first, then of the first sentence.
    AlignmentPath trace(const Tokens& one, const Tokens& other, const AlignmentCosts& costs) const {
        std::size_t i = one.size(), j = other.size();
        AlignmentPath path{{i, j}};
        while (i > 0 || j > 0) {
            const std::int32_t cost = at(i, j);
            const bool paired = i > 0 && j > 0 && at(i - 1, j - 1) + costs.pair(one[i - 1], other[j - 1]) == cost;
            const bool alone = i > 0 && at(i - 1, j) + costs.gap == cost;
            i -= paired || alone;
            j -= paired || !alone;
            path.push_back({i, j});
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

    std::size_t width_ = 0;
    std::vector<std::int32_t> through_, rest_;
};

}  // namespace errata
