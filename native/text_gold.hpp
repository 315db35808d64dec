// MaxMatch from texts: sources, references and hypotheses in, counts out.
//
// The gold of a sentence are the edits that turn its source into each reference (alignment.hpp).  Of these, only places are kept:
// the tokens of the source, and the bytes of the correction in the reference.  Texts stay where they are and are split when needed,
// which takes less time than to read their tokens from memory.
#pragma once

#include <string>

#include "alignment.hpp"
#include "maxmatch.hpp"
#include "texts.hpp"
#include "word_numbers.hpp"

namespace errata {

class TextGold {
public:
    // Texts must exist as long as this; `first` is the number of the first sentence, for messages.
    TextGold(Texts source, std::vector<Texts> references, int max_unchanged, std::size_t first, std::size_t max_tokens, const MaxMatchLimits& limits)
        : source_(std::move(source)), references_(std::move(references)), max_unchanged_(max_unchanged), first_(first), max_tokens_(max_tokens), limits_(limits) {
        if (max_unchanged < 0) throw std::invalid_argument("max_unchanged must not be negative");
        if (references_.empty()) throw std::invalid_argument("references must have at least one list of texts");
        for (const Texts& reference : references_) check_count(reference, "references");
    }

    // Finds the gold edits, once.
    void prepare() {
        Aligner aligner;
        WordNumbers numbers;
        Tokens source, target;
        Texts words;
        starts_.reserve(source_.size() * references_.size() + 1);
        starts_.assign(1, 0);
        for (std::size_t k = 0; k < source_.size(); ++k) {
            numbers.clear();
            source.clear();
            check_bytes(source_[k], k, "source");
            split(source_[k], [&](Text word) { source.push_back(numbers.add(word)); });
            check_tokens(source, k, "source");
            for (std::size_t r = 0; r < references_.size(); ++r) {
                const Text text = references_[r][k];
                if (trim(text) != trim(source_[k])) {
                    target.clear();
                    words.clear();
                    check_bytes(text, k, "reference", r);
                    split(text, [&](Text word) {
                        target.push_back(numbers.add(word));
                        words.push_back(word);
                    });
                    check_tokens(target, k, "reference", r);
                    for (const Difference& one : aligner.align(source, target)) edits_.push_back(locate(one, words, text));
                }
                starts_.push_back(edits_.size());
            }
        }
    }

    std::size_t sentences() const { return source_.size(); }
    std::size_t rows() const { return source_.size() * references_.size(); }

    // Raises if there is not one text for every sentence.
    void check_count(const Texts& texts, const char* what) const {
        if (texts.size() != source_.size())
            throw std::invalid_argument(std::string(what) + " must have a text for each of the " + std::to_string(source_.size()) + " sentences, found " +
                                        std::to_string(texts.size()));
    }

    // Writes three counts for each sentence and reference: correct, proposed and gold edits.
    void count(const Texts& hypotheses, std::int32_t* cell) const {
        check_count(hypotheses, "hypotheses");
        MaxMatch maxmatch(limits_);
        WordNumbers numbers;
        Tokens source, target;
        std::vector<GoldEdits> gold(references_.size());
        for (std::size_t k = 0; k < source_.size(); ++k) {
            const Text text = hypotheses[k];
            const bool differs = trim(text) != trim(source_[k]);
            if (differs) {
                numbers.clear();
                source.clear();
                target.clear();
                check_bytes(text, k, "hypothesis");
                split(source_[k], [&](Text word) { source.push_back(numbers.add(word)); });
                for (std::size_t r = 0; r < references_.size(); ++r) read_gold(k, r, numbers, gold[r]);
                split(text, [&](Text word) { target.push_back(numbers.find(word)); });
                check_tokens(target, k, "hypothesis");
                name_sentence(k, [&] { maxmatch.prepare(source, target); });
            }
            for (std::size_t r = 0; r < references_.size(); ++r) {
                Counts counts;
                counts.gold = static_cast<std::int64_t>(stop_of(k, r) - start_of(k, r));
                if (differs) name_sentence(k, [&] { counts = maxmatch.counts(gold[r], max_unchanged_); });
                for (const std::int64_t number : {counts.correct, counts.proposed, counts.gold}) *cell++ = static_cast<std::int32_t>(number);
            }
        }
    }

