// Stopping long work: the core reports its work as it goes, and a hook, which its user sets, may throw to stop it.
#pragma once

#include <cstddef>

namespace errata {

// Called after about every `units_between_calls` units of work, a few hundredths of a second; it throws to stop the work.
using InterruptHook = void (*)();
inline InterruptHook interrupt_hook = nullptr;
constexpr std::size_t units_between_calls = std::size_t{1} << 24;

// Reports units of work: about as many cells, vertices or comparisons.
inline void report_work(std::size_t units) {
    thread_local std::size_t done = 0;
    if ((done += units) < units_between_calls) return;
    done = 0;
    if (interrupt_hook != nullptr) interrupt_hook();
}

}  // namespace errata
