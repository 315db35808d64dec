// The lattice of all shortest edit paths between two token sequences.
//
// MaxMatch (Dahlmeier and Ng 2012, section 2.1) takes the union of the shortest paths of two Levenshtein matrices, one in
// which a substitution costs 1 and one in which it costs 2.  A vertex (i, j) means that i source and j target tokens are
// consumed.  One byte a vertex holds which arcs lead into it, for each of the two matrices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace errata {

using Token = std::int32_t;
using Tokens = std::vector<Token>;

// A hypothesis token that occurs neither in the source nor in the gold: equal to no other token, itself included.
constexpr Token unknown_token = -1;

inline bool same(Token a, Token b) { return a == b && a != unknown_token; }

// Arcs into a vertex; shifted left by 3 for the second matrix.
enum : std::uint8_t { diagonal_arc = 1, deletion_arc = 2, insertion_arc = 4, second_matrix_shift = 3, first_member = 64, second_member = 128 };

class Lattice {
public:
    void build(const Tokens& source, const Tokens& target) {
        rows_ = static_cast<int>(source.size()) + 1;
        columns_ = static_cast<int>(target.size()) + 1;
        const std::size_t cells = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_);
        cells_.assign(cells, 0);
        find_predecessors(source, target);
        keep_what_reaches_the_end();
    }

    int rows() const { return rows_; }
    int columns() const { return columns_; }
    std::size_t index(int i, int j) const { return static_cast<std::size_t>(i) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(j); }
    bool contains(int i, int j) const { return (cells_[index(i, j)] & (first_member | second_member)) != 0; }
    // How many of the two matrices have this arc into (i, j): the official scorer stores an arc once for each.
    int copies(int i, int j, int arc) const {
        const int cell = cells_[index(i, j)];
        return ((cell & arc) != 0) + ((cell & (arc << second_matrix_shift)) != 0);
    }
    bool in_first(int i, int j, int arc) const { return (cells_[index(i, j)] & arc) != 0; }
    // The range of columns in row i that hold all its vertices; every row has at least one.
    int first_column(int i) const { return first_column_[static_cast<std::size_t>(i)]; }
    int last_column(int i) const { return last_column_[static_cast<std::size_t>(i)]; }
    std::size_t vertices() const { return vertices_; }

private:
    void find_predecessors(const Tokens& source, const Tokens& target) {
        const auto width = static_cast<std::size_t>(columns_);
        first_row_.resize(width);
        second_row_.resize(width);
        for (std::size_t j = 0; j < width; ++j) {
            first_row_[j] = second_row_[j] = static_cast<std::int32_t>(j);
            cells_[j] = j == 0 ? 0 : (insertion_arc | insertion_arc << second_matrix_shift);
        }
        for (std::size_t i = 1; i < static_cast<std::size_t>(rows_); ++i) {
            std::int32_t first_diagonal = first_row_[0], second_diagonal = second_row_[0];
            first_row_[0] = second_row_[0] = static_cast<std::int32_t>(i);
            std::uint8_t* cell = cells_.data() + i * width;
            cell[0] = deletion_arc | deletion_arc << second_matrix_shift;
            const Token token = source[i - 1];
            for (std::size_t j = 1; j < width; ++j) {
                const int equal = same(token, target[j - 1]) ? 1 : 0;
                cell[j] = static_cast<std::uint8_t>(step(first_row_[j], first_row_[j - 1], first_diagonal, 1 - equal) |
                                                    step(second_row_[j], second_row_[j - 1], second_diagonal, 2 - 2 * equal) << second_matrix_shift);
            }
        }
    }

    // One cell of one matrix: `above` becomes the cell's value, `corner` the value above it for the next column.
    static int step(std::int32_t& above, std::int32_t left, std::int32_t& corner, int substitution) {
        const std::int32_t by_diagonal = corner + substitution, by_deletion = above + 1, by_insertion = left + 1;
        const std::int32_t best = std::min(by_diagonal, std::min(by_deletion, by_insertion));
        corner = above;
        above = best;
        return (by_diagonal == best ? diagonal_arc : 0) | (by_deletion == best ? deletion_arc : 0) | (by_insertion == best ? insertion_arc : 0);
    }

    // From the last vertex backwards: what no shortest path passes loses its arcs.
    void keep_what_reaches_the_end() {
        first_column_.assign(static_cast<std::size_t>(rows_), columns_);
        last_column_.assign(static_cast<std::size_t>(rows_), -1);
        vertices_ = 0;
        cells_.back() |= first_member | second_member;
        for (int i = rows_ - 1; i >= 0; --i) {
            for (int j = columns_ - 1; j >= 0; --j) {
                std::uint8_t& cell = cells_[index(i, j)];
                int arcs = cell;
                if ((arcs & first_member) == 0) arcs &= ~(diagonal_arc | deletion_arc | insertion_arc);
                if ((arcs & second_member) == 0) arcs &= ~((diagonal_arc | deletion_arc | insertion_arc) << second_matrix_shift);
                cell = static_cast<std::uint8_t>(arcs);
                if (arcs == 0) continue;
                ++vertices_;
                last_column_[static_cast<std::size_t>(i)] = std::max(last_column_[static_cast<std::size_t>(i)], j);
                first_column_[static_cast<std::size_t>(i)] = j;
                if ((arcs & diagonal_arc) != 0) cells_[index(i - 1, j - 1)] |= first_member;
                if ((arcs & deletion_arc) != 0) cells_[index(i - 1, j)] |= first_member;
                if ((arcs & insertion_arc) != 0) cells_[index(i, j - 1)] |= first_member;
                if ((arcs & diagonal_arc << second_matrix_shift) != 0) cells_[index(i - 1, j - 1)] |= second_member;
                if ((arcs & deletion_arc << second_matrix_shift) != 0) cells_[index(i - 1, j)] |= second_member;
                if ((arcs & insertion_arc << second_matrix_shift) != 0) cells_[index(i, j - 1)] |= second_member;
            }
        }
    }

    int rows_ = 0, columns_ = 0;
    std::size_t vertices_ = 0;
    std::vector<std::uint8_t> cells_;
    std::vector<std::int32_t> first_row_, second_row_;
    std::vector<int> first_column_, last_column_;
};

}  // namespace errata
