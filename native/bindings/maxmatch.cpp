// MaxMatch for Python.
#include "arguments.hpp"
#include "bindings.hpp"
#include "maxmatch.hpp"
#include "sentences.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

struct Sentence {
    Tokens source;
    std::vector<GoldEdits> annotators;
};

class MaxMatchJudge {
public:
    MaxMatchJudge(const nb::list& sentences, int max_unchanged, std::uint64_t most_work, std::uint64_t most_searched, std::size_t most_steps,
                  std::size_t most_arcs)
        : max_unchanged_(max_unchanged), limits_{most_work, most_searched, most_steps, most_arcs} {
        if (max_unchanged < 0) throw nb::value_error("max_unchanged must not be negative");
        sentences_.reserve(sentences.size());
        for (const nb::handle item : sentences) {
            const nb::tuple sentence = tuple_of(item, "a sentence must be a tuple of source tokens and annotators");
            if (sentence.size() != 2) throw nb::value_error("a sentence must be a pair of source tokens and annotators");
            Sentence& read = sentences_.emplace_back();
            read.source = vocabulary_.add(tuple_of(sentence[0], no_tuple_of_tokens));
            for (const nb::handle annotator : tuple_of(sentence[1], "annotators must be a tuple"))
                read.annotators.push_back(read_gold(tuple_of(annotator, "an annotator must be a tuple of edits"), read.source.size()));
        }
    }

    nb::list counts(std::size_t first, const nb::list& hypotheses) const {
        check_range(first, hypotheses.size(), sentences_.size());
        std::vector<Tokens> targets;
        targets.reserve(hypotheses.size());
        for (const nb::handle hypothesis : hypotheses) targets.push_back(vocabulary_.look_up(tuple_of(hypothesis, no_tuple_of_tokens)));
        std::vector<Counts> found;
        MaxMatch maxmatch(limits_);
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

    nb::tuple probe(std::size_t sentence_index, const nb::tuple& hypothesis) const {
        const Sentence& sentence = sentence_with_pool(sentence_index);
        const Tokens target = vocabulary_.look_up(hypothesis);
        std::vector<bool> matching;
        std::vector<int> cuts;
        each_sentence(sentence_index, 1, [&](std::size_t) {
            MaxMatch maxmatch(limits_);
            maxmatch.prepare(sentence.source, target);
            for (const GoldEdit& edit : sentence.annotators[0]) matching.push_back(maxmatch.can_match(edit, max_unchanged_));
            cuts = maxmatch.cuts(max_unchanged_);
        });
        nb::list flags, positions;
        for (const bool flag : matching) flags.append(flag);
        for (const int position : cuts) positions.append(position);
        return nb::make_tuple(flags, positions);
    }

    nb::list counts_of(std::size_t sentence_index, const nb::tuple& hypothesis, const nb::list& selections) const {
        const Sentence& sentence = sentence_with_pool(sentence_index);
        const Tokens target = vocabulary_.look_up(hypothesis);
        const GoldEdits& pool = sentence.annotators[0];
        std::vector<std::vector<std::size_t>> selected;
        for (const nb::handle item : selections) {
            selected.emplace_back();
            for (const nb::handle number : tuple_of(item, "a selection must be a tuple of indices of edits")) {
                std::size_t edit = 0;
                if (!nb::try_cast<std::size_t>(number, edit) || edit >= pool.size()) throw nb::index_error("a selection has an edit that does not exist");
                selected.back().push_back(edit);
            }
        }
        struct Found {
            Counts counts;
            bool proven;
        };
        std::vector<Found> found;
        each_sentence(sentence_index, 1, [&](std::size_t) {
            MaxMatch maxmatch(limits_);
            maxmatch.prepare(sentence.source, target);
            GoldEdits gold;
            for (const auto& edits : selected) {
                gold.clear();
                for (const std::size_t edit : edits) gold.push_back(pool[edit]);
                const Counts counts = maxmatch.counts(gold, max_unchanged_);
                found.push_back({counts, maxmatch.proven()});
            }
        });
        nb::list result;
        for (const Found& one : found) result.append(nb::make_tuple(one.counts.correct, one.counts.proposed, one.proven));
        return result;
    }

    nb::list edits(std::size_t sentence_index, const nb::tuple& hypothesis) const {
        check_range(sentence_index, 1, sentences_.size());
        const Sentence& sentence = sentences_[sentence_index];
        const Tokens target = vocabulary_.look_up(hypothesis);
        std::vector<std::vector<MatchedEdit>> found;
        each_sentence(sentence_index, 1, [&](std::size_t) {
            MaxMatch maxmatch(limits_);
            maxmatch.prepare(sentence.source, target);
            for (const GoldEdits& gold : sentence.annotators) found.push_back(maxmatch.edits(gold, max_unchanged_));
        });
        // The record of the twin; it is looked up here because importing it needs this module.
        const nb::object record = nb::module_::import_("errata.core.edits").attr("MatchedEdit");
        const nb::object make = nb::handle(reinterpret_cast<PyObject*>(&PyTuple_Type)).attr("__new__");  // a record is a tuple
        nb::list result;
        for (const auto& annotator : found) {
            nb::list edits;
            for (const MatchedEdit& edit : annotator)
                edits.append(make(record, nb::make_tuple(edit.start, edit.end, edit.target_start, edit.target_end, edit.gold)));
            result.append(edits);
        }
        return result;
    }

private:
    const Sentence& sentence_with_pool(std::size_t sentence_index) const {
        check_range(sentence_index, 1, sentences_.size());
        if (sentences_[sentence_index].annotators.empty()) throw nb::value_error("the sentence has no edits to select from");
        return sentences_[sentence_index];
    }

    GoldEdits read_gold(const nb::tuple& edits, std::size_t length) {
        GoldEdits gold;
        gold.reserve(edits.size());
        for (const nb::handle item : edits) {
            const nb::tuple edit = tuple_of(item, "an edit must be a tuple of start, end and corrections");
            if (edit.size() != 3) throw nb::value_error("an edit must be a triple of start, end and corrections");
            GoldEdit& read = gold.emplace_back();
            if (!nb::try_cast<int>(edit[0], read.start) || !nb::try_cast<int>(edit[1], read.end)) throw nb::type_error("offsets must be whole numbers");
            if (read.start < 0 || read.end < read.start || static_cast<std::size_t>(read.end) > length)
                throw nb::value_error("an edit lies outside its sentence");
            for (const nb::handle correction : tuple_of(edit[2], "corrections must be a tuple"))
                read.corrections.push_back(vocabulary_.add(tuple_of(correction, "a correction must be a tuple of tokens")));
        }
        return gold;
    }

    Vocabulary vocabulary_;
    std::vector<Sentence> sentences_;
    int max_unchanged_;
    MaxMatchLimits limits_;
};

}  // namespace

