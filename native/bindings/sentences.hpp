// Runs the core sentence by sentence.
#pragma once

#include <nanobind/nanobind.h>

#include <stdexcept>
#include <string>

namespace errata::bindings {

namespace nb = nanobind;

// Raises if consecutive sentences are not all in the corpus.
inline void check_range(std::size_t first, std::size_t count, std::size_t sentences) {
    if (first > sentences || count > sentences - first) throw nb::index_error("more hypotheses than sentences");
}

// Runs the core on sentences in turn without the interpreter's lock, and checks for interrupts between them; the core does so inside
// long ones.
template <typename Work>
void each_sentence(std::size_t first, std::size_t count, Work&& work) {
    for (std::size_t k = 0; k < count; ++k) {
        try {
            const nb::gil_scoped_release unlocked;
            work(k);
        } catch (const std::overflow_error& error) {
            throw std::overflow_error("sentence " + std::to_string(first + k + 1) + " cannot be scored: " + error.what());
        }
        if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    }
}

}  // namespace errata::bindings
