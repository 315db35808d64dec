// The alignment of ERRANT (Felice et al. 2016), by words, lemmas, parts of speech and characters, with transpositions.
//
// Costs are doubles that are added in a fixed order, so that ties are the same everywhere; only whole numbers leave this file.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "levenshtein.hpp"
#include "limits.hpp"

namespace errata {

constexpr Token open_classes = 4;  // parts of speech with lower numbers than this are open classes

struct ParsedWords {
    Tokens forms, lower, lemmas, pos;  // only the forms if nothing else is compared
};

using Characters = std::vector<std::uint32_t>;  // numbers from 0 on

// Tokens of the source, and those of the target in their place: a deletion, an insertion, a substitution of one token or a transposition.
struct Operation {
    std::size_t start, end, target_start, target_end;
};

// The length of a longest common subsequence, bit-parallel as Hyyrö (2004) computes it: a bit for each character of one word, which is
// cleared where the subsequence grows.
class CommonCharacters {
public:
    explicit CommonCharacters(std::size_t alphabet) : places_(alphabet, 0) {}

    // Prepares a word that is compared with many, and stays valid as long as it is.
    void prepare(const Characters& word) {
        if (word_ != nullptr && word_->size() <= 64) clear(0);
        word_ = &word;
        if (word.size() <= 64) set(0);
    }

    std::size_t count(const Characters& other) {
        if (word_->size() <= 64) {
            std::uint64_t row = ~std::uint64_t{0};
            for (const std::uint32_t character : other) {
                const std::uint64_t equal = row & places_[character];
                row = (row + equal) | (row - equal);
            }
            return std::bitset<64>(~row).count();
        }
        std::size_t common = 0;
        carries_.assign(other.size(), 0);  // from one block of 64 characters to the next
        for (std::size_t block = 0; block < word_->size(); block += 64) {
            report_work(other.size());
            set(block);
            std::uint64_t row = ~std::uint64_t{0};
            for (std::size_t k = 0; k < other.size(); ++k) {
                const std::uint64_t equal = row & places_[other[k]];
                const std::uint64_t sum = row + equal, carried = sum + carries_[k];
                carries_[k] = sum < row || carried < sum;
                row = carried | (row - equal);
            }
            clear(block);
            common += std::bitset<64>(~row).count();
        }
        return common;
    }

private:
    void set(std::size_t block) {
        const std::size_t end = std::min(word_->size(), block + 64);
        for (std::size_t k = block; k < end; ++k) places_[(*word_)[k]] |= std::uint64_t{1} << (k - block);
    }

    void clear(std::size_t block) {
        const std::size_t end = std::min(word_->size(), block + 64);
        for (std::size_t k = block; k < end; ++k) places_[(*word_)[k]] = 0;
    }

    const Characters* word_ = nullptr;
    std::vector<std::uint64_t> places_;  // the positions of each character in the word, or in a block of it
    std::vector<std::uint8_t> carries_;
};

class LinguisticAlignment {
public:
    // The characters of every form, and how many different characters there are.
    LinguisticAlignment(const std::vector<Characters>& words, std::size_t alphabet, const LinguisticLimits& limits = {})
        : words_(words), common_(alphabet), limits_(limits), counts_(words.size(), 0), marks_(words.size(), 0) {}

    // The operations from source to target in their order, without matches; valid until the next call.
    const std::vector<Operation>& align(const ParsedWords& source, const ParsedWords& target, bool linguistic) {
        rows_ = source.forms.size();
        columns_ = target.forms.size();
        for (; rows_ > 0 && columns_ > 0 && source.forms[rows_ - 1] == target.forms[columns_ - 1]; --rows_) --columns_;  // it always matches
        check(source, target, linguistic);
        const std::size_t cells = (rows_ + 1) * (columns_ + 1);
        if (costs_.size() < cells) {
            costs_.resize(cells);
            operations_.resize(cells);
        }
        for (std::size_t column = 0; column <= columns_; ++column) {
            costs_[column] = static_cast<double>(column);
            operations_[column] = insertion;
        }
        if (linguistic)
            fill_linguistically(source, target);
        else
            fill(source, target);
        trace();
        return found_;
    }

private:
    // A transposition is the number of its tokens, at least two.
    static constexpr std::int16_t match = 0, substitution = 1, insertion = -1, deletion = -2;
    static constexpr std::size_t longest_transposition = INT16_MAX;

