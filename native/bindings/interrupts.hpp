// Interrupts, such as Ctrl-C, while the core works without the interpreter's lock.
#pragma once

#include <nanobind/nanobind.h>

#include "interrupt.hpp"

namespace errata::bindings {

namespace nb = nanobind;

// Thrown to leave the core; the error of Python is already set.
struct Interrupted {};

inline void stop_if_interrupted() {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw Interrupted{};
}

// Does once, while there is memory, what would end the process if there is none: the first report of work and the first exception of a
// thread allocate data of the thread.
inline void allocate_thread_data() {
    report_work(0);
    try {
        throw Interrupted{};
    } catch (const Interrupted&) {
    }
}

inline void bind_interrupts() {
    allocate_thread_data();
    interrupt_hook = &stop_if_interrupted;
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const Interrupted&) {  // Python raises the error that is set
        }
    });
}

}  // namespace errata::bindings
