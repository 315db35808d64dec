// The n-grams that a hypothesis shares with its source and its references, as GLEU counts them (Napoles et al. 2015, 2016).
//
// The n-grams of a source and its references are a trie, which is made once for all hypotheses.  A hypothesis walks down it from
// each of its tokens, so it costs its length times the order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "levenshtein.hpp"
#include "limits.hpp"

namespace errata {

// Refuses texts with too many n-grams, before they take memory.
inline void check_ngrams(std::size_t tokens, std::size_t order, const NgramLimits& limits) {
    if (tokens != 0 && order > limits.ngrams / tokens) throw std::overflow_error("its texts have too many n-grams; use a smaller order");
}

// The n-grams of up to `order` tokens of a source (text 0) and its references (texts 1, 2, ...), and how often each text has them.
class NgramTrie {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0, nowhere = ~Node{0};

    NgramTrie(const std::vector<Tokens>& texts, std::size_t order, const NgramLimits& limits) : texts_(texts.size()) {
        std::size_t tokens = 0;
        for (const Tokens& text : texts) tokens += text.size();
        check_ngrams(tokens, order, limits);
        for (const Tokens& text : texts) lengths_.push_back(static_cast<std::int64_t>(text.size()));
        tokens_.push_back(unknown_token);
        times_.resize(texts_);
        grow(texts, order);
        first_child_.resize(tokens_.size() + 1, static_cast<Node>(tokens_.size()));
    }

    std::size_t size() const { return tokens_.size(); }
    std::size_t texts() const { return texts_; }
    std::int64_t length(std::size_t text) const { return lengths_[text]; }
    std::int64_t times(Node node, std::size_t text) const { return times_[node * texts_ + text]; }

    // Where the n-grams of each length start; those of one length are neighbours.
    const std::vector<Node>& levels() const { return levels_; }

    // The n-gram with one more token; `nowhere` if no text has it.
    Node extend(Node node, Token token) const {
        const auto first = tokens_.begin() + first_child_[node], last = tokens_.begin() + first_child_[node + 1];
        const auto found = std::lower_bound(first, last, token);
        return found != last && *found == token ? static_cast<Node>(found - tokens_.begin()) : nowhere;
    }

private:
    struct Occurrence {
        Node parent;
        Token token;
        std::size_t text, start;
    };

    // Adds the n-grams of each length, sorted by the n-gram that they extend and their last token, so that children are neighbours.
    void grow(const std::vector<Tokens>& texts, std::size_t order) {
        std::vector<Occurrence> level;
        for (std::size_t text = 0; text < texts.size(); ++text)
            for (std::size_t start = 0; start < texts[text].size(); ++start) level.push_back({root, texts[text][start], text, start});
        for (std::size_t length = 1; length <= order && !level.empty(); ++length) {
            report_work(level.size());
            levels_.push_back(static_cast<Node>(tokens_.size()));
            std::sort(level.begin(), level.end(), [](const Occurrence& one, const Occurrence& other) {
                return std::tie(one.parent, one.token) < std::tie(other.parent, other.token);
            });
            std::size_t kept = 0;
            for (std::size_t k = 0; k < level.size(); ++k) {
                const Occurrence& one = level[k];
                if (k == 0 || one.parent != last_parent_ || one.token != tokens_.back()) add(one);
                ++times_[(tokens_.size() - 1) * texts_ + one.text];
                const std::size_t next = one.start + length;
                if (next < texts[one.text].size())
                    level[kept++] = {static_cast<Node>(tokens_.size() - 1), texts[one.text][next], one.text, one.start};
            }
            level.resize(kept);
        }
        levels_.push_back(static_cast<Node>(tokens_.size()));
    }

    void add(const Occurrence& one) {
        last_parent_ = one.parent;
        first_child_.resize(one.parent + 1, static_cast<Node>(tokens_.size()));
        tokens_.push_back(one.token);
        times_.resize(times_.size() + texts_);
    }

    std::size_t texts_;
    Node last_parent_ = nowhere;
    std::vector<std::int64_t> lengths_;
    std::vector<Token> tokens_;       // the last token of each n-gram
    std::vector<Node> first_child_;   // the first n-gram that extends each; those of all are in order
    std::vector<Node> levels_;
    std::vector<std::uint32_t> times_;
};

// Counts hypotheses; one counter for many, so that memory is reused.
class NgramCounts {
public:
    NgramCounts(std::size_t order, const NgramLimits& limits) : order_(order), limits_(limits) {}

