// The choice among references in replicates of a corpus for Python.
#include "bindings.hpp"
#include "resampling.hpp"
#include "tables.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

template <typename Number, typename Shape>
using Array = nb::ndarray<const Number, Shape, nb::c_contig, nb::device::cpu>;

Table rechoose(const Array<std::int64_t, nb::shape<-1, 2>>& rows, const Array<std::int64_t, nb::ndim<1>>& starts,
               const Array<std::int32_t, nb::ndim<2>>& picked, bool optimal) {
    const std::size_t count = rows.shape(0), replicates = picked.shape(0), length = picked.shape(1);
    const std::int64_t* first = starts.data();
    if (starts.shape(0) == 0 || first[0] != 0 || first[starts.shape(0) - 1] != static_cast<std::int64_t>(count))
        throw nb::value_error("starts must give one or more rows for every sentence");
    const std::size_t sentences = starts.shape(0) - 1;
    for (std::size_t k = 0; k < sentences; ++k)
        if (first[k + 1] <= first[k]) throw nb::value_error("starts must give one or more rows for every sentence");
    for (std::size_t k = 0; k < replicates * length; ++k)
        if (picked.data()[k] < no_sentence || picked.data()[k] >= static_cast<std::int64_t>(sentences))
            throw nb::value_error("a drawn sentence must be in the corpus");
    std::vector<Row> pairs(count);
    for (std::size_t k = 0; k < count; ++k) pairs[k] = {rows.data()[2 * k], rows.data()[2 * k + 1]};
    auto [table, times] = table_of(replicates, count);
    {
        const nb::gil_scoped_release unlocked;
        errata::rechoose({pairs.data(), first, sentences}, picked.data(), replicates, length, optimal, times);
    }
    return table;
}

}  // namespace

void bind_resampling(nb::module_& module) {
    module.def("rechoose", &rechoose, "rows"_a, "starts"_a, "picked"_a, "optimal"_a,
               nb::sig("def rechoose(rows: typing.Any, starts: typing.Any, picked: typing.Any, optimal: bool) -> typing.Any"),
               "Count how often each row is chosen in each replicate; a replicate is an ordered list of sentences, -1 is none.");
}

}  // namespace errata::bindings
