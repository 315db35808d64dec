// Tables of whole numbers for NumPy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>

namespace errata::bindings {

namespace nb = nanobind;

using Table = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;

// A table of zeros that Python owns, and the memory behind it.
inline std::pair<Table, std::int32_t*> table_of(std::size_t rows, std::size_t columns) {
    auto memory = std::make_unique<std::int32_t[]>(rows * columns);
    nb::capsule owner(memory.get(), [](void* data) noexcept { delete[] static_cast<std::int32_t*>(data); });
    std::int32_t* const cells = memory.release();  // the capsule deletes it, also if the table cannot be made
    return {Table(cells, {rows, columns}, owner), cells};
}

}  // namespace errata::bindings
