// The comparison of semantic graphs for Python.
#include "arguments.hpp"
#include "best_matches.hpp"
#include "bindings.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

constexpr long long most_words = 10'000'000;

std::int32_t place_of(PyObject* value) {
    const long long place = PyLong_AsLongLong(value);
    if (place == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    if (place < 0) throw nb::value_error("a word is a position in a text and cannot be negative");
    if (place >= most_words) throw nb::value_error("a word is a position in a text of at most ten million words");
    return static_cast<std::int32_t>(place);
}

WordSets sets_of(const nb::sequence& sets) {
    WordSets result;
    for (const nb::handle item : sets) {
        const nb::tuple words = tuple_of(item, "a set of words must be a tuple");
        Words& places = result.emplace_back();
        places.reserve(words.size());
        for (const nb::handle word : words) places.push_back(place_of(word.ptr()));
    }
    return result;
}

nb::list find_best_matches(const nb::sequence& sets, const nb::sequence& others, const nb::sequence& aligned, bool by_share,
                      std::uint64_t most_meetings, std::size_t most_matches) {
    const WordSets own = sets_of(sets), theirs = sets_of(others);
    AlignedWords pairs;
    for (const Words& pair : sets_of(aligned)) {
        if (pair.size() != 2) throw nb::value_error("aligned words must be pairs");
        pairs.emplace_back(pair[0], pair[1]);
    }
    WordSets found;
    {
        const nb::gil_scoped_release unlocked;
        found = errata::find_best_matches(own, theirs, pairs, by_share, {most_meetings, most_matches});
    }
    nb::list result;
    for (const Words& matches : found) {
        nb::list places;
        for (const std::int32_t place : matches) places.append(place);
        result.append(nb::tuple(places));
    }
    return result;
}

}  // namespace

void bind_graph_comparison(nb::module_& module) {
    const MatchLimits limits;
    module.def("find_best_matches", &find_best_matches, "sets"_a, "others"_a, "aligned"_a, "by_share"_a, nb::kw_only(),
               "most_meetings"_a = limits.meetings, "most_matches"_a = limits.matches,
               nb::sig(with_limits("def find_best_matches(sets: collections.abc.Sequence[tuple[int, ...]], others: collections.abc.Sequence[tuple[int, ...]], "
                                   "aligned: collections.abc.Sequence[tuple[int, int]], by_share: bool",
                                   {{"most_meetings", limits.meetings}, {"most_matches", limits.matches}}, ") -> list[tuple[int, ...]]")
                           .c_str()),
               "Find for each set of words all others that match it best, by F1 of the aligned words that both have, or by the share of their own.");
}

}  // namespace errata::bindings
