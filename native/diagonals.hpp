// The diagonals of an edit matrix that shortest paths can visit.
//
// Vertex (i, j) lies on diagonal j - i.  A path with the fewest insertions and deletions, D, never leaves the diagonals that its
// insertions and deletions reach.  A path that also substitutes has no more of them if it is as short or shorter, so the same
// diagonals have all shortest paths, whether a substitution costs 1 or 2.  D is found by Myers' greedy algorithm (1986), in time that
// grows with D squared: texts that differ in few tokens need only few diagonals.
#pragma once

#include <cstdlib>

#include "interrupt.hpp"
#include "tokens.hpp"

namespace errata {

struct Diagonals {
    int first, last;
};

class DiagonalFinder {
public:
    // The first and the last; all diagonals if the texts have little in common.
    Diagonals find(const Tokens& source, const Tokens& target) {
        const int rows = static_cast<int>(source.size()), columns = static_cast<int>(target.size()), more = columns - rows;
        const int most = (rows + columns) / 4;
        if (std::abs(more) > most) return {-rows, columns};
        farthest_.assign(2 * static_cast<std::size_t>(most) + 3, 0);
        int* const farthest = farthest_.data() + most + 1;  // by diagonal: the last row that is reached
        for (int changes = 0; changes <= most; ++changes) {
            std::size_t visited = 0;
            for (int diagonal = -changes; diagonal <= changes; diagonal += 2) {
                int i = 0;
                if (changes > 0) {
                    const bool inserts = diagonal == changes || (diagonal != -changes && farthest[diagonal - 1] > farthest[diagonal + 1]);
                    i = inserts ? farthest[diagonal - 1] : farthest[diagonal + 1] + 1;
                }
                const int before = i;
                while (i < rows && i + diagonal < columns && same(source[static_cast<std::size_t>(i)], target[static_cast<std::size_t>(i + diagonal)])) ++i;
                farthest[diagonal] = i;
                visited += static_cast<std::size_t>(i - before) + 1;
                if (i >= rows && diagonal == more) return {(more - changes) / 2, (more + changes) / 2};
            }
            report_work(visited);
        }
        return {-rows, columns};
    }

private:
    std::vector<int> farthest_;
};

}  // namespace errata
