// I-measure for Python: mixed references, and alignments of three sentences.
#include "arguments.hpp"
#include "bindings.hpp"
#include "blocks.hpp"
#include "sentences.hpp"
#include "signatures.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

AlignmentCosts costs_of(int gap, int mismatch) {
    if (!(gap > 0 && gap <= 1000 && 2 * gap > mismatch && mismatch > gap)) throw nb::value_error("costs must satisfy 2 * gap > mismatch > gap > 0");
    return {gap, mismatch};
}

AlignmentLimits alignment_limits(std::size_t most_pairs, std::size_t most_aligned) {
    AlignmentLimits limits;
    limits.pairs = most_pairs;
    limits.aligned = most_aligned;
    return limits;
}

template <typename Numbers>
nb::tuple tuple_of_numbers(const Numbers& numbers) {
    nb::list row;
    for (const auto number : numbers) row.append(number);
    return nb::tuple(row);
}

Sites read_sites(Vocabulary& vocabulary, const nb::tuple& sites, std::size_t length) {
    Sites read;
    for (const nb::handle item : sites) {
        const nb::tuple site = tuple_of(item, "a site must be a tuple of start, end and variants");
        if (site.size() != 3) throw nb::value_error("a site must be a triple of start, end and variants");
        const std::size_t before = read.empty() ? 0 : read.back().end;
        Site& next = read.emplace_back();
        if (!nb::try_cast<std::size_t>(site[0], next.start) || !nb::try_cast<std::size_t>(site[1], next.end))
            throw nb::type_error("offsets must be whole numbers");
        if (next.start < before || next.end < next.start || next.end > length) throw nb::value_error("sites must be inside the sentence, in order, without overlap");
        for (const nb::handle variant : tuple_of(site[2], "variants must be a tuple"))
            next.variants.push_back(vocabulary.add(tuple_of(variant, "a variant must be a tuple of tokens")));
        if (next.variants.empty()) throw nb::value_error("a site must have a variant");
    }
    return read;
}

nb::list list_of_blocks(const std::vector<Block>& found) {
    nb::list blocks;
    for (const Block& block : found) {
        nb::list rows;
        for (const BlockRow& row : block.rows) rows.append(nb::make_tuple(tuple_of_numbers(row.choice), tuple_of_numbers(row.counts)));
        blocks.append(nb::make_tuple(block.first, block.last, rows));
    }
    return blocks;
}

class MixedReferences {
public:
    MixedReferences(const nb::list& sentences, int gap, int mismatch, bool realigned, std::size_t most_choices, std::size_t most_cells,
                    std::size_t most_bounds, std::size_t most_beginnings, std::size_t most_pairs, std::size_t most_aligned)
        : costs_(costs_of(gap, mismatch)),
          realigned_(realigned),
          limits_{most_choices, most_cells, most_bounds, most_beginnings, alignment_limits(most_pairs, most_aligned)} {
        for (const nb::handle item : sentences) {
            const nb::tuple sentence = tuple_of(item, "a sentence must be a tuple of source tokens and sites");
            if (sentence.size() != 2) throw nb::value_error("a sentence must be a pair of source tokens and sites");
            Place& read = places_.emplace_back();
            read.source = vocabulary_.add(tuple_of(sentence[0], no_tuple_of_tokens));
            read.sites = read_sites(vocabulary_, tuple_of(sentence[1], "sites must be a tuple"), read.source.size());
        }
        if (!realigned) return;
        MixtureSolver solver(costs_, limits_);
        each_sentence(0, places_.size(), [&](std::size_t k) {
            Place& place = places_[k];
            place.baseline = solver.solve(place.source, place.source, place.sites, per_system);
        });
    }

    nb::list blocks(std::size_t first, const nb::list& hypotheses) const {
        check_range(first, hypotheses.size(), places_.size());
        std::vector<Tokens> targets;
        for (const nb::handle hypothesis : hypotheses) targets.push_back(vocabulary_.look_up(tuple_of(hypothesis, no_tuple_of_tokens)));
        std::vector<std::vector<Block>> found(targets.size());
        MixtureSolver solver(costs_, limits_);
        each_sentence(first, targets.size(), [&](std::size_t k) {
            const Place& place = places_[first + k];
            if (realigned_ && !place.baseline) return;
            const std::optional<Mixtures> mixtures = solver.solve(place.source, targets[k], place.sites, realigned_ ? per_system : 2 * per_system);
            if (mixtures) found[k] = BlockList(*mixtures, realigned_ ? &*place.baseline : nullptr, limits_).list();
        });
        nb::list result;
        for (const auto& sentence : found) result.append(list_of_blocks(sentence));
        return result;
    }

private:
    struct Place {
        Tokens source;
        Sites sites;
        std::optional<Mixtures> baseline;
    };