    // Adds what a fingerprint of the gold is computed from (errata.corpus.references), from one sentence up to another.
    void write_content(std::size_t start, std::size_t stop, std::string& content) const {
        for (std::size_t k = start; k < stop; ++k) {
            report_work(source_[k].size());
            write_joined(source_[k], '\x1f', content);
            for (std::size_t r = 0; r < references_.size(); ++r) {
                content += '\x1d' + std::to_string(r);
                for (std::size_t e = start_of(k, r); e < stop_of(k, r); ++e) {
                    const Edit& edit = edits_[e];
                    const char* const type = edit.start == edit.end ? "Missing" : edit.from == edit.to ? "Unnecessary" : "Replacement";
                    content += '\x1e' + std::to_string(edit.start) + '\x1f' + std::to_string(edit.end) + '\x1f' + type + "\x1fREQUIRED\x1f";
                    write_joined(correction(k, r, edit), ' ', content);
                }
            }
            content += '\x1c';
        }
    }

private:
    // Tokens of the source, and bytes of the correction in the reference.
    struct Edit {
        std::int32_t start, end;
        std::size_t from, to;
    };

    static Edit locate(const Difference& one, const Texts& words, Text text) {
        if (one.target_start == one.target_end) return {one.start, one.end, 0, 0};
        const Text &begin = words[static_cast<std::size_t>(one.target_start)], &end = words[static_cast<std::size_t>(one.target_end - 1)];
        return {one.start, one.end, static_cast<std::size_t>(begin.data() - text.data()), static_cast<std::size_t>(end.data() + end.size() - text.data())};
    }

    std::size_t start_of(std::size_t k, std::size_t r) const { return starts_[k * references_.size() + r]; }
    std::size_t stop_of(std::size_t k, std::size_t r) const { return starts_[k * references_.size() + r + 1]; }
    Text correction(std::size_t k, std::size_t r, const Edit& edit) const { return references_[r][k].substr(edit.from, edit.to - edit.from); }

    void read_gold(std::size_t k, std::size_t r, WordNumbers& numbers, GoldEdits& gold) const {
        gold.resize(stop_of(k, r) - start_of(k, r));
        for (std::size_t e = 0; e < gold.size(); ++e) {
            const Edit& edit = edits_[start_of(k, r) + e];
            gold[e].start = edit.start;
            gold[e].end = edit.end;
            gold[e].corrections.resize(1);
            gold[e].corrections[0].clear();
            split(correction(k, r, edit), [&](Text word) { gold[e].corrections[0].push_back(numbers.add(word)); });
        }
    }

    static void write_joined(Text text, char between, std::string& content) {
        bool is_first = true;
        split(text, [&](Text word) {
            if (!is_first) content += between;
            content += word;
            is_first = false;
        });
    }

    static std::string name(const char* column, std::size_t reference) {
        return reference == no_reference ? std::string(column) : std::string(column) + ' ' + std::to_string(reference + 1);
    }

    std::string sentence(std::size_t k) const { return "sentence " + std::to_string(first_ + k); }

    // Raises if a text is not UTF-8.
    void check_bytes(Text text, std::size_t k, const char* column, std::size_t reference = no_reference) const {
        report_work(text.size());
        const std::size_t at = find_invalid_byte(text);
        if (at == all_valid) return;
        constexpr const char* digits = "0123456789abcdef";
        const auto byte = static_cast<unsigned char>(text[at]);
        throw std::invalid_argument(sentence(k) + " cannot be scored: its " + name(column, reference) + " is not UTF-8: byte 0x" + digits[byte / 16] +
                                    digits[byte % 16] + " at byte " + std::to_string(at + 1));
    }

    void check_tokens(const Tokens& tokens, std::size_t k, const char* column, std::size_t reference = no_reference) const {
        if (tokens.size() > max_tokens_)
            throw std::overflow_error(sentence(k) + " cannot be scored: its " + name(column, reference) + " has " + std::to_string(tokens.size()) +
                                      " tokens, more than the limit of " + std::to_string(max_tokens_));
    }

    // Adds the number of the sentence to an error of the core.
    template <typename Work>
    void name_sentence(std::size_t k, Work&& work) const {
        try {
            work();
        } catch (const std::overflow_error& error) {
            throw std::overflow_error(sentence(k) + " cannot be scored: " + error.what());
        }
    }

    static constexpr std::size_t no_reference = static_cast<std::size_t>(-1);
    Texts source_;
    std::vector<Texts> references_;
    int max_unchanged_;
    std::size_t first_, max_tokens_;
    MaxMatchLimits limits_;
    std::vector<Edit> edits_;
    std::vector<std::size_t> starts_;  // of the edits of each sentence and reference
};

}  // namespace errata
