// Alignment of sentences and edit distance of words for Python.
#include <memory>

#include "alignment.hpp"
#include "arguments.hpp"
#include "bindings.hpp"
#include "edit_distance.hpp"
#include "signatures.hpp"
#include "tables.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

nb::list align(const nb::tuple& source, const nb::tuple& target) {
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(target);
    std::vector<Difference> found;
    {
        const nb::gil_scoped_release unlocked;
        found = errata::align(from, to);
    }
    nb::list result;
    for (const Difference& difference : found)
        result.append(nb::make_tuple(difference.start, difference.end, difference.target_start, difference.target_end));
    return result;
}

struct FreePythonMemory {
    void operator()(void* memory) const noexcept { PyMem_Free(memory); }
};

std::vector<Word> words_of(const nb::sequence& words) {
    std::vector<Word> result;
    for (const nb::handle word : words) {
        if (!PyUnicode_Check(word.ptr())) throw nb::type_error("a word must be a str");
        const std::unique_ptr<Py_UCS4, FreePythonMemory> characters(PyUnicode_AsUCS4Copy(word.ptr()));
        if (characters == nullptr) nb::raise_python_error();
        result.emplace_back(characters.get(), characters.get() + PyUnicode_GetLength(word.ptr()));
    }
    return result;
}

Table compute_edit_distances(const nb::sequence& one, const nb::sequence& other, std::uint64_t most_steps) {
    const std::vector<Word> rows = words_of(one), columns = words_of(other);
    EditDistance::check(rows, columns, {most_steps});
    auto [table, cell] = table_of(rows.size(), columns.size());
    {
        const nb::gil_scoped_release unlocked;
        for (const Word& row : rows) {
            EditDistance distance(row);
            for (const Word& column : columns) *cell++ = static_cast<std::int32_t>(row == column ? 0 : distance.to(column));
        }
    }
    return table;
}

}  // namespace

void bind_alignment(nb::module_& module) {
    module.def("align", &align, "source"_a, "target"_a,
               nb::sig("def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]"),
               "Find the fewest edits of a shortest alignment: source span and target span of each.");
    const EditDistanceLimits limits;
    module.def("compute_edit_distances", &compute_edit_distances, "one"_a, "other"_a, nb::kw_only(), "most_steps"_a = limits.steps,
               nb::sig(with_limits("def compute_edit_distances(one: collections.abc.Sequence[str], other: collections.abc.Sequence[str]",
                                   {{"most_steps", limits.steps}}, ") -> typing.Any")
                           .c_str()),
               "Compute the edit distance of every word of one list to every word of the other, a row for each word of the first.");
}

}  // namespace errata::bindings
