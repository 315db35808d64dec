// The least cost of aligning two sentences through every pair of positions.
#pragma once

#include "levenshtein.hpp"

namespace errata {

struct AlignmentCosts {
    int gap = 2, mismatch = 3;

    std::int32_t pair(Token a, Token b) const { return same(a, b) ? 0 : mismatch; }
};

class Pairwise {
public:
    static constexpr std::int32_t infinite = 1 << 29;

    void build(const Tokens& one, const Tokens& other, const AlignmentCosts& costs) {
        const std::size_t n = one.size(), m = other.size();
        width_ = m + 1;
        through_.assign((n + 1) * width_, 0);
        for (std::size_t i = 0; i <= n; ++i)
            for (std::size_t j = 0; j <= m; ++j) {
                std::int32_t best = i == 0 && j == 0 ? 0 : infinite;
                if (i > 0 && j > 0) best = std::min(best, through_[(i - 1) * width_ + j - 1] + costs.pair(one[i - 1], other[j - 1]));
                if (i > 0) best = std::min(best, through_[(i - 1) * width_ + j] + costs.gap);
                if (j > 0) best = std::min(best, through_[i * width_ + j - 1] + costs.gap);
                through_[i * width_ + j] = best;
            }
        back_.assign((n + 1) * width_, 0);
        for (std::size_t i = n + 1; i-- > 0;)
            for (std::size_t j = m + 1; j-- > 0;) {
                std::int32_t best = i == n && j == m ? 0 : infinite;
                if (i < n && j < m) best = std::min(best, back_[(i + 1) * width_ + j + 1] + costs.pair(one[i], other[j]));
                if (i < n) best = std::min(best, back_[(i + 1) * width_ + j] + costs.gap);
                if (j < m) best = std::min(best, back_[i * width_ + j + 1] + costs.gap);
                back_[i * width_ + j] = best;
            }
        for (std::size_t cell = 0; cell < through_.size(); ++cell) through_[cell] += back_[cell];
    }

    std::int32_t least() const { return through_[0]; }

    std::int32_t at(std::size_t i, std::size_t j) const { return through_[i * width_ + j]; }

    const std::int32_t* row(std::size_t i) const { return &through_[i * width_]; }

    // The position of the second sentence that every cheapest alignment has at i; a number beyond its end if they differ.
    std::size_t only_crossing(std::size_t i) const {
        std::size_t found = width_;
        for (std::size_t j = 0; j < width_; ++j) {
            if (at(i, j) != least()) continue;
            if (found != width_) return width_;
            found = j;
        }
        return found;
    }

private:
    std::size_t width_ = 0;
    std::vector<std::int32_t> through_, back_;
};

}  // namespace errata