    // A cost with the operation that has it.
    struct Best {
        double cost;
        std::int16_t operation;

        // Of equal costs the later one is taken.
        void offer(double other, std::int16_t by) {
            if (other <= cost) *this = {other, by};
        }
    };

    void check(const ParsedWords& source, const ParsedWords& target, bool linguistic) {
        if (columns_ + 1 > limits_.cells / (rows_ + 1) || std::min(rows_, columns_) > longest_transposition)
            throw std::overflow_error("source and target are too long to be aligned in a gigabyte of memory; cut the sentence");
        steps_ = 0;
        if (!linguistic) return;
        std::uint64_t characters = 0, blocks = 0;
        for (std::size_t k = 0; k < rows_; ++k) characters += word(source.forms[k]).size();
        for (std::size_t k = 0; k < columns_; ++k) blocks += (word(target.forms[k]).size() + 63) / 64;
        if (blocks != 0 && characters > limits_.steps / blocks) refuse();
        add_steps(characters * blocks);
    }

    [[noreturn]] static void refuse() { throw std::overflow_error("source and target are too long to be aligned in seconds; cut the sentence"); }

    void add_steps(std::uint64_t steps) {
        if ((steps_ += steps) > limits_.steps) refuse();
    }

    const Characters& word(Token form) const { return words_[static_cast<std::size_t>(form)]; }

    void fill(const ParsedWords& source, const ParsedWords& target) {
        for (std::size_t row = 1; row <= rows_; ++row) {
            const double* const above = start_row(row);
            double* const costs = &costs_[row * (columns_ + 1)];
            for (std::size_t column = 1; column <= columns_; ++column) {
                Best best{above[column - 1], match};
                if (source.forms[row - 1] != target.forms[column - 1]) {
                    best = {above[column] + 1, deletion};
                    best.offer(costs[column - 1] + 1, insertion);
                    best.offer(above[column - 1] + 1, substitution);
                }
                costs[column] = best.cost;
                operations_[row * (columns_ + 1) + column] = best.operation;
            }
        }
    }

    void fill_linguistically(const ParsedWords& source, const ParsedWords& target) {
        prepare_transpositions(source, target);
        for (std::size_t row = 1; row <= rows_; ++row) {
            const double* const above = start_row(row);
            double* const costs = &costs_[row * (columns_ + 1)];
            common_.prepare(word(source.forms[row - 1]));
            std::size_t diagonal_changes = 0;
            for (std::size_t column = 1; column <= columns_; ++column) {
                const double diagonal = above[column - 1];
                Best best{diagonal, match};
                if (source.forms[row - 1] != target.forms[column - 1]) {
                    best = {above[column] + 1, deletion};
                    best.offer(costs[column - 1] + 1, insertion);
                    offer_substitution(best, diagonal, source, row - 1, target, column - 1);
                    const std::size_t reach = std::min({diagonal_changes, known_[row], target_known_[column]});
                    if (reach > 0)
                        if (const std::size_t size = find_transposition(source, row, target, column, reach); size > 0)
                            best.offer(costs_[(row - size) * (columns_ + 1) + column - size] + static_cast<double>(size - 1),
                                       static_cast<std::int16_t>(size));
                }
                costs[column] = best.cost;
                operations_[row * (columns_ + 1) + column] = best.operation;
                const std::size_t changes = best.cost != diagonal ? diagonal_changes + 1 : 0;
                diagonal_changes = std::exchange(changes_[column], changes);
            }
        }
    }

    // Begins a row and returns the one above it.
    const double* start_row(std::size_t row) {
        report_work(columns_ + 1);
        costs_[row * (columns_ + 1)] = static_cast<double>(row);
        operations_[row * (columns_ + 1)] = deletion;
        return &costs_[(row - 1) * (columns_ + 1)];
    }

    void offer_substitution(Best& best, double before, const ParsedWords& source, std::size_t row, const ParsedWords& target, std::size_t column) {
        if (source.lower[row] == target.lower[column]) return best.offer(before, substitution);
        const Token pos = source.pos[row], other_pos = target.pos[column];
        const double lemma_cost = source.lemmas[row] == target.lemmas[column] ? 0 : 0.499;
        const double pos_cost = pos == other_pos ? 0 : pos < open_classes && other_pos < open_classes ? 0.25 : 0.5;
        const double cost = lemma_cost + pos_cost;
        if (before + cost > best.cost) return;  // whatever the characters are
        const Characters& other = word(target.forms[column]);
        const std::size_t length = word(source.forms[row]).size() + other.size();
        const std::size_t different = length - 2 * common_.count(other);
        best.offer(before + (cost + static_cast<double>(different) / static_cast<double>(length)), substitution);
    }