    // Adds a row for each reference: the lengths of hypothesis and reference, then a numerator and a denominator for each order.
    //
    // A numerator is the number of n-grams that hypothesis and reference share, less those to punish, which the hypothesis has from
    // the source: n-grams that the reference lacks, and then it is at least 0; or with `excess` those that the reference has less often.
    void count(const NgramTrie& trie, const Tokens& hypothesis, bool excess, std::vector<std::int64_t>& rows) {
        find(trie, hypothesis);
        for (std::size_t text = 1; text < trie.texts(); ++text) {
            const std::size_t row = rows.size();
            start_row(hypothesis, trie.length(text), 2 * order_, rows);
            for (const auto& [node, length] : found_) {
                const std::int64_t own = own_[node], source = trie.times(node, 0), reference = trie.times(node, text);
                const std::int64_t kept = std::min(own, source);
                const std::int64_t punished = excess ? std::max<std::int64_t>(0, kept - reference) : (reference == 0 ? kept : 0);
                rows[row + 1 + length] += std::min(own, reference) - punished;
            }
            for (std::size_t length = 1; length <= order_; ++length) {
                if (!excess) rows[row + 1 + length] = std::max<std::int64_t>(0, rows[row + 1 + length]);
                rows[row + 1 + order_ + length] = ngrams_of(hypothesis, length);
            }
        }
        forget();
    }

    // Adds one row for all references together, in which an n-gram occurs as often as in the reference that has it most often: the
    // lengths of hypothesis and nearest reference; then for each order the n-grams of the hypothesis that are gained (references have
    // them, and the source has not), right (references have them) and lost (the source has them, and references have not), and those
    // that can be gained.  With `excess` n-grams are gained or lost as often as one side has them more often than the other.
    void count_pooled(const NgramTrie& trie, const Tokens& hypothesis, bool excess, std::vector<std::int64_t>& rows) {
        find(trie, hypothesis);
        const std::size_t row = rows.size();
        start_row(hypothesis, nearest(trie, static_cast<std::int64_t>(hypothesis.size())), 4 * order_, rows);
        for (const auto& [node, length] : found_) {
            const std::int64_t own = own_[node], source = trie.times(node, 0), reference = most(trie, node);
            rows[row + 1 + length] += std::min(own, surplus(reference, source, excess));
            rows[row + 1 + order_ + length] += std::min(own, reference);
            rows[row + 1 + 2 * order_ + length] += std::min(own, surplus(source, reference, excess));
        }
        add_gains(trie, excess, &rows[row + 2 + 3 * order_]);
        forget();
    }

private:
    static std::int64_t surplus(std::int64_t one, std::int64_t other, bool excess) {
        return excess ? std::max<std::int64_t>(0, one - other) : (other == 0 ? one : 0);
    }

    static std::int64_t most(const NgramTrie& trie, NgramTrie::Node node) {
        std::int64_t result = 0;
        for (std::size_t text = 1; text < trie.texts(); ++text) result = std::max(result, trie.times(node, text));
        return result;
    }

    // The length of the reference that is nearest in length, the first of several.
    static std::int64_t nearest(const NgramTrie& trie, std::int64_t length) {
        std::int64_t result = trie.length(1);
        for (std::size_t text = 2; text < trie.texts(); ++text)
            if (std::abs(trie.length(text) - length) < std::abs(result - length)) result = trie.length(text);
        return result;
    }

    static std::int64_t ngrams_of(const Tokens& tokens, std::size_t length) {
        return tokens.size() < length ? 0 : static_cast<std::int64_t>(tokens.size() - length + 1);
    }

    static void start_row(const Tokens& hypothesis, std::int64_t reference, std::size_t counts, std::vector<std::int64_t>& rows) {
        rows.push_back(static_cast<std::int64_t>(hypothesis.size()));
        rows.push_back(reference);
        rows.resize(rows.size() + counts);
    }

    // Finds the n-grams that the hypothesis shares with any text.
    void find(const NgramTrie& trie, const Tokens& hypothesis) {
        check_ngrams(hypothesis.size(), order_, limits_);
        report_work(trie.size());
        if (own_.size() < trie.size()) own_.resize(trie.size());
        for (std::size_t start = 0; start < hypothesis.size(); ++start) {
            NgramTrie::Node node = NgramTrie::root;
            const std::size_t longest = std::min(order_, hypothesis.size() - start);
            report_work(longest);
            for (std::size_t length = 1; length <= longest; ++length) {
                node = trie.extend(node, hypothesis[start + length - 1]);
                if (node == NgramTrie::nowhere) break;
                if (own_[node]++ == 0) found_.emplace_back(node, length);
            }
        }
    }

    void forget() {
        for (const auto& [node, length] : found_) own_[node] = 0;
        found_.clear();
    }

    // Adds the n-grams of each order that can be gained.
    static void add_gains(const NgramTrie& trie, bool excess, std::int64_t* gains) {
        const std::vector<NgramTrie::Node>& levels = trie.levels();
        for (std::size_t level = 0; level + 1 < levels.size(); ++level)
            for (NgramTrie::Node node = levels[level]; node < levels[level + 1]; ++node)
                gains[level] += surplus(most(trie, node), trie.times(node, 0), excess);
    }

    std::size_t order_;
    NgramLimits limits_;
    std::vector<std::uint32_t> own_;                               // how often the hypothesis has each n-gram
    std::vector<std::pair<NgramTrie::Node, std::size_t>> found_;  // those that it has, with their lengths
};

}  // namespace errata
