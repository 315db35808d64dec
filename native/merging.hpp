// Which operations of an alignment are one edit, by the rules of ERRANT (Felice et al. 2016).
//
// A run is operations without a match between them.  The rules look at its parts of two and more operations, the longest first, then from
// the left; the first rule that applies makes an edit or a cut, and they go on with what is before and after.
#pragma once

#include <algorithm>
#include <string>

#include "linguistic_alignment.hpp"

namespace errata {

// What the rules ask about a word.
struct RunWord {
    Token lower, pos;       // numbers, which are equal if the texts are
    Characters form, bare;  // the characters; those in lower case without apostrophes and hyphens
    bool possessive, capital, punctuation, verbal, content, determiner;
};

// The words of one side of a run.
class RunSide {
public:
    explicit RunSide(std::vector<RunWord> given) : words(std::move(given)), offsets_{0} {
        for (std::size_t k = 0; k < words.size(); ++k) {
            const RunWord& word = words[k];
            text_.insert(text_.end(), word.bare.begin(), word.bare.end());
            offsets_.push_back(text_.size());
            same_.push_back(k > 0 && words[k - 1].pos == word.pos ? same_.back() : k);
            verbal_.push_back(!word.verbal ? k + 1 : k > 0 && words[k - 1].verbal ? verbal_.back() : k);
        }
    }

    bool has_one_pos(std::size_t start, std::size_t end) const { return same_[end - 1] <= start; }

    bool is_verbal(std::size_t start, std::size_t end) const { return verbal_[end - 1] <= start; }

    bool has_content(std::size_t start, std::size_t end) const {
        return std::any_of(at(words, start), at(words, end), [](const RunWord& word) { return word.content; });
    }

    bool is_same_text(std::size_t start, std::size_t end, const RunSide& other, std::size_t other_start, std::size_t other_end) const {
        const auto first = at(text_, offsets_[start]), last = at(text_, offsets_[end]);
        const auto other_first = at(other.text_, other.offsets_[other_start]), other_last = at(other.text_, other.offsets_[other_end]);
        return last - first == other_last - other_first && std::equal(first, last, other_first);
    }

    std::vector<RunWord> words;

private:
    template <typename Item>
    static typename std::vector<Item>::const_iterator at(const std::vector<Item>& items, std::size_t place) {
        return items.begin() + static_cast<std::ptrdiff_t>(place);
    }

    Characters text_;                         // of all words
    std::vector<std::size_t> offsets_;        // where each begins in it, and the end
    std::vector<std::size_t> same_, verbal_;  // where the words up to this one begin that have its part of speech, or are verbal
};

// The rules for a run of two or more deletions, insertions and substitutions.
class MergingRules {
public:
    // Operations count from the first words of both sides; the alphabet is that of the forms.
    MergingRules(std::vector<Operation> run, std::vector<RunWord> source, std::vector<RunWord> target, std::size_t alphabet)
        : run_(std::move(run)), source_(std::move(source)), target_(std::move(target)), common_(alphabet), substitutions_{0} {
        for (const Operation& one : run_) substitutions_.push_back(substitutions_.back() + is_substitution(one));
    }

    std::vector<Operation> merge() {
        std::vector<Operation> edits;
        std::vector<Part> parts{{0, run_.size(), run_.size()}};
        while (!parts.empty()) {
            const Part part = parts.back();
            parts.pop_back();
            if (part.untried == 0 || part.end - part.first == 1) {
                edits.push_back(join(part.first, part.end));
                continue;
            }
            smaller_.clear();
            divide(part);
            for (std::size_t k = smaller_.size(); k-- > 0;)
                if (smaller_[k].first < smaller_[k].end) parts.push_back(smaller_[k]);
        }
        return edits;
    }

private:
    // Operations of the run.  The rules have not been tried on parts up to the length ``untried``; longer ones only fit those about the
    // beginning.  An edit has 0.
    struct Part {
        std::size_t first, end, untried;
    };

    static bool is_substitution(const Operation& one) { return one.end - one.start == 1 && one.target_end - one.target_start == 1; }

    bool is_same_kind(std::size_t one, std::size_t other) const {
        return run_[one].end - run_[one].start == run_[other].end - run_[other].start &&
               run_[one].target_end - run_[one].target_start == run_[other].target_end - run_[other].target_start;
    }

    Operation join(std::size_t first, std::size_t end) const {
        return {run_[first].start, run_[end - 1].end, run_[first].target_start, run_[end - 1].target_end};
    }

    void add(std::size_t first, std::size_t end, std::size_t untried = 0) { smaller_.push_back({first, end, untried}); }

    void add_each(const Part& part) {
        for (std::size_t k = part.first; k < part.end; ++k) add(k, k + 1);
    }

    bool has_substitution(std::size_t first, std::size_t end) const { return substitutions_[end] != substitutions_[first]; }

    // Divides a part of two and more operations into edits and what is left.
    void divide(const Part& part) {
        if (!has_substitution(part.first, part.end)) {
            for (std::size_t k = part.first + 1; k < part.end; ++k)
                if (!is_same_kind(part.first, k)) return add_each(part);
            return add(part.first, part.end);
        }
        for (std::size_t length = part.end - part.first; length > 1; --length) {
            const std::size_t last = length <= part.untried ? part.end - length : part.first;
            for (std::size_t start = part.first; start <= last; ++start)
                if (has_substitution(start, start + length) && apply(part, start, start + length)) return;
        }
        const Operation whole = join(part.first, part.end);
        if (source_.has_content(whole.start, whole.end) || target_.has_content(whole.target_start, whole.target_end))
            return add(part.first, part.end);
        add_each(part);
    }