    // The same words in any order have the same sum of weights.
    static std::uint64_t weight(Token word) {
        auto mixed = (static_cast<std::uint64_t>(word) + 1) * 0x9E3779B97F4A7C15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
        return mixed ^ (mixed >> 31);
    }

    void prepare_transpositions(const ParsedWords& source, const ParsedWords& target) {
        changes_.assign(columns_ + 1, 0);
        prepare_side(source.lower, rows_, target.lower, columns_, known_, sums_);
        prepare_side(target.lower, columns_, source.lower, rows_, target_known_, target_sums_);
    }

    // For each number of words: how far the words before the last, and it, are among the others, and the sum of weights.
    void prepare_side(const Tokens& words, std::size_t size, const Tokens& others, std::size_t other_size, std::vector<std::size_t>& known,
                      std::vector<std::uint64_t>& sums) {
        ++mark_;
        for (std::size_t k = 0; k < other_size; ++k) marks_[static_cast<std::size_t>(others[k])] = mark_;
        known.assign(size + 1, 0);
        sums.assign(size + 1, 0);
        std::size_t in_a_row = 0;
        for (std::size_t k = 0; k < size; ++k) {
            in_a_row = marks_[static_cast<std::size_t>(words[k])] == mark_ ? in_a_row + 1 : 0;
            known[k + 1] = in_a_row == 0 ? 0 : in_a_row - 1;
            sums[k + 1] = sums[k] + weight(words[k]);
        }
    }

    // The fewest tokens, up to this cell, that are the same in another order; 0 if there are none.
    std::size_t find_transposition(const ParsedWords& source, std::size_t row, const ParsedWords& target, std::size_t column, std::size_t reach) {
        const std::uint64_t difference = sums_[row] - target_sums_[column];
        for (std::size_t back = 1; back <= reach; ++back) {
            if (sums_[row - back - 1] - target_sums_[column - back - 1] != difference) continue;
            if (!has_same_words(source.lower, row, target.lower, column, back + 1)) continue;
            add_steps(back);
            report_work(back);
            return back + 1;
        }
        add_steps(reach);
        report_work(reach);
        return 0;
    }

    bool has_same_words(const Tokens& source, std::size_t row, const Tokens& target, std::size_t column, std::size_t size) {
        const auto count = [this](Token word) -> std::int32_t& { return counts_[static_cast<std::size_t>(word)]; };
        for (std::size_t k = 1; k <= size; ++k) {
            ++count(source[row - k]);
            --count(target[column - k]);
        }
        bool same = true;
        for (std::size_t k = 1; k <= size; ++k) same = same && count(source[row - k]) == 0;
        for (std::size_t k = 1; k <= size; ++k) count(source[row - k]) = count(target[column - k]) = 0;
        return same;
    }

    void trace() {
        found_.clear();
        for (std::size_t row = rows_, column = columns_; row > 0 || column > 0;) {
            const std::int16_t operation = operations_[row * (columns_ + 1) + column];
            const std::size_t size = operation > substitution ? static_cast<std::size_t>(operation) : 1;
            const std::size_t before = operation == insertion ? row : row - size, target_before = operation == deletion ? column : column - size;
            if (operation != match) found_.push_back({before, row, target_before, column});
            row = before;
            column = target_before;
        }
        std::reverse(found_.begin(), found_.end());
    }

    const std::vector<Characters>& words_;
    CommonCharacters common_;
    LinguisticLimits limits_;
    std::vector<std::int32_t> counts_;  // of lower-cased words; zero but while two texts are compared
    std::vector<std::uint64_t> marks_;  // the lower-cased words of a text have the last mark
    std::uint64_t mark_ = 0, steps_ = 0;
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<double> costs_;
    std::vector<std::int16_t> operations_;
    std::vector<std::size_t> changes_;  // how many cells in a row, along the diagonal up to this one, differ from the one before
    std::vector<std::size_t> known_, target_known_;
    std::vector<std::uint64_t> sums_, target_sums_;
    std::vector<Operation> found_;
};

}  // namespace errata
