// The rules for edits of ERRANT for Python.
#include "merging.hpp"

#include <string>

#include "alphabet.hpp"
#include "arguments.hpp"
#include "bindings.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

constexpr const char* no_columns = "a sentence must be a tuple of forms, parts of speech and tags";
constexpr const char* too_many =
    "{:,} operations in a row, from token {} on, are too many to be merged in seconds, more than {:,}; cut the sentence";
constexpr const char* no_operation = "an operation must be a tuple of the start and the end of both sides, in order and inside of the sentences";

// The columns of a parsed sentence, whose words are prepared if the rules ask for them.
struct ParsedColumns {
    explicit ParsedColumns(nb::handle sentence) {
        const nb::tuple columns = tuple_of(sentence, no_columns);
        if (columns.size() != 3) throw nb::value_error(no_columns);
        forms = tuple_of(columns[0], no_tuple_of_tokens);
        pos = tuple_of(columns[1], no_tuple_of_tokens);
        tags = tuple_of(columns[2], no_tuple_of_tokens);
        if (forms.size() != pos.size() || forms.size() != tags.size())
            throw nb::value_error("a sentence must have a part of speech and a tag for each token");
    }

    nb::tuple forms, pos, tags;
};

bool is_text(nb::handle value, const char* text) { return PyUnicode_CompareWithASCIIString(value.ptr(), text) == 0; }

bool is_one_of(nb::handle value, std::initializer_list<const char*> texts) {
    return std::any_of(texts.begin(), texts.end(), [&](const char* text) { return is_text(value, text); });
}

// The words of a sentence, with numbers that are the same on both sides.
class RunWords {
public:
    std::vector<RunWord> take(const ParsedColumns& sentence, std::size_t start, std::size_t end) {
        std::vector<RunWord> words;
        words.reserve(end - start);
        for (std::size_t k = start; k < end; ++k) words.push_back(make(sentence.forms[k], sentence.pos[k], sentence.tags[k]));
        return words;
    }

    std::size_t alphabet() const { return alphabet_.size(); }

private:
    RunWord make(nb::handle form, nb::handle pos, nb::handle tag) {
        for (const nb::handle text : {form, pos, tag})
            if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a token must be a str");
        const nb::object lower = form.attr("lower")();
        RunWord word;
        word.lower = lower_.add(lower);
        word.pos = pos_.add(pos);
        word.form = alphabet_.add(form);
        for (Py_ssize_t k = 0; k < PyUnicode_GetLength(lower.ptr()); ++k)
            if (const Py_UCS4 character = PyUnicode_ReadChar(lower.ptr(), k); character != '\'' && character != '-') word.bare.push_back(character);
        word.possessive = is_text(tag, "POS");
        word.capital = nb::cast<bool>(form[nb::slice(nb::int_(0), nb::int_(1), nb::int_(1))].attr("isupper")());
        const int listed = PyUnicode_Contains(punctuation_.ptr(), form.ptr());
        if (listed < 0) nb::raise_python_error();
        word.punctuation = listed > 0 || is_text(pos, "PUNCT");
        word.verbal = is_one_of(pos, {"AUX", "PART", "VERB"});
        word.content = is_one_of(pos, {"ADJ", "ADV", "AUX", "NOUN", "VERB"});
        word.determiner = is_text(pos, "DET");
        return word;
    }

    Vocabulary lower_, pos_;
    Alphabet alphabet_;
    nb::str punctuation_{"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"};  // string.punctuation of Python
};

std::vector<Operation> operations_of(const nb::sequence& operations, std::size_t tokens, std::size_t target_tokens) {
    std::vector<Operation> result;
    std::size_t before = 0, target_before = 0;
    for (const nb::handle item : operations) {
        const nb::tuple one = tuple_of(item, no_operation);
        if (one.size() != 4) throw nb::value_error(no_operation);
        std::size_t places[4];
        for (std::size_t k = 0; k < 4; ++k) {
            places[k] = PyLong_AsSize_t(one[k].ptr());
            if (PyErr_Occurred() != nullptr) nb::raise_python_error();
        }
        const Operation found{places[0], places[1], places[2], places[3]};
        const bool in_order = before <= found.start && found.start <= found.end && target_before <= found.target_start &&
                              found.target_start <= found.target_end;
        if (!in_order || found.end > tokens || found.target_end > target_tokens) throw nb::value_error(no_operation);
        result.push_back(found);
        before = found.end;
        target_before = found.target_end;
    }
    return result;
}

nb::list merge_by_rules(const nb::sequence& operations, nb::handle source, nb::handle target, std::size_t most_operations) {
    const ParsedColumns columns(source), target_columns(target);
    const std::vector<Operation> given = operations_of(operations, columns.forms.size(), target_columns.forms.size());
    const auto rules_for = [&](std::size_t first, std::size_t end) {
        const Operation &before = given[first], &last = given[end - 1];
        if (end - first > most_operations) throw std::overflow_error(nb::str(too_many).format(end - first, before.start, most_operations).c_str());
        RunWords words;
        std::vector<RunWord> own = words.take(columns, before.start, last.end), others = words.take(target_columns, before.target_start, last.target_end);
        std::vector<Operation> run;
        for (std::size_t k = first; k < end; ++k)
            run.push_back({given[k].start - before.start, given[k].end - before.start, given[k].target_start - before.target_start,
                           given[k].target_end - before.target_start});
        return MergingRules(std::move(run), std::move(own), std::move(others), words.alphabet());
    };
    nb::list result;
    for (const Operation& one : merge_operations(given, rules_for))
        result.append(nb::make_tuple(one.start, one.end, one.target_start, one.target_end));
    return result;
}

}  // namespace

void bind_merging(nb::module_& module) {
    const MergingLimits limits;
    module.def("merge_by_rules", &merge_by_rules, "operations"_a, "source"_a, "target"_a, nb::kw_only(), "most_operations"_a = limits.operations,
               nb::sig(with_limits("def merge_by_rules(operations: collections.abc.Sequence[tuple[int, int, int, int]], "
                                   "source: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], "
                                   "target: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]",
                                   {{"most_operations", limits.operations}}, ") -> list[tuple[int, int, int, int]]")
                           .c_str()),
               "Merge the operations of an alignment to edits, by the rules of ERRANT; a sentence is forms, parts of speech and tags.");
}

}  // namespace errata::bindings