    Vocabulary vocabulary_;
    AlignmentCosts costs_;
    bool realigned_;
    BlocksLimits limits_;
    std::vector<Place> places_;
};

nb::tuple list_blocks(const nb::tuple& source, const nb::tuple& hypothesis, const nb::tuple& sites, int gap, int mismatch, bool realigned,
                      std::size_t most_choices, std::size_t most_cells, std::size_t most_bounds, std::size_t most_beginnings,
                      std::size_t most_pairs, std::size_t most_aligned) {
    const AlignmentCosts costs = costs_of(gap, mismatch);
    const BlocksLimits limits{most_choices, most_cells, most_bounds, most_beginnings, alignment_limits(most_pairs, most_aligned)};
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(hypothesis);
    const Sites places = read_sites(vocabulary, sites, from.size());
    std::vector<Block> found;
    std::size_t work = 0;
    {
        const nb::gil_scoped_release unlocked;
        MixtureSolver solver(costs, limits);
        const auto solve = [&](const Tokens& tokens) {
            std::optional<Mixtures> mixtures = solver.solve(from, tokens, places, realigned ? per_system : 2 * per_system);
            work += solver.work();
            return mixtures;
        };
        std::optional<Mixtures> baseline;
        if (realigned) baseline = solve(from);
        if (!realigned || baseline) {
            if (const std::optional<Mixtures> mixtures = solve(to)) {
                BlockList list(*mixtures, realigned ? &*baseline : nullptr, limits);
                found = list.list();
                work += list.work();
            }
        }
    }
    return nb::make_tuple(list_of_blocks(found), work);
}

nb::tuple count_three_way(const nb::tuple& source, const nb::tuple& hypothesis, const nb::tuple& references, int gap, int mismatch,
                          std::size_t most_pairs, std::size_t most_aligned, std::size_t most_work) {
    const AlignmentCosts costs = costs_of(gap, mismatch);
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(hypothesis);
    std::vector<Tokens> wanted;
    for (const nb::handle reference : references) wanted.push_back(vocabulary.add(tuple_of(reference, no_tuple_of_tokens)));
    std::vector<ColumnCounts> found;
    std::size_t work = 0;
    {
        const nb::gil_scoped_release unlocked;
        ThreeWay three_way(alignment_limits(most_pairs, most_aligned));
        three_way.prepare(from, to, costs);
        for (const Tokens& reference : wanted) {
            const std::optional<AlignedCounts> aligned = three_way.counts(reference, most_work - work);
            if (!aligned) break;
            work += aligned->effort.work;
            found.push_back(aligned->counts);
        }
    }
    nb::list rows;
    for (const ColumnCounts& counts : found) rows.append(tuple_of_numbers(counts));
    return nb::make_tuple(rows, work);
}

nb::tuple align_three_way(const nb::tuple& source, const nb::tuple& hypothesis, const nb::tuple& reference, int gap, int mismatch,
                          std::size_t most_pairs, std::size_t most_aligned) {
    const AlignmentCosts costs = costs_of(gap, mismatch);
    Vocabulary vocabulary;
    const Tokens from = vocabulary.add(source), to = vocabulary.add(hypothesis), wanted = vocabulary.add(reference);
    AlignedColumns found;
    {
        const nb::gil_scoped_release unlocked;
        ThreeWay three_way(alignment_limits(most_pairs, most_aligned));
        three_way.prepare(from, to, costs);
        found = three_way.columns(wanted);
    }
    nb::list columns;
    for (const auto& [s, h, r] : found.columns) columns.append(nb::make_tuple(s, h, r));
    return nb::make_tuple(columns, found.effort.visited, found.effort.cells);
}

}  // namespace

