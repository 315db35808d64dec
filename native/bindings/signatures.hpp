// Signatures that name limits and their defaults.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

namespace errata::bindings {

// Makes a signature that ends with limits, as keyword arguments with their defaults.
inline std::string with_limits(const char* before, std::initializer_list<std::pair<const char*, std::uint64_t>> limits, const char* after) {
    std::string signature = std::string(before) + ", *";
    for (const auto& [name, value] : limits) signature += std::string(", ") + name + ": int = " + std::to_string(value);
    return signature + after;
}

}  // namespace errata::bindings
