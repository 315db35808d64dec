// Texts of Python: lists of str, and arrays of any library with Arrow's PyCapsule interface, read in place.
#pragma once

#include <nanobind/nanobind.h>

#include <limits>
#include <string>

#include "texts.hpp"

namespace errata::bindings {

namespace nb = nanobind;

// The two structures of the Arrow C data interface, as its specification declares them.
struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

// The texts of one argument, which it keeps alive.
class TextColumn {
public:
    // `column` and `first`, the number of the first sentence, are for messages.
    TextColumn(nb::handle object, const std::string& column, std::size_t first) {
        if (PyList_Check(object.ptr()))
            read_list(object, column, first);
        else if (nb::hasattr(object, "__arrow_c_array__"))
            read_array(object, column, first);
        else
            throw nb::type_error("texts must be a list of str or an Arrow array of strings");
    }

    const Texts& texts() const { return texts_; }
    Texts take() { return std::move(texts_); }

private:
    // An array that is released in the end; what releases it may need the interpreter, so this must be deleted with the lock.
    struct OwnedArray {
        OwnedArray() = default;
        OwnedArray(OwnedArray&& other) noexcept : array(other.array) { other.array.release = nullptr; }
        OwnedArray(const OwnedArray&) = delete;
        OwnedArray& operator=(const OwnedArray&) = delete;
        OwnedArray& operator=(OwnedArray&&) = delete;
        ~OwnedArray() {
            if (array.release == nullptr) return;
            const nb::error_scope kept;  // an error may be on its way, and what releases the array may run Python
            array.release(&array);
        }

        ArrowArray array{};
    };

    static std::string refusal(std::size_t number, const std::string& column, const char* what) {
        return "sentence " + std::to_string(number) + " cannot be scored: its " + column + ' ' + what;
    }

    void read_list(nb::handle list, const std::string& column, std::size_t first) {
        strings_ = nb::steal(PyList_AsTuple(list.ptr()));  // the list may change
        if (!strings_.is_valid()) nb::raise_python_error();
        for (const nb::handle item : nb::borrow<nb::tuple>(strings_)) {
            if (!PyUnicode_Check(item.ptr())) throw nb::type_error("a text must be a str");
            Py_ssize_t size = 0;
            const char* const bytes = PyUnicode_AsUTF8AndSize(item.ptr(), &size);  // valid as long as the str
            if (bytes != nullptr) {
                texts_.emplace_back(bytes, static_cast<std::size_t>(size));
                continue;
            }
            if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError) == 0) nb::raise_python_error();
            PyErr_Clear();
            throw nb::value_error(refusal(first + texts_.size(), column, "has a surrogate, which is no character").c_str());
        }
    }

    template <typename Structure>
    static Structure* structure_of(nb::handle capsule, const char* name) {
        if (PyCapsule_IsValid(capsule.ptr(), name) == 0) throw nb::type_error("__arrow_c_array__ must return capsules of a schema and an array");
        auto* const found = static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name));
        if (found->release == nullptr) throw nb::value_error("an Arrow array must not be released before it is read");
        return found;
    }

    void read_array(nb::handle object, const std::string& column, std::size_t first) {
        const nb::object capsules = object.attr("__arrow_c_array__")();
        if (!PyTuple_Check(capsules.ptr()) || nb::len(capsules) != 2) throw nb::type_error("__arrow_c_array__ must return a schema and an array");
        const auto* const schema = structure_of<ArrowSchema>(capsules[0], "arrow_schema");
        auto* const given = structure_of<ArrowArray>(capsules[1], "arrow_array");
        const std::string format = schema->format == nullptr || schema->dictionary != nullptr ? "" : schema->format;
        if (format != "u" && format != "U" && format != "vu")
            throw nb::type_error("an Arrow array of texts must have the type string, large_string or string_view");
        owned_.array = *given;
        given->release = nullptr;  // moved
        const ArrowArray& array = owned_.array;
        const bool has_views = format == "vu";
        constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
        if (array.length < 0 || array.offset < 0 || array.length > std::numeric_limits<std::int64_t>::max() - 1 - array.offset || array.buffers == nullptr ||
            (has_views ? array.n_buffers < 3 || array.n_buffers > most : array.n_buffers != 3))
            throw nb::value_error("an Arrow array of texts must have a length, an offset and its buffers");
        const auto count = static_cast<std::size_t>(array.length), offset = static_cast<std::size_t>(array.offset);
        check_nulls(array, column, first);
        if (has_views) {
            const auto buffers = static_cast<std::size_t>(array.n_buffers) - 3;
            const auto* const views = static_cast<const StringView*>(array.buffers[1]);
            texts_ = make_texts(views == nullptr ? nullptr : views + offset, reinterpret_cast<const char* const*>(array.buffers + 2),
                                static_cast<const std::int64_t*>(array.buffers[buffers + 2]), buffers, count);
        } else if (format == "u") {
            read_offsets<std::int32_t>(array, offset, count);
        } else {
            read_offsets<std::int64_t>(array, offset, count);
        }
    }

    template <typename Offset>
    void read_offsets(const ArrowArray& array, std::size_t offset, std::size_t count) {
        const auto* const offsets = static_cast<const Offset*>(array.buffers[1]);
        texts_ = make_texts(offsets == nullptr ? nullptr : offsets + offset, static_cast<const char*>(array.buffers[2]), count);
    }

    static void check_nulls(const ArrowArray& array, const std::string& column, std::size_t first) {
        const auto* const valid = static_cast<const unsigned char*>(array.buffers[0]);
        if (array.null_count == 0 || array.length == 0) return;
        for (std::int64_t k = 0; valid != nullptr && k < array.length; ++k) {
            const auto bit = static_cast<std::size_t>(array.offset + k);
            if ((valid[bit / 8] >> (bit % 8) & 1) == 0)
                throw nb::value_error(refusal(first + static_cast<std::size_t>(k), column, "is null").c_str());
        }
    }

    OwnedArray owned_;
    nb::object strings_;
    Texts texts_;
};

}  // namespace errata::bindings
