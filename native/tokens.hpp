// Tokens as numbers, which are equal if the words are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace errata {

using Token = std::int32_t;
using Tokens = std::vector<Token>;

// A hypothesis token that is neither in the source nor in the gold: it equals no token, not even itself.
constexpr Token unknown_token = -1;

inline bool same(Token a, Token b) { return a == b && a != unknown_token; }

}  // namespace errata