    // Applies the first rule that fits to operations with a substitution, so both sides have words.
    bool apply(const Part& part, std::size_t start, std::size_t stop) {
        const std::size_t untried = std::min(part.untried, stop - start);
        const Operation span = join(start, stop);
        const RunWord &last = source_.words[span.end - 1], &target_last = target_.words[span.target_end - 1];
        if (start == part.first && (source_.words[span.start].possessive || target_.words[span.target_start].possessive)) {
            add(part.first, part.first + 1);
            add(part.first + 1, part.end, untried);
            return true;
        }
        std::size_t merged = stop;  // where an edit begins; none if it is the end
        if (last.possessive || target_last.possessive)
            merged = stop - 2;
        else if (last.lower == target_last.lower) {
            if (start == part.first && changes_the_beginning(span))
                merged = start;
            else if (is_after_punctuation(span))
                merged = stop - 2;
        }
        if (merged == stop && (is_same_text(span) || has_one_class(span))) merged = start;
        if (merged != stop) {
            add(part.first, merged, untried);
            add(merged, stop);
            add(stop, part.end, untried);
            return true;
        }
        if (stop - start != 2) return false;
        if (is_two_words(span, start)) {
            add(part.first, start + 1, untried);
            add(start + 1, part.end, untried);
            return true;
        }
        if (stop == part.end && ends_with_a_determiner(part.end - 1)) {
            add(part.first, part.end - 1, untried);
            add(part.end - 1, part.end);
            return true;
        }
        return false;
    }

    // Whether words are added before one that loses its capital, or the other way round.
    bool changes_the_beginning(const Operation& span) const {
        return (span.end - span.start == 1 && target_.words[span.target_start].capital) ||
               (span.target_end - span.target_start == 1 && source_.words[span.start].capital);
    }

    bool is_after_punctuation(const Operation& span) const {
        return (span.end - span.start > 1 && source_.words[span.end - 2].punctuation) ||
               (span.target_end - span.target_start > 1 && target_.words[span.target_end - 2].punctuation);
    }

    // Whether both sides are the same but for case, spaces, apostrophes and hyphens.
    bool is_same_text(const Operation& span) const {
        return source_.is_same_text(span.start, span.end, target_, span.target_start, span.target_end);
    }

    // Whether sides of different lengths have words of one part of speech, or of verbs.
    bool has_one_class(const Operation& span) const {
        if (span.end - span.start == span.target_end - span.target_start) return false;
        return (source_.words[span.start].pos == target_.words[span.target_start].pos && source_.has_one_pos(span.start, span.end) &&
                target_.has_one_pos(span.target_start, span.target_end)) ||
               (source_.is_verbal(span.start, span.end) && target_.is_verbal(span.target_start, span.target_end));
    }

    // Whether two operations change one word each.
    bool is_two_words(const Operation& span, std::size_t start) {
        return (span.end - span.start == 2 && span.target_end - span.target_start == 2) ||
               (is_substitution(run_[start]) && are_similar(span.start, span.target_start)) ||
               (is_substitution(run_[start + 1]) && are_similar(span.end - 1, span.target_end - 1));
    }

    // Whether more than three quarters of the characters are common.
    bool are_similar(std::size_t word, std::size_t target_word) {
        const Characters &form = source_.words[word].form, &other = target_.words[target_word].form;
        common_.prepare(form);
        return 8 * common_.count(other) > 3 * (form.size() + other.size());
    }

    bool ends_with_a_determiner(std::size_t last) const {
        const Operation& one = run_[last];
        return (one.end > one.start && source_.words[one.end - 1].determiner) ||
               (one.target_end > one.target_start && target_.words[one.target_end - 1].determiner);
    }

    std::vector<Operation> run_;
    RunSide source_, target_;
    CommonCharacters common_;
    std::vector<std::size_t> substitutions_;  // before each operation, and of all
    std::vector<Part> smaller_;
};

// Merges operations to edits; ``rules_for`` makes the rules of those from one index to another, which are a run or a part of one.
template <typename RulesFor>
std::vector<Operation> merge_operations(const std::vector<Operation>& operations, RulesFor&& rules_for) {
    const auto is_transposition = [&](std::size_t k) { return operations[k].end - operations[k].start > 1; };
    std::vector<Operation> edits;
    for (std::size_t first = 0, end = 0; first < operations.size(); first = end) {
        for (end = first + 1; end < operations.size() && !is_transposition(first) && !is_transposition(end); ++end)
            if (operations[end].start != operations[end - 1].end || operations[end].target_start != operations[end - 1].target_end) break;
        if (end - first == 1) {
            edits.push_back(operations[first]);
            continue;
        }
        const Operation& before = operations[first];
        for (const Operation& one : rules_for(first, end).merge())
            edits.push_back({before.start + one.start, before.start + one.end, before.target_start + one.target_start,
                             before.target_start + one.target_end});
    }
    return edits;
}

}  // namespace errata
