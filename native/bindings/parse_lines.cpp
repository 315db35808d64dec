// Parsed sentences of files for Python.
#include "parse_lines.hpp"

#include <unordered_map>

#include "bindings.hpp"

namespace errata::bindings {

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Reads the lines of parsed sentences; equal cells are one string.
class ParseReader {
public:
    nb::object read(nb::handle text) {
        if (!PyUnicode_Check(text.ptr())) throw nb::type_error("lines must be a str");
        Py_ssize_t size = 0;
        const char* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (characters == nullptr) nb::raise_python_error();
        if (!split_parse_lines({characters, static_cast<std::size_t>(size)}, lines_)) return nb::none();
        if (known_.size() > most_known) known_.clear();
        nb::list heads;
        for (const std::size_t head : lines_.heads) heads.append(head);
        return nb::make_tuple(share(lines_.forms), share(lines_.lemmas), share(lines_.pos), share(lines_.tags), nb::tuple(heads), share(lines_.deps));
    }

private:
    static constexpr std::size_t most_known = 1'000'000;

    nb::object share(const std::vector<std::string_view>& cells) {
        nb::object column = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(cells.size())));
        if (!column.is_valid()) nb::raise_python_error();
        for (std::size_t k = 0; k < cells.size(); ++k) {
            nb::object cell = share(cells[k]);
            if (PyTuple_SetItem(column.ptr(), static_cast<Py_ssize_t>(k), cell.release().ptr()) != 0) nb::raise_python_error();
        }
        return column;
    }

    nb::object share(std::string_view cell) {
        const auto found = known_.find(cell);
        if (found != known_.end()) return found->second;
        nb::object made = nb::steal(PyUnicode_FromStringAndSize(cell.data(), static_cast<Py_ssize_t>(cell.size())));
        if (!made.is_valid()) nb::raise_python_error();
        Py_ssize_t size = 0;
        const char* const characters = PyUnicode_AsUTF8AndSize(made.ptr(), &size);  // valid as long as the string
        if (characters == nullptr) nb::raise_python_error();
        return known_.emplace(std::string_view(characters, static_cast<std::size_t>(size)), made).first->second;
    }

    ParseLines lines_;
    std::unordered_map<std::string_view, nb::object> known_;
};

}  // namespace

void bind_parse_lines(nb::module_& module) {
    nb::class_<ParseReader>(module, "ParseReader", "Reads the lines of parsed sentences that errata wrote; equal cells are one string.")
        .def(nb::init<>())
        .def("read", &ParseReader::read, "text"_a,
             nb::sig("def read(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[int, ...], "
                     "tuple[str, ...]] | None"),
             "Split lines into forms, lemmas, parts of speech, tags, heads and dependencies; None if they are written in another way.");
}

}  // namespace errata::bindings
