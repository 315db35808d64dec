// The alignment of ERRANT for Python.
#include <string>

#include "alphabet.hpp"
#include "arguments.hpp"
#include "bindings.hpp"
#include "linguistic_alignment.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

constexpr const char* no_pair = "a pair must be a tuple of a number and the indices of two sentences";

// Parsed sentences as numbers.
class ParsedSentences {
public:
    ParsedSentences() { pos_.add(names_of_open_classes_); }

    ParsedWords add(nb::handle sentence, bool linguistic) {
        const nb::tuple columns = tuple_of(sentence, no_tuple_of_tokens);
        if (columns.size() != 3) throw nb::value_error("a sentence must be a tuple of forms, lemmas and parts of speech");
        const nb::tuple forms = tuple_of(columns[0], no_tuple_of_tokens);
        ParsedWords result;
        result.forms = forms_.add(forms);
        result.lemmas = lemmas_.add(tuple_of(columns[1], no_tuple_of_tokens));
        result.pos = pos_.add(tuple_of(columns[2], no_tuple_of_tokens));
        if (!linguistic) return result;
        if (result.lemmas.size() != forms.size() || result.pos.size() != forms.size())
            throw nb::value_error("a sentence must have a lemma and a part of speech for each token");
        result.lower.reserve(forms.size());
        for (std::size_t k = 0; k < forms.size(); ++k) {
            const auto number = static_cast<std::size_t>(result.forms[k]);
            if (number == words.size()) {  // new, as numbers are given in order
                words.push_back(alphabet.add(forms[k]));
                lower_of_forms_.push_back(lower_.add(nb::object(forms[k].attr("lower")())));
            }
            result.lower.push_back(lower_of_forms_[number]);
        }
        return result;
    }

    std::vector<Characters> words;  // the characters of every form
    Alphabet alphabet;

private:
    const nb::tuple names_of_open_classes_ = nb::make_tuple("ADJ", "ADV", "NOUN", "VERB");
    PassingVocabulary forms_, lemmas_, pos_;
    Vocabulary lower_;
    Tokens lower_of_forms_;
};

struct NumberedPair {
    long long number;
    std::size_t source, target;
};

long long whole_number(nb::handle value) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number == -1 && PyErr_Occurred() != nullptr) nb::raise_python_error();
    return number;
}

std::vector<NumberedPair> pairs_of(const nb::sequence& pairs, std::size_t sentences) {
    const auto index_of = [&](nb::handle value) {
        const long long index = whole_number(value);
        if (index < 0 || static_cast<unsigned long long>(index) >= sentences) throw nb::index_error("a pair must have the indices of two sentences");
        return static_cast<std::size_t>(index);
    };
    std::vector<NumberedPair> result;
    for (const nb::handle item : pairs) {
        const nb::tuple pair = tuple_of(item, no_pair);
        if (pair.size() != 3) throw nb::value_error(no_pair);
        result.push_back({whole_number(pair[0]), index_of(pair[1]), index_of(pair[2])});
    }
    return result;
}

nb::list align_parses(const nb::sequence& sentences, const nb::sequence& pairs, bool linguistic, std::size_t most_cells, std::uint64_t most_steps) {
    ParsedSentences parsed;
    std::vector<ParsedWords> texts;
    for (const nb::handle sentence : sentences) texts.push_back(parsed.add(sentence, linguistic));
    const std::vector<NumberedPair> numbered = pairs_of(pairs, texts.size());
    LinguisticAlignment alignment(parsed.words, parsed.alphabet.size(), {most_cells, most_steps});
    std::vector<std::vector<Operation>> found(numbered.size());
    std::size_t done = 0;
    try {
        const nb::gil_scoped_release unlocked;
        for (; done < numbered.size(); ++done)
            found[done] = alignment.align(texts[numbered[done].source], texts[numbered[done].target], linguistic);
    } catch (const std::overflow_error& error) {
        throw std::overflow_error("sentence " + std::to_string(numbered[done].number) + " cannot be aligned: " + error.what());
    }
    if (PyErr_CheckSignals() != 0) nb::raise_python_error();
    nb::list result;
    for (const std::vector<Operation>& operations : found) {
        nb::list spans;
        for (const Operation& one : operations) spans.append(nb::make_tuple(one.start, one.end, one.target_start, one.target_end));
        result.append(spans);
    }
    return result;
}

std::size_t count_common_characters(nb::handle one, nb::handle other, std::uint64_t most_steps) {
    Alphabet alphabet;
    const Characters word = alphabet.add(one), other_word = alphabet.add(other);
    const std::uint64_t blocks = (word.size() + 63) / 64;
    if (blocks != 0 && other_word.size() > most_steps / blocks) throw std::overflow_error("the words are too long to be compared in seconds");
    const nb::gil_scoped_release unlocked;
    CommonCharacters common(alphabet.size());
    common.prepare(word);
    return common.count(other_word);
}

}  // namespace

void bind_linguistic_alignment(nb::module_& module) {
    const LinguisticLimits limits;
    module.def("align_parses", &align_parses, "sentences"_a, "pairs"_a, "linguistic"_a, nb::kw_only(), "most_cells"_a = limits.cells,
               "most_steps"_a = limits.steps,
               nb::sig(with_limits("def align_parses(sentences: collections.abc.Sequence[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]], "
                                   "pairs: collections.abc.Sequence[tuple[int, int, int]], linguistic: bool",
                                   {{"most_cells", limits.cells}, {"most_steps", limits.steps}}, ") -> list[list[tuple[int, int, int, int]]]")
                           .c_str()),
               "Find the operations between sentences (forms, lemmas, parts of speech), for triples of number, source index and target index.");
    module.def("count_common_characters", &count_common_characters, "one"_a, "other"_a, nb::kw_only(), "most_steps"_a = limits.steps,
               nb::sig(with_limits("def count_common_characters(one: str, other: str", {{"most_steps", limits.steps}}, ") -> int").c_str()),
               "Count the characters of a longest common subsequence of two words.");
}

}  // namespace errata::bindings
