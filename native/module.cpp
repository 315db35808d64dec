// The bindings: the only file that knows Python.  Arguments are checked and turned into numbers here, with the interpreter
// locked; the headers work on numbers alone, with the lock released.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "alignment.hpp"
#include "best_matches.hpp"
#include "blocks.hpp"
#include "edit_distance.hpp"
#include "maxmatch.hpp"
#include "resampling.hpp"
#include "three_way.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using errata::GoldEdit;
using errata::GoldEdits;
using errata::Token;
using errata::Tokens;

// Tokens as numbers, equal where the strings are equal.
class Vocabulary {
public:
    Tokens add(const nb::tuple& words) {
        Tokens tokens;
        tokens.reserve(words.size());
        for (const nb::handle word : words) {
            if (const Token known = find(word); known != errata::unknown_token) {
                tokens.push_back(known);
                continue;
            }
            const auto number = static_cast<Token>(nb::len(numbers_));
            const nb::int_ value(number);
            if (PyDict_SetItem(numbers_.ptr(), word.ptr(), value.ptr()) != 0) nb::raise_python_error();
            tokens.push_back(number);
        }
        return tokens;
    }

    Tokens look_up(const nb::tuple& words) const {
        Tokens tokens;
        tokens.reserve(words.size());
        for (const nb::handle word : words) tokens.push_back(find(word));
        return tokens;
    }

private:
    Token find(nb::handle word) const {
        if (!PyUnicode_Check(word.ptr())) throw nb::type_error("a token must be a str");
        PyObject* number = PyDict_GetItemWithError(numbers_.ptr(), word.ptr());
        if (number != nullptr) return static_cast<Token>(PyLong_AsLong(number));
        if (PyErr_Occurred() != nullptr) nb::raise_python_error();
        return errata::unknown_token;
    }

    nb::dict numbers_;
};

struct Sentence {
    Tokens source;
    std::vector<GoldEdits> annotators;
};

nb::tuple tuple_of(nb::handle value, const char* complaint) {
    if (!PyTuple_Check(value.ptr())) throw nb::type_error(complaint);
    return nb::borrow<nb::tuple>(value);
}

constexpr long most_words = 10'000'000;
constexpr const char* no_tuple_of_tokens = "a sentence must be a tuple of tokens";

// Runs the core on sentences in turn, without the interpreter's lock; between them an interrupt is noticed.
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

class MaxMatchJudge {
public:
    MaxMatchJudge(const nb::list& sentences, int max_unchanged, std::uint64_t most_work, std::size_t most_steps, std::size_t most_arcs)
        : max_unchanged_(max_unchanged), limits_{most_work, most_steps, most_arcs} {
        if (max_unchanged < 0) throw nb::value_error("max_unchanged must not be negative");
        sentences_.reserve(sentences.size());
        for (const nb::handle item : sentences) {
            const nb::tuple sentence = tuple_of(item, "a sentence must be a tuple of source tokens and annotators");
            if (sentence.size() != 2) throw nb::value_error("a sentence is a pair of source tokens and annotators");
            Sentence& read = sentences_.emplace_back();
            read.source = vocabulary_.add(tuple_of(sentence[0], no_tuple_of_tokens));
            for (const nb::handle annotator : tuple_of(sentence[1], "annotators must be a tuple"))
                read.annotators.push_back(read_gold(tuple_of(annotator, "an annotator must be a tuple of edits"), read.source.size()));
        }
    }

    nb::list counts(std::size_t first, const nb::list& hypotheses) const {
        check_range(first, hypotheses.size());
        std::vector<Tokens> targets;
        targets.reserve(hypotheses.size());
        for (const nb::handle hypothesis : hypotheses) targets.push_back(vocabulary_.look_up(tuple_of(hypothesis, no_tuple_of_tokens)));
        std::vector<errata::Counts> found;
        errata::MaxMatch maxmatch(limits_);
        each_sentence(first, targets.size(), [&](std::size_t k) {
            const Sentence& sentence = sentences_[first + k];
            maxmatch.prepare(sentence.source, targets[k]);
            for (const GoldEdits& gold : sentence.annotators) found.push_back(maxmatch.counts(gold, max_unchanged_));
        });
        nb::list result;
        auto next = found.begin();
        for (std::size_t k = 0; k < targets.size(); ++k) {
            nb::list rows;
            for (std::size_t a = 0; a < sentences_[first + k].annotators.size(); ++a, ++next)
                rows.append(nb::make_tuple(next->correct, next->proposed, next->gold));
            result.append(nb::tuple(rows));
        }
        return result;
    }