void bind_maxmatch(nb::module_& module) {
    const MaxMatchLimits limits;
    nb::class_<MaxMatchJudge>(module, "MaxMatchJudge", "MaxMatch counts of hypotheses against a corpus, which is read once.")
        .def(nb::init<const nb::list&, int, std::uint64_t, std::uint64_t, std::size_t, std::size_t>(), "sentences"_a, "max_unchanged"_a, nb::kw_only(),
             "most_work"_a = limits.work, "most_searched"_a = limits.searched, "most_steps"_a = limits.steps, "most_arcs"_a = limits.arcs,
             nb::sig(with_limits("def __init__(self, sentences: list[tuple[tuple[str, ...], "
                                 "tuple[tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], ...]]], max_unchanged: int",
                                 {{"most_work", limits.work}, {"most_searched", limits.searched}, {"most_steps", limits.steps}, {"most_arcs", limits.arcs}},
                                 ") -> None")
                         .c_str()))
        .def("counts", &MaxMatchJudge::counts, "first"_a, "hypotheses"_a,
             nb::sig("def counts(self, first: int, hypotheses: list[tuple[str, ...]]) -> list[tuple[tuple[int, int, int], ...]]"),
             "Count correct, proposed and gold edits of consecutive sentences from `first`, one row for each annotator.")
        .def("probe", &MaxMatchJudge::probe, "sentence"_a, "hypothesis"_a,
             nb::sig("def probe(self, sentence: int, hypothesis: tuple[str, ...]) -> tuple[list[bool], list[int]]"),
             "Find which edits of the first annotator can match, and the positions of the source between which counts are independent.")
        .def("counts_of", &MaxMatchJudge::counts_of, "sentence"_a, "hypothesis"_a, "selections"_a,
             nb::sig("def counts_of(self, sentence: int, hypothesis: tuple[str, ...], selections: list[tuple[int, ...]]) -> "
                     "list[tuple[int, int, bool]]"),
             "Count correct and proposed edits for each selection of edits of the first annotator, and whether the one pass proves them.")
        .def("edits", &MaxMatchJudge::edits, "sentence"_a, "hypothesis"_a,
             nb::sig("def edits(self, sentence: int, hypothesis: tuple[str, ...]) -> list[list[errata.core.edits.MatchedEdit]]"),
             "List the edits found for each annotator, each with the gold edit that it matches.");
}

}  // namespace errata::bindings
