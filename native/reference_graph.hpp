// The graph of all references of a sentence: consecutive blocks, and in each block one branch for each possible text.
//
// Costs in the graph are reduced: the cost of aligning a branch, minus its least cost of aligning it with its part of the sentence.
// An alignment that goes through all cuts then costs at least 0, for any branches.
#pragma once

#include "pairwise.hpp"

namespace errata {

// One text that a reference may have in a block.
struct Branch {
    Tokens words;
    // The least costs inside the block: of all three sentences, of source and reference, of hypothesis and reference.
    std::int32_t three_way, with_source, with_hypothesis;
};

using ReferenceGraph = std::vector<std::vector<Branch>>;

// The least reduced cost of aligning a sentence with any reference, through a position of both.
class GraphBounds {
public:
    // Positions of the sentence, and their least costs.
    using Row = std::vector<std::int32_t>;

    void build(const Tokens& sentence, const ReferenceGraph& graph, std::int32_t Branch::*least, const AlignmentCosts& costs) {
        const std::size_t blocks = graph.size(), width = sentence.size() + 1;
        cuts_.assign(blocks + 1, Row(width, Pairwise::infinite));
        inside_.resize(blocks);
        cuts_[0][0] = 0;
        skip(cuts_[0], costs);
        for (std::size_t b = 0; b < blocks; ++b) {
            inside_[b].assign(graph[b].size(), {});
            for (std::size_t choice = 0; choice < graph[b].size(); ++choice) {
                const Branch& branch = graph[b][choice];
                std::vector<Row>& rows = inside_[b][choice];
                rows.push_back(cuts_[b]);
                for (const Token word : branch.words) rows.push_back(after(rows.back(), sentence, word, costs));
                lower(cuts_[b + 1], rows.back(), branch.*least);
            }
        }
        Row behind(width, Pairwise::infinite);
        behind.back() = 0;
        skip_back(behind, costs);
        add(cuts_[blocks], behind);
        for (std::size_t b = blocks; b-- > 0;) {
            Row here(width, Pairwise::infinite);
            for (std::size_t choice = 0; choice < graph[b].size(); ++choice) {
                const Branch& branch = graph[b][choice];
                Row row = behind;
                for (std::int32_t& value : row) value -= branch.*least;
                for (std::size_t k = branch.words.size(); k > 0; --k) {
                    add(inside_[b][choice][k], row);
                    row = before(row, sentence, branch.words[k - 1], costs);
                }
                lower(here, row, 0);
            }
            add(cuts_[b], here);
            behind = here;
        }
    }

    std::int32_t least() const { return *std::min_element(cuts_[0].begin(), cuts_[0].end()); }

    // The bounds at a cut, and inside a branch after its first `words` words, at least one.
    const Row& at_cut(std::size_t cut) const { return cuts_[cut]; }
    const Row& inside(std::size_t block, std::size_t choice, std::size_t words) const { return inside_[block][choice][words]; }

private:
    static void skip(Row& row, const AlignmentCosts& costs) {
        for (std::size_t i = 1; i < row.size(); ++i) row[i] = std::min(row[i], row[i - 1] + costs.gap);
    }

    static void skip_back(Row& row, const AlignmentCosts& costs) {
        for (std::size_t i = row.size() - 1; i-- > 0;) row[i] = std::min(row[i], row[i + 1] + costs.gap);
    }

    static Row after(const Row& row, const Tokens& sentence, Token word, const AlignmentCosts& costs) {
        report_work(row.size());
        Row next(row.size());
        next[0] = row[0] + costs.gap;
        for (std::size_t i = 1; i < row.size(); ++i) next[i] = std::min(row[i] + costs.gap, row[i - 1] + costs.pair(sentence[i - 1], word));
        skip(next, costs);
        return next;
    }

    static Row before(const Row& row, const Tokens& sentence, Token word, const AlignmentCosts& costs) {
        report_work(row.size());
        Row next(row.size());
        next.back() = row.back() + costs.gap;
        for (std::size_t i = row.size() - 1; i-- > 0;) next[i] = std::min(row[i] + costs.gap, row[i + 1] + costs.pair(sentence[i], word));
        skip_back(next, costs);
        return next;
    }

    static void lower(Row& row, const Row& other, std::int32_t less) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::min(row[i], other[i] - less);
    }

    static void add(Row& row, const Row& other) {
        for (std::size_t i = 0; i < row.size(); ++i) row[i] += other[i];
    }

    std::vector<Row> cuts_;
    std::vector<std::vector<std::vector<Row>>> inside_;
};

}  // namespace errata
