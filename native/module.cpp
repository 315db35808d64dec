// The module.  Only this file and bindings/ depend on Python: they check arguments and turn them into numbers, with the interpreter
// locked.  The headers work on numbers only, with the lock released.
#include "bindings/bindings.hpp"
#include "bindings/interrupts.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The compiled core: the same functions as errata.core.python.";
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
