// MaxMatch from texts for Python.
#include "text_gold.hpp"

#include <optional>

#include "bindings.hpp"
#include "signatures.hpp"
#include "tables.hpp"
#include "text_columns.hpp"

namespace errata::bindings {

using namespace nb::literals;

namespace {

// Gold of texts that Python owns.  Nothing changes after it is made, so that threads can share it.
class TextGoldOwner {
public:
    TextGoldOwner(nb::handle source, nb::handle references, int max_unchanged, std::size_t first, std::size_t max_tokens, std::uint64_t most_work,
                  std::uint64_t most_searched, std::size_t most_steps, std::size_t most_arcs)
        : first_(first) {
        if (!PyList_Check(references.ptr()) && !PyTuple_Check(references.ptr())) throw nb::type_error("references must be a list with the texts of each");
        columns_.emplace_back(source, "source", first);
        std::vector<Texts> texts;
        for (const nb::handle reference : references) {
            columns_.emplace_back(reference, "reference " + std::to_string(columns_.size()), first);
            texts.push_back(columns_.back().take());
        }
        gold_.emplace(columns_.front().take(), std::move(texts), max_unchanged, first, max_tokens,
                      MaxMatchLimits{most_work, most_searched, most_steps, most_arcs});
        const nb::gil_scoped_release unlocked;
        gold_->prepare();
    }

    TextGoldOwner(const TextGoldOwner&) = delete;
    TextGoldOwner& operator=(const TextGoldOwner&) = delete;

    Table counts(nb::handle hypotheses) const {
        const TextColumn column(hypotheses, "hypothesis", first_);
        gold_->check_count(column.texts(), "hypotheses");
        auto [table, cells] = table_of(gold_->rows(), 3);
        {
            const nb::gil_scoped_release unlocked;
            gold_->count(column.texts(), cells);
        }
        return table;
    }

    nb::bytes content(std::size_t start, std::size_t stop) const {
        if (start > stop || stop > gold_->sentences()) throw nb::index_error("start and stop must be a range of sentences");
        std::string found;
        {
            const nb::gil_scoped_release unlocked;
            gold_->write_content(start, stop, found);
        }
        return nb::bytes(found.data(), found.size());
    }

private:
    std::size_t first_;
    std::vector<TextColumn> columns_;
    std::optional<TextGold> gold_;
};

}  // namespace

void bind_text_gold(nb::module_& module) {
    const MaxMatchLimits limits;
    const TextLimits texts;
    nb::class_<TextGoldOwner>(module, "TextGold", "MaxMatch counts of texts against references, whose edits are found once.")
        .def(nb::init<nb::handle, nb::handle, int, std::size_t, std::size_t, std::uint64_t, std::uint64_t, std::size_t, std::size_t>(), "source"_a.none(),
             "references"_a.none(), "max_unchanged"_a, "first"_a = 1, nb::kw_only(), "max_tokens"_a = texts.tokens, "most_work"_a = limits.work,
             "most_searched"_a = limits.searched, "most_steps"_a = limits.steps, "most_arcs"_a = limits.arcs,
             nb::sig(with_limits("def __init__(self, source: typing.Any, references: collections.abc.Sequence[typing.Any], max_unchanged: int, first: int = 1",
                                 {{"max_tokens", texts.tokens},
                                  {"most_work", limits.work},
                                  {"most_searched", limits.searched},
                                  {"most_steps", limits.steps},
                                  {"most_arcs", limits.arcs}},
                                 ") -> None")
                         .c_str()))
        .def("counts", &TextGoldOwner::counts, "hypotheses"_a.none(), nb::sig("def counts(self, hypotheses: typing.Any) -> typing.Any"),
             "Count correct, proposed and gold edits: one row for each sentence and reference.")
        .def("content", &TextGoldOwner::content, "start"_a, "stop"_a, nb::sig("def content(self, start: int, stop: int) -> bytes"),
             "Write what a fingerprint is computed from, for the sentences from one index up to another.");
}

}  // namespace errata::bindings
