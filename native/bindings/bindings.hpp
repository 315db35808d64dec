// The functions with which each file of bindings adds to the module.
#pragma once

#include <nanobind/nanobind.h>

namespace errata::bindings {

void bind_alignment(nanobind::module_& module);
void bind_graph_comparison(nanobind::module_& module);
void bind_imeasure(nanobind::module_& module);
void bind_linguistic_alignment(nanobind::module_& module);
void bind_maxmatch(nanobind::module_& module);
void bind_merging(nanobind::module_& module);
void bind_ngrams(nanobind::module_& module);
void bind_parse_lines(nanobind::module_& module);
void bind_resampling(nanobind::module_& module);
void bind_text_gold(nanobind::module_& module);

}  // namespace errata::bindings