    nb::list edits(std::size_t sentence_index, const nb::tuple& hypothesis) const {
        check_range(sentence_index, 1);
        const Sentence& sentence = sentences_[sentence_index];
        const Tokens target = vocabulary_.look_up(hypothesis);
        std::vector<std::vector<errata::MatchedEdit>> found;
        each_sentence(sentence_index, 1, [&](std::size_t) {
            errata::MaxMatch maxmatch(limits_);
            maxmatch.prepare(sentence.source, target);
            for (const GoldEdits& gold : sentence.annotators) found.push_back(maxmatch.edits(gold, max_unchanged_));
        });
        // Python's own record, so that it is the same as the twin's; it is looked up here because importing it needs this module.
        const nb::object record = nb::module_::import_("errata.core.edits").attr("MatchedEdit");
        nb::list result;
        for (const auto& annotator : found) {
            nb::list edits;
            for (const errata::MatchedEdit& edit : annotator)
                edits.append(record(edit.start, edit.end, edit.target_start, edit.target_end, edit.gold));
            result.append(edits);
        }
        return result;
    }

private:
    GoldEdits read_gold(const nb::tuple& edits, std::size_t length) {
        GoldEdits gold;
        gold.reserve(edits.size());
        for (const nb::handle item : edits) {
            const nb::tuple edit = tuple_of(item, "an edit must be a tuple of start, end and corrections");
            if (edit.size() != 3) throw nb::value_error("an edit is a triple of start, end and corrections");
            GoldEdit& read = gold.emplace_back();
            if (!nb::try_cast<int>(edit[0], read.start) || !nb::try_cast<int>(edit[1], read.end)) throw nb::type_error("offsets must be whole numbers");
            if (read.start < 0 || read.end < read.start || static_cast<std::size_t>(read.end) > length)
                throw nb::value_error("an edit lies outside its sentence");
            for (const nb::handle correction : tuple_of(edit[2], "corrections must be a tuple"))
                read.corrections.push_back(vocabulary_.add(tuple_of(correction, "a correction must be a tuple of tokens")));
        }
        return gold;
    }

    void check_range(std::size_t first, std::size_t count) const {
        if (first > sentences_.size() || count > sentences_.size() - first) throw nb::index_error("more hypotheses than sentences");
    }

    Vocabulary vocabulary_;
    std::vector<Sentence> sentences_;
    int max_unchanged_;
    errata::MaxMatchLimits limits_;
};

errata::AlignmentCosts costs_of(int gap, int mismatch) {
    if (!(gap > 0 && gap <= 1000 && 2 * gap > mismatch && mismatch > gap)) throw nb::value_error("costs must satisfy 2 * gap > mismatch > gap > 0");
    return {gap, mismatch};
}

nb::tuple tuple_of_counts(const errata::ColumnCounts& counts) {
    nb::list row;
    for (const std::int64_t count : counts) row.append(count);
    return nb::tuple(row);
}

class MixedReferences {
public:
    MixedReferences(const nb::list& sentences, int gap, int mismatch, bool realigned, std::size_t most_choices, std::size_t most_cells,
                    std::size_t most_bounds, std::size_t most_aligned)
        : costs_(costs_of(gap, mismatch)), realigned_(realigned), most_choices_(most_choices), limits_{most_cells, most_bounds, {most_aligned}} {
        for (const nb::handle item : sentences) {
            const nb::tuple sentence = tuple_of(item, "a sentence must be a tuple of source tokens and sites");
            if (sentence.size() != 2) throw nb::value_error("a sentence is a pair of source tokens and sites");
            Place& read = places_.emplace_back();
            read.source = vocabulary_.add(tuple_of(sentence[0], no_tuple_of_tokens));
            read.sites = read_sites(tuple_of(sentence[1], "sites must be a tuple"), read.source.size());
        }
        if (!realigned) return;
        errata::Blocks blocks(costs_, most_choices_, limits_);
        each_sentence(0, places_.size(), [&](std::size_t k) {
            Place& place = places_[k];
            const std::vector<bool> anywhere(place.sites.size(), true);
            place.baseline = blocks.solve(place.source, place.source, place.sites, anywhere);
        });
    }

