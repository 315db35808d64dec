// The module.  Only this file and bindings/ depend on Python: they check arguments and turn them into numbers, with the interpreter
// locked.  The headers work on numbers only, with the lock released.
#include <string>

#include "bindings/bindings.hpp"
#include "bindings/interrupts.hpp"

namespace {

/// What compiled the core, and whether it optimised, for bug reports.
std::string describe_compiler() {
#if defined(__clang__)
    std::string text = "Clang " __clang_version__;
#elif defined(__GNUC__)
    std::string text = "GCC " __VERSION__;
#elif defined(_MSC_VER)
    std::string text = "MSVC " + std::to_string(_MSC_VER);
#else
    std::string text = "an unknown compiler";
#endif
#if defined(__OPTIMIZE__) || (defined(_MSC_VER) && !defined(_DEBUG))
    return text + ", optimised";
#elif defined(__GNUC__)
    return text + ", not optimised";
#else
    return text;
#endif
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The compiled core: the same functions as errata.core.python.";
    module.def("__compiler__", [] { return nanobind::str(describe_compiler().c_str()); }, "Name what compiled the core.");
    errata::bindings::bind_interrupts();
    errata::bindings::bind_maxmatch(module);
    errata::bindings::bind_text_gold(module);
    errata::bindings::bind_imeasure(module);
    errata::bindings::bind_graph_comparison(module);
    errata::bindings::bind_ngrams(module);
    errata::bindings::bind_alignment(module);
    errata::bindings::bind_linguistic_alignment(module);
    errata::bindings::bind_merging(module);
    errata::bindings::bind_parse_lines(module);
    errata::bindings::bind_resampling(module);
}
