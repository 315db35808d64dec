// Exact comparison of products of two 64-bit numbers, which may take 128 bits.
#pragma once

#include <cstdint>

namespace errata {

// The absolute value, unsigned because that of the least number does not fit into a signed one.
inline std::uint64_t magnitude(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
}

// Whether the product a * b is less than c * d (-1), equal to it (0) or greater (1).
struct WideProducts {
    static int compare(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        const int own = sign(a, b), others = sign(c, d);
        if (own != others) return own < others ? -1 : 1;
        const Product left = product(magnitude(a), magnitude(b)), right = product(magnitude(c), magnitude(d));
        if (left.high != right.high) return left.high < right.high ? -own : own;
        if (left.low != right.low) return left.low < right.low ? -own : own;
        return 0;
    }

private:
    struct Product {
        std::uint64_t high, low;
    };

    static int sign(std::int64_t one, std::int64_t other) { return one == 0 || other == 0 ? 0 : (one < 0) == (other < 0) ? 1 : -1; }

    // By halves of 32 bits; no sum of them overflows.
    static Product product(std::uint64_t a, std::uint64_t b) {
        constexpr std::uint64_t half = 0xFFFFFFFF;
        const std::uint64_t low = (a & half) * (b & half);
        const std::uint64_t middle = (a >> 32) * (b & half) + (low >> 32);
        const std::uint64_t other_middle = (a & half) * (b >> 32) + (middle & half);
        return {(a >> 32) * (b >> 32) + (middle >> 32) + (other_middle >> 32), other_middle << 32 | (low & half)};
    }
};

// The same comparison for numbers from -2^31 to 2^31, whose products fit into 64 bits.
struct NarrowProducts {
    static constexpr std::uint64_t largest = std::uint64_t{1} << 31;

    static int compare(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
        const std::int64_t left = a * b, right = c * d;
        return (left > right) - (left < right);
    }
};

}  // namespace errata