    nb::list blocks(std::size_t first, const nb::list& hypotheses) const {
        if (first > places_.size() || hypotheses.size() > places_.size() - first) throw nb::index_error("more hypotheses than sentences");
        std::vector<Tokens> targets;
        for (const nb::handle hypothesis : hypotheses) targets.push_back(vocabulary_.look_up(tuple_of(hypothesis, no_tuple_of_tokens)));
        std::vector<std::vector<errata::Block>> found(targets.size());
        errata::Blocks solver(costs_, most_choices_, limits_);
        each_sentence(first, targets.size(), [&](std::size_t k) {
            const Place& place = places_[first + k];
            if (realigned_ && place.baseline.empty()) return;
            std::vector<bool> may_cut(place.sites.size(), !realigned_);
            for (const errata::Block& block : place.baseline)
                if (block.first < may_cut.size()) may_cut[block.first] = true;
            found[k] = solver.solve(place.source, targets[k], place.sites, may_cut);
            if (realigned_)
                for (errata::Block& block : found[k]) errata::replace_baseline(block, place.baseline, place.sites);
        });
        nb::list result;
        for (const auto& sentence : found) {
            nb::list blocks;
            for (const errata::Block& block : sentence) {
                nb::list rows;
                for (const std::size_t choice : errata::distinct(block)) rows.append(nb::make_tuple(choice, tuple_of_counts(block.counts[choice])));
                blocks.append(nb::make_tuple(block.first, block.last, rows));
            }
            result.append(blocks);
        }
        return result;
    }

private:
    struct Place {
        Tokens source;
        errata::Sites sites;
        std::vector<errata::Block> baseline;
    };

    errata::Sites read_sites(const nb::tuple& sites, std::size_t length) {
        errata::Sites read;
        for (const nb::handle item : sites) {
            const nb::tuple site = tuple_of(item, "a site must be a tuple of start, end and variants");
            if (site.size() != 3) throw nb::value_error("a site is a triple of start, end and variants");
            const std::size_t before = read.empty() ? 0 : read.back().end;
            errata::Site& next = read.emplace_back();
            if (!nb::try_cast<std::size_t>(site[0], next.start) || !nb::try_cast<std::size_t>(site[1], next.end))
                throw nb::type_error("offsets must be whole numbers");
            if (next.start < before || next.end < next.start || next.end > length) throw nb::value_error("sites must lie in the sentence, in order and apart");
            for (const nb::handle variant : tuple_of(site[2], "variants must be a tuple"))
                next.variants.push_back(vocabulary_.add(tuple_of(variant, "a variant must be a tuple of tokens")));
            if (next.variants.empty()) throw nb::value_error("a site must have a variant");
        }
        return read;
    }

    Vocabulary vocabulary_;
    errata::AlignmentCosts costs_;
    bool realigned_;
    std::size_t most_choices_;
    errata::BlocksLimits limits_;
    std::vector<Place> places_;
};

nb::list three_way_counts(const nb::tuple& source, const nb::tuple& hypothesis, const nb::tuple& references, int gap, int mismatch,
                          std::size_t most_aligned) {
    const errata::AlignmentCosts costs = costs_of(gap, mismatch);
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(hypothesis);
    std::vector<Tokens> wanted;
    for (const nb::handle reference : references) wanted.push_back(vocabulary.add(tuple_of(reference, no_tuple_of_tokens)));
    std::vector<errata::ColumnCounts> found;
    {
        const nb::gil_scoped_release unlocked;
        errata::ThreeWay three_way({most_aligned});
        three_way.prepare(from, to, costs);
        for (const Tokens& reference : wanted) found.push_back(three_way.counts(reference).counts);
    }
    nb::list result;
    for (const errata::ColumnCounts& counts : found) result.append(tuple_of_counts(counts));
    return result;
}

