// The n-grams of GLEU for Python.
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "ngram_counts.hpp"
#include "sentences.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

class NgramCounter {
public:
    NgramCounter(const nb::list& sentences, std::size_t order, std::size_t most_ngrams) : order_(order), limits_{most_ngrams} {
        if (order == 0) throw nb::value_error("order must be 1 or more");
        std::vector<std::vector<Tokens>> read;
        read.reserve(sentences.size());
        for (const nb::handle item : sentences) {
            const nb::tuple sentence = tuple_of(item, "a sentence must be a tuple of source tokens and references");
            if (sentence.size() != 2) throw nb::value_error("a sentence must be a pair of source tokens and references");
            std::vector<Tokens>& texts = read.emplace_back();
            texts.push_back(vocabulary_.add(tuple_of(sentence[0], no_tuple_of_tokens)));
            for (const nb::handle reference : tuple_of(sentence[1], "references must be a tuple"))
                texts.push_back(vocabulary_.add(tuple_of(reference, no_tuple_of_tokens)));
            if (texts.size() == 1) throw nb::value_error("a sentence must have a reference");
        }
        tries_.reserve(read.size());
        each_sentence(0, read.size(), [&](std::size_t k) { tries_.emplace_back(read[k], order_, limits_); });
    }

    nb::list counts(std::size_t first, const nb::list& hypotheses, bool excess) const {
        return rows(first, hypotheses, 2 + 2 * order_, [excess](NgramCounts& counts, const NgramTrie& trie, const Tokens& hypothesis, auto& found) {
            counts.count(trie, hypothesis, excess, found);
        });
    }

    nb::list pooled_counts(std::size_t first, const nb::list& hypotheses, bool excess) const {
        return rows(first, hypotheses, 2 + 4 * order_, [excess](NgramCounts& counts, const NgramTrie& trie, const Tokens& hypothesis, auto& found) {
            counts.count_pooled(trie, hypothesis, excess, found);
        });
    }

private:
    template <typename Count>
    nb::list rows(std::size_t first, const nb::list& hypotheses, std::size_t width, Count&& count) const {
        check_range(first, hypotheses.size(), tries_.size());
        std::vector<Tokens> targets;
        targets.reserve(hypotheses.size());
        for (const nb::handle hypothesis : hypotheses) targets.push_back(vocabulary_.look_up(tuple_of(hypothesis, no_tuple_of_tokens)));
        NgramCounts counts(order_, limits_);
        std::vector<std::int64_t> found;
        std::vector<std::size_t> ends;
        each_sentence(first, targets.size(), [&](std::size_t k) {
            count(counts, tries_[first + k], targets[k], found);
            ends.push_back(found.size());
        });
        nb::list result;
        std::size_t next = 0;
        for (const std::size_t end : ends) {
            nb::list own;
            for (; next < end; next += width) {
                nb::list row;
                for (std::size_t column = 0; column < width; ++column) row.append(found[next + column]);
                own.append(nb::tuple(row));
            }
            result.append(nb::tuple(own));
        }
        return result;
    }

    Vocabulary vocabulary_;
    std::vector<NgramTrie> tries_;
    std::size_t order_;
    NgramLimits limits_;
};

}  // namespace

void bind_ngrams(nb::module_& module) {
    const NgramLimits limits;
    nb::class_<NgramCounter>(module, "NgramCounter", "N-grams of hypotheses, their sources and references, as GLEU counts them; a corpus is read once.")
        .def(nb::init<const nb::list&, std::size_t, std::size_t>(), "sentences"_a, "order"_a, nb::kw_only(), "most_ngrams"_a = limits.ngrams,
             nb::sig(with_limits("def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]], order: int",
                                 {{"most_ngrams", limits.ngrams}}, ") -> None")
                         .c_str()))
        .def("counts", &NgramCounter::counts, "first"_a, "hypotheses"_a, "excess"_a,
             nb::sig("def counts(self, first: int, hypotheses: list[tuple[str, ...]], excess: bool) -> list[tuple[tuple[int, ...], ...]]"),
             "Count consecutive sentences from `first`, a row for each reference: lengths, numerators and denominators.")
        .def("pooled_counts", &NgramCounter::pooled_counts, "first"_a, "hypotheses"_a, "excess"_a,
             nb::sig("def pooled_counts(self, first: int, hypotheses: list[tuple[str, ...]], excess: bool) -> list[tuple[tuple[int, ...], ...]]"),
             "Count consecutive sentences from `first`, a row for all references: both lengths, then n-grams gained, right, lost and to gain, "
             "each for every order.");
}

}  // namespace errata::bindings
