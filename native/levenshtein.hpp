// The lattice of all shortest edit paths between two token sequences.
//
// MaxMatch uses the shortest paths of a Levenshtein matrix (Dahlmeier and Ng 2012, section 2).  Its official scorer takes the
// union of those of two matrices, one in which a substitution costs 1 and one in which it costs 2.  A vertex (i, j) means
// that i source and j target tokens are consumed.  One byte per vertex says which arcs lead into it, for each of the two
// matrices.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "diagonals.hpp"

namespace errata {

// Arcs into a vertex; shifted left by 3 for the second matrix.
enum : std::uint8_t { diagonal_arc = 1, deletion_arc = 2, insertion_arc = 4, second_matrix_shift = 3, first_member = 64, second_member = 128 };

class Lattice {
public:
    void build(const Tokens& source, const Tokens& target) {
        rows_ = static_cast<int>(source.size()) + 1;
        columns_ = static_cast<int>(target.size()) + 1;
        const std::size_t cells = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
        cells_.assign(cells, 0);
        find_predecessors(source, target, diagonals_.find(source, target));
        keep_what_reaches_the_end();
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    std::size_t index(int i, int j) const { return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j); }
    bool contains(int i, int j) const { return (cells_[index(i, j)] & (first_member | second_member)) != 0; }
    // How many of the two matrices have this arc into a vertex of the lattice: the official scorer stores it once for each.
    int copies(int i, int j, int arc) const {
        const int cell = cells_[index(i, j)];
        return ((cell & arc) != 0) + ((cell & (arc << second_matrix_shift)) != 0);
    }
    // Whether the first matrix has the arc, and the vertex.
    bool in_first(int i, int j, int arc) const { return (cells_[index(i, j)] & first_member) != 0 && (cells_[index(i, j)] & arc) != 0; }
    // The first and last column with a vertex in row i; every row has one.
    int first_column(int i) const { return row_at_[static_cast<std::size_t>(i)].first; }
    int last_column(int i) const { return row_at_[static_cast<std::size_t>(i)].last; }
    // A number for each vertex: the columns between the first and the last of each row are counted, row by row.
    std::size_t slot(int i, int j) const { return static_cast<std::size_t>(row_at_[static_cast<std::size_t>(i)].before + j); }
    std::size_t slots() const { return static_cast<std::size_t>(slots_); }

private:
    // The first and last vertex of a row, and the slots before it, less the first.
    struct Row {
        int first, last;
        std::int64_t before;
    };

    static constexpr std::int32_t far = 1 << 29;
    static constexpr std::size_t report_at = 4096;  // cells; fewer are not worth a report

    // Cells outside the diagonals have no arcs, and are infinitely far for those inside.
    void find_predecessors(const Tokens& source, const Tokens& target, Diagonals diagonals) {
        const auto width = static_cast<std::size_t>(columns_);
        first_row_.resize(width);
        second_row_.resize(width);
        // Plain pointers: the compiler must assume that writing a byte of a cell could change the vectors themselves.
        std::int32_t* const first_row = first_row_.data();
        std::int32_t* const second_row = second_row_.data();
        const Token* const other = target.data();
        for (int j = 0; j <= diagonals.last; ++j) {
            first_row[j] = second_row[j] = j;
            if (j > 0) cells_[static_cast<std::size_t>(j)] = insertion_arc | insertion_arc << second_matrix_shift;
        }
        std::size_t visited = 0;
        for (int i = 1; i < rows_; ++i) {
            const int begin = std::max(0, i + diagonals.first), end = std::min(columns_ - 1, i + diagonals.last);
            if (i + diagonals.last < columns_) first_row[end] = second_row[end] = far;  // no cell above
            std::uint8_t* const cell = cells_.data() + static_cast<std::size_t>(i) * width;
            std::int32_t first_left = far, second_left = far, first_corner = far, second_corner = far;
            int j = begin;
            if (begin == 0) {
                first_corner = first_row[0];
                second_corner = second_row[0];
                first_row[0] = second_row[0] = first_left = second_left = i;
                cell[0] = deletion_arc | deletion_arc << second_matrix_shift;
                ++j;
            } else {
                first_corner = first_row[begin - 1];
                second_corner = second_row[begin - 1];
            }
            const Token token = source[static_cast<std::size_t>(i - 1)];
            for (; j <= end; ++j) {
                const int different = same(token, other[j - 1]) ? 0 : 1;
                const int first = step(first_row[j], first_left, first_corner, different);
                const int second = step(second_row[j], second_left, second_corner, 2 * different);
                cell[j] = static_cast<std::uint8_t>(first | second << second_matrix_shift);
            }
            if ((visited += static_cast<std::size_t>(end - begin) + 1) < report_at && i + 1 < rows_) continue;
            report_work(visited);
            visited = 0;
        }
    }

    // One cell of one matrix: `above` and `left` become its value, `corner` the value above it, for the next column.
    static int step(std::int32_t& above, std::int32_t& left, std::int32_t& corner, int substitution) {
        const std::int32_t by_diagonal = corner + substitution, by_deletion = above + 1, by_insertion = left + 1;
        const std::int32_t best = std::min(by_diagonal, std::min(by_deletion, by_insertion));
        corner = above;
        above = left = best;
        return static_cast<int>(by_diagonal == best) | static_cast<int>(by_deletion == best) << 1 | static_cast<int>(by_insertion == best) << 2;
    }

    // From the last vertex backwards: vertices on a shortest path become members, and only members keep their arcs.
    void keep_what_reaches_the_end() {
        row_at_.assign(static_cast<std::size_t>(rows_), {columns_, -1, 0});
        reach(rows_ - 1, columns_ - 1, first_member | second_member);
        for (int i = rows_ - 1; i >= 0; --i) {
            report_work(static_cast<std::size_t>(last_column(i) - first_column(i) + 1));
            for (int j = last_column(i); j >= first_column(i); --j) {
                std::uint8_t& cell = cells_[index(i, j)];
                if ((cell & (first_member | second_member)) == 0) continue;
                int arcs = cell;
                if ((arcs & first_member) == 0) arcs &= ~(diagonal_arc | deletion_arc | insertion_arc);
                if ((arcs & second_member) == 0) arcs &= ~((diagonal_arc | deletion_arc | insertion_arc) << second_matrix_shift);
                cell = static_cast<std::uint8_t>(arcs);
                if (const int members = members_over(arcs, diagonal_arc); members != 0) reach(i - 1, j - 1, members);
                if (const int members = members_over(arcs, deletion_arc); members != 0) reach(i - 1, j, members);
                if (const int members = members_over(arcs, insertion_arc); members != 0) reach(i, j - 1, members);
            }
        }
        slots_ = 0;
        for (Row& row : row_at_) {
            row.before = slots_ - row.first;
            slots_ += row.last - row.first + 1;
        }
    }

    static int members_over(int arcs, int arc) {
        return ((arcs & arc) != 0 ? first_member : 0) | ((arcs & arc << second_matrix_shift) != 0 ? second_member : 0);
    }

    void reach(int i, int j, int members) {
        cells_[index(i, j)] = static_cast<std::uint8_t>(cells_[index(i, j)] | members);
        Row& row = row_at_[static_cast<std::size_t>(i)];
        row.first = std::min(row.first, j);
        row.last = std::max(row.last, j);
    }

    int rows_ = 0, columns_ = 0;
    DiagonalFinder diagonals_;
    std::vector<std::uint8_t> cells_;
    std::vector<std::int32_t> first_row_, second_row_;
    std::vector<Row> row_at_;
    std::int64_t slots_ = 0;
};

}  // namespace errata