void bind_imeasure(nb::module_& module) {
    const BlocksLimits limits;
    const auto block_limits = {std::pair<const char*, std::size_t>{"most_cells", limits.cells},
                               {"most_bounds", limits.bounds},
                               {"most_beginnings", limits.beginnings},
                               {"most_pairs", limits.alignment.pairs},
                               {"most_aligned", limits.alignment.aligned}};
    nb::class_<MixedReferences>(module, "MixedReferences", "All references that mix variants of text, scored without listing them.")
        .def(nb::init<const nb::list&, int, int, bool, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>(),
             "sentences"_a, "gap"_a, "mismatch"_a, "realigned"_a, "most_choices"_a, nb::kw_only(), "most_cells"_a = limits.cells,
             "most_bounds"_a = limits.bounds, "most_beginnings"_a = limits.beginnings, "most_pairs"_a = limits.alignment.pairs,
             "most_aligned"_a = limits.alignment.aligned,
             nb::sig(with_limits("def __init__(self, sentences: list[tuple[tuple[str, ...], tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...]]], "
                                 "gap: int, mismatch: int, realigned: bool, most_choices: int",
                                 block_limits, ") -> None")
                         .c_str()))
        .def("blocks", &MixedReferences::blocks, "first"_a, "hypotheses"_a,
             nb::sig("def blocks(self, first: int, hypotheses: list[tuple[str, ...]]) -> "
                     "list[list[tuple[int, int, list[tuple[tuple[int, ...], tuple[int, ...]]]]]]"),
             "List the independent blocks of consecutive sentences from `first`: first site, site after the last, and the distinct counts with "
             "the first choice of variants that has them.  A sentence with too many of them or too many cells has no blocks.");
    module.def("list_blocks", &list_blocks, "source"_a, "hypothesis"_a, "sites"_a, "gap"_a, "mismatch"_a, "realigned"_a, "most_choices"_a,
               nb::kw_only(), "most_cells"_a = limits.cells, "most_bounds"_a = limits.bounds, "most_beginnings"_a = limits.beginnings,
               "most_pairs"_a = limits.alignment.pairs, "most_aligned"_a = limits.alignment.aligned,
               nb::sig(with_limits("def list_blocks(source: tuple[str, ...], hypothesis: tuple[str, ...], "
                                   "sites: tuple[tuple[int, int, tuple[tuple[str, ...], ...]], ...], gap: int, mismatch: int, realigned: bool, "
                                   "most_choices: int",
                                   block_limits, ") -> tuple[list[tuple[int, int, list[tuple[tuple[int, ...], tuple[int, ...]]]]], int]")
                           .c_str()),
               "List the independent blocks of one sentence, as `MixedReferences` does; also the work.");
    module.def("count_three_way", &count_three_way, "source"_a, "hypothesis"_a, "references"_a, "gap"_a, "mismatch"_a, nb::kw_only(),
               "most_pairs"_a = limits.alignment.pairs, "most_aligned"_a = limits.alignment.aligned, "most_work"_a = limits.alignment.work,
               nb::sig(with_limits("def count_three_way(source: tuple[str, ...], hypothesis: tuple[str, ...], references: tuple[tuple[str, ...], ...], "
                                   "gap: int, mismatch: int",
                                   {{"most_pairs", limits.alignment.pairs},
                                    {"most_aligned", limits.alignment.aligned},
                                    {"most_work", limits.alignment.work}},
                                   ") -> tuple[list[tuple[int, ...]], int]")
                           .c_str()),
               "Count the columns of alignments with references by class, for the hypothesis and the source, while work is left; also the work.");
    module.def("align_three_way", &align_three_way, "source"_a, "hypothesis"_a, "reference"_a, "gap"_a, "mismatch"_a, nb::kw_only(),
               "most_pairs"_a = limits.alignment.pairs, "most_aligned"_a = limits.alignment.aligned,
               nb::sig(with_limits("def align_three_way(source: tuple[str, ...], hypothesis: tuple[str, ...], reference: tuple[str, ...], gap: int, "
                                   "mismatch: int",
                                   {{"most_pairs", limits.alignment.pairs}, {"most_aligned", limits.alignment.aligned}}, ") -> tuple[list[tuple[bool, bool, bool]], int, int]")
                           .c_str()),
               "Find which of the three have a token in each column of an exact alignment; also the numbers of visited and of all cells.");
}

}  // namespace errata::bindings