nb::tuple three_way_columns(const nb::tuple& source, const nb::tuple& hypothesis, const nb::tuple& reference, int gap, int mismatch,
                            std::size_t most_aligned) {
    const errata::AlignmentCosts costs = costs_of(gap, mismatch);
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(hypothesis), wanted = vocabulary.add(reference);
    nb::list columns;
    errata::ThreeWay three_way({most_aligned});
    three_way.prepare(from, to, costs);
    const errata::AlignedColumns found = three_way.columns(wanted);
    for (const auto& [s, h, r] : found.columns) columns.append(nb::make_tuple(s, h, r));
    return nb::make_tuple(columns, found.effort.visited, found.effort.cells);
}

nb::list align(const nb::tuple& source, const nb::tuple& target) {
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(target);
    std::vector<errata::Difference> found;
    {
        const nb::gil_scoped_release unlocked;
        found = errata::align(from, to);
    }
    nb::list result;
    for (const errata::Difference& difference : found)
        result.append(nb::make_tuple(difference.start, difference.end, difference.target_start, difference.target_end));
    return result;
}

std::int32_t place_of(PyObject* value) {
    const long place = PyLong_AsLong(value);
    if (place == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    if (place < 0) throw nb::value_error("a word is a place in a text, which is not negative");
    if (place >= most_words) throw nb::value_error("a word is a place in a text that has no more than ten million");
    return static_cast<std::int32_t>(place);
}

errata::WordSets sets_of(const nb::sequence& sets) {
    errata::WordSets result;
    for (const nb::handle item : sets) {
        const nb::tuple words = tuple_of(item, "a set of words must be a tuple");
        errata::Words& places = result.emplace_back();
        places.reserve(words.size());
        for (const nb::handle word : words) places.push_back(place_of(word.ptr()));
    }
    return result;
}

nb::list best_matches(const nb::sequence& sets, const nb::sequence& others, const nb::sequence& aligned, bool by_share,
                      std::uint64_t most_meetings, std::size_t most_matches) {
    const errata::WordSets own = sets_of(sets), theirs = sets_of(others);
    errata::AlignedWords pairs;
    for (const errata::Words& pair : sets_of(aligned)) {
        if (pair.size() != 2) throw nb::value_error("aligned words are pairs");
        pairs.emplace_back(pair[0], pair[1]);
    }
    errata::WordSets found;
    {
        const nb::gil_scoped_release unlocked;
        found = errata::best_matches(own, theirs, pairs, by_share, {most_meetings, most_matches});
    }
    nb::list result;
    for (const errata::Words& matches : found) {
        nb::list places;
        for (const std::int32_t place : matches) places.append(place);
        result.append(nb::tuple(places));
    }
    return result;
}

template <typename Number, typename Shape>
using Array = nb::ndarray<const Number, Shape, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;

// A table of zeros that Python owns, and the memory behind it.
std::pair<Table, std::int32_t*> table_of(std::size_t rows, std::size_t columns) {
    auto* memory = new std::int32_t[rows * columns]();
    nb::capsule owner(memory, [](void* data) noexcept { delete[] static_cast<std::int32_t*>(data); });
    return {Table(memory, {rows, columns}, owner), memory};
}

std::vector<errata::Word> words_of(const nb::sequence& words) {
    std::vector<errata::Word> result;
    for (const nb::handle word : words) {
        if (!PyUnicode_Check(word.ptr())) throw nb::type_error("a word must be a str");
        Py_UCS4* characters = PyUnicode_AsUCS4Copy(word.ptr());
        if (characters == nullptr) nb::raise_python_error();
        result.emplace_back(characters, characters + PyUnicode_GetLength(word.ptr()));
        PyMem_Free(characters);
    }
    return result;
}

Table edit_distances(const nb::sequence& one, const nb::sequence& other) {
    const std::vector<errata::Word> rows = words_of(one), columns = words_of(other);
    auto [table, cell] = table_of(rows.size(), columns.size());
    {
        const nb::gil_scoped_release unlocked;
        for (const errata::Word& row : rows) {
            errata::EditDistance distance(row);
            for (const errata::Word& column : columns) *cell++ = static_cast<std::int32_t>(row == column ? 0 : distance.to(column));
        }
    }
    return table;
}

Table rechosen(const Array<std::int64_t, nb::shape<-1, 2>>& rows, const Array<std::int64_t, nb::ndim<1>>& starts,
               const Array<std::int32_t, nb::ndim<2>>& picked, bool optimal) {
    const std::size_t count = rows.shape(0), replicates = picked.shape(0), length = picked.shape(1);
    const std::int64_t* first = starts.data();
    if (starts.shape(0) == 0 || first[0] != 0 || first[starts.shape(0) - 1] != static_cast<std::int64_t>(count))
        throw nb::value_error("every sentence has a row, and starts say where");
    const std::size_t sentences = starts.shape(0) - 1;
    for (std::size_t k = 0; k < sentences; ++k)
        if (first[k + 1] <= first[k]) throw nb::value_error("every sentence has a row, and starts say where");
    for (std::size_t k = 0; k < replicates * length; ++k)
        if (picked.data()[k] < errata::no_sentence || picked.data()[k] >= static_cast<std::int64_t>(sentences))
            throw nb::value_error("a sentence that is drawn must be one of the corpus");
    std::vector<errata::Row> pairs(count);
    for (std::size_t k = 0; k < count; ++k) pairs[k] = {rows.data()[2 * k], rows.data()[2 * k + 1]};
    auto [table, times] = table_of(replicates, count);
    {
        const nb::gil_scoped_release unlocked;
        errata::Rechooser rechooser(pairs.data(), first, sentences);
        for (std::size_t k = 0; k < replicates; ++k) {
            const std::int32_t* drawn = picked.data() + k * length;
            optimal ? rechooser.optimal(drawn, length, times + k * count) : rechooser.official(drawn, length, times + k * count);
        }
    }
    return table;
}

// A signature that ends with limits, which are given by name, and their defaults.
std::string with_limits(const char* before, std::initializer_list<std::pair<const char*, std::uint64_t>> limits, const char* after) {
    std::string signature = std::string(before) + ", *";
    for (const auto& [name, value] : limits) signature += std::string(", ") + name + ": int = " + std::to_string(value);
    return signature + after;
}

}  // namespace

