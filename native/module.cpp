// The module.  Only this file and those of bindings/ know Python: arguments are checked and turned into numbers there, with the
// interpreter locked; the headers work on numbers alone, with the lock released.
#include "bindings/bindings.hpp"

NB_MODULE(_core, module) {
    module.doc() = "The compiled core: the same functions as errata.core.python.";
    errata::bindings::bind_maxmatch(module);
    errata::bindings::bind_imeasure(module);
    errata::bindings::bind_graph_comparison(module);
    errata::bindings::bind_alignment(module);
    errata::bindings::bind_resampling(module);
}