NB_MODULE(_core, module) {
    const errata::MaxMatchLimits maxmatch;
    const errata::BlocksLimits blocks;
    const errata::AlignmentLimits alignment;
    const errata::MatchLimits matches;
    module.doc() = "The compiled core: the same functions as errata.core.python.";
    nb::class_<MaxMatchJudge>(module, "MaxMatchJudge", "MaxMatch counts of hypotheses against a corpus that is read once.")
        .def(nb::init<const nb::list&, int, std::uint64_t, std::size_t, std::size_t>(), "sentences"_a, "max_unchanged"_a, nb::kw_only(),
             "most_work"_a = maxmatch.work, "most_steps"_a = maxmatch.steps, "most_arcs"_a = maxmatch.arcs,
             nb::sig(with_limits("def __init__(self, sentences: list[tuple[tuple[str, ...], "
                                 "tuple[tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], ...]]], max_unchanged: int",
                                 {{"most_work", maxmatch.work}, {"most_steps", maxmatch.steps}, {"most_arcs", maxmatch.arcs}}, ") -> None")
                         .c_str()))
        .def("counts", &MaxMatchJudge::counts, "first"_a, "hypotheses"_a,
             nb::sig("def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]"),
             "Correct, proposed and gold edits of consecutive sentences from `first` on, one row for each annotator.")
        .def("edits", &MaxMatchJudge::edits, "sentence"_a, "hypothesis"_a,
             nb::sig("def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[errata.core.edits.MatchedEdit]]"),
             "For each annotator the edits found, each with the gold edit that it matches.");
    nb::class_<MixedReferences>(module, "MixedReferences", "All references that mix variants of text, scored without listing them.")
        .def(nb::init<const nb::list&, int, int, bool, std::size_t, std::size_t, std::size_t, std::size_t>(), "sentences"_a, "gap"_a,
             "mismatch"_a, "realigned"_a, "most_choices"_a, nb::kw_only(), "most_cells"_a = blocks.cells, "most_bounds"_a = blocks.bounds,
             "most_aligned"_a = blocks.alignment.aligned,
             nb::sig(with_limits("def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...]]], "
                                 "gap: int, mismatch: int, realigned: bool, most_choices: int",
                                 {{"most_cells", blocks.cells}, {"most_bounds", blocks.bounds}, {"most_aligned", blocks.alignment.aligned}}, ") -> None")
                         .c_str()))
        .def("blocks", &MixedReferences::blocks, "first"_a, "hypotheses"_a,
             nb::sig("def blocks(self, first: int, hypotheses: list[tuple[str, ...]]) -> "
                     "list[list[tuple[int, int, list[tuple[int, tuple[int, ...]]]]]]"),
             "For consecutive sentences from `first` on their independent blocks: first site, site behind the last, and of every choice "
             "of variants with counts of its own its number (the last site changes fastest) and counts.  A sentence that has too many "
             "choices, or takes too many cells, has no blocks.");
    module.def("best_matches", &best_matches, "sets"_a, "others"_a, "aligned"_a, "by_share"_a, nb::kw_only(),
               "most_meetings"_a = matches.meetings, "most_matches"_a = matches.matches,
               nb::sig(with_limits("def best_matches(sets: collections.abc.Sequence[tuple[int, ...]], others: collections.abc.Sequence[tuple[int, ...]], "
                                   "aligned: collections.abc.Sequence[tuple[int, int]], by_share: bool",
                                   {{"most_meetings", matches.meetings}, {"most_matches", matches.matches}}, ") -> list[tuple[int, ...]]")
                           .c_str()),
               "For each set of words all others that match it best, by F1 of the aligned words that both have, or by the share of their own.");
    module.def("edit_distances", &edit_distances, "one"_a, "other"_a,
               nb::sig("def edit_distances(one: collections.abc.Sequence[str], other: collections.abc.Sequence[str]) -> typing.Any"),
               "The edit distance of every word of one list to every word of the other, a row for each word of the first.");
    module.def("rechosen", &rechosen, "rows"_a, "starts"_a, "picked"_a, "optimal"_a,
               nb::sig("def rechosen(rows: typing.Any, starts: typing.Any, picked: typing.Any, optimal: bool) -> typing.Any"),
               "For each replicate how often each row is chosen; a replicate is a list of sentences in their order, -1 is none.");
    module.def("three_way_counts", &three_way_counts, "source"_a, "hypothesis"_a, "references"_a, "gap"_a, "mismatch"_a, nb::kw_only(),
               "most_aligned"_a = alignment.aligned,
               nb::sig(with_limits("def three_way_counts(source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], "
                                   "gap: int, mismatch: int",
                                   {{"most_aligned", alignment.aligned}}, ") -> list[tuple[int, ...]]")
                           .c_str()),
               "For each reference the classes of the columns of an exact alignment, of the hypothesis and of the source in its place.");
    module.def("three_way_columns", &three_way_columns, "source"_a, "hypothesis"_a, "reference"_a, "gap"_a, "mismatch"_a, nb::kw_only(),
               "most_aligned"_a = alignment.aligned,
               nb::sig(with_limits("def three_way_columns(source: tuple[str, ...], hypothesis: tuple[str, ...], reference: tuple[str, ...], gap: int, "
                                   "mismatch: int",
                                   {{"most_aligned", alignment.aligned}}, ") -> tuple[list[tuple[bool, bool, bool]], int, int]")
                           .c_str()),
               "Which of the three have a token in each column of an exact alignment; how many cells were visited, and of how many.");
    module.def("align", &align, "source"_a, "target"_a,
               nb::sig("def align(source: tuple[str, ...], target: tuple[str, ...]) -> list[tuple[int, int, int, int]]"),
               "The fewest edits of a shortest alignment: source span and target span of each.");
}
