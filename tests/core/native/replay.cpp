// Reads cases as numbers from standard input and prints what the core finds, so that it can run under sanitizers without Python.
#include <iostream>

#include "alignment.hpp"
#include "best_matches.hpp"
#include "blocks.hpp"
#include "edit_distance.hpp"
#include "linguistic_alignment.hpp"
#include "maxmatch.hpp"
#include "merging.hpp"
#include "ngram_counts.hpp"
#include "resampling.hpp"

namespace {

int number() {
    int value = 0;
    if (!(std::cin >> value)) throw std::runtime_error("a number was expected");
    return value;
}

errata::Tokens tokens() {
    errata::Tokens result(static_cast<std::size_t>(number()));
    for (errata::Token& token : result) token = number();
    return result;
}

// Every other token may also be missing, or doubled by the next.
errata::Sites sites(const errata::Tokens& source) {
    errata::Sites result;
    for (std::size_t k = 0; k < source.size(); k += 2) result.push_back({k, k + 1, {{source[k]}, {}, {source[k], source[(k + 1) % source.size()]}}});
    return result;
}

void print(const std::vector<errata::Block>& blocks) {
    for (const errata::Block& block : blocks) {
        std::cout << block.first << ' ' << block.last << ' ';
        for (const errata::BlockRow& row : block.rows) {
            for (const auto variant : row.choice) std::cout << variant << ' ';
            for (const auto count : row.counts) std::cout << count << ' ';
        }
    }
    std::cout << '\n';
}

// The rows of a sentence, and the same backwards as those of another, in a replicate of both.
void print_rechosen(const std::vector<errata::Row>& found) {
    std::vector<errata::Row> rows = found;
    rows.insert(rows.end(), found.rbegin(), found.rend());
    const std::vector<std::int64_t> starts = {0, static_cast<std::int64_t>(found.size()), static_cast<std::int64_t>(rows.size())};
    const std::vector<std::int32_t> drawn = {0, 1, errata::no_sentence, 0, 1, 1};
    for (const std::int64_t factor : {std::int64_t{1}, std::int64_t{1} << 50}) {  // the same choice with products of 64 and of 128 bits
        for (errata::Row& row : rows) row = {factor * row.above, factor * row.below};
        for (const bool optimal : {false, true}) {
            std::vector<std::int32_t> times(rows.size());
            errata::rechoose({rows.data(), starts.data(), 2}, drawn.data(), 1, drawn.size(), optimal, times.data());
            for (const std::int32_t count : times) std::cout << count << ' ';
        }
        std::cout << '\n';
    }
}

// Beginnings of a text, and every second, third or fourth word from some position on, as sets of words.
errata::WordSets word_sets(std::size_t length) {
    errata::WordSets result;
    const auto count = static_cast<std::int32_t>(length);
    for (std::int32_t k = 0; k < count; ++k) {
        errata::Words beginning, scattered;
        for (std::int32_t other = 0; other < k; ++other) beginning.push_back(other);
        for (std::int32_t other = k; other < count; other += k % 3 + 2) scattered.push_back(other);
        result.push_back(beginning);
        result.push_back(scattered);
    }
    return result;
}

void print_matches(const errata::Tokens& source, const errata::Tokens& target) {
    errata::AlignedWords aligned;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(std::min(source.size(), target.size())); k += 2) aligned.emplace_back(k, k);
    for (const bool by_share : {false, true})
        for (const errata::Words& matches : errata::find_best_matches(word_sets(source.size()), word_sets(target.size()), aligned, by_share))
            for (const std::int32_t match : matches) std::cout << match << ' ';
    std::cout << '\n';
}

// Words in pairs that differ in case only, some longer than 64 characters.
std::vector<errata::Characters> spelt_words() {
    std::vector<errata::Characters> result;
    for (std::uint32_t word = 0; word < 1024; ++word) {
        const std::uint32_t pair = word / 2, capital = word % 2 * 5;
        errata::Characters characters;
        for (std::uint32_t digit = 0; digit < 6; ++digit) characters.push_back((pair >> (2 * digit)) % 4 + capital);
        characters.insert(characters.end(), pair * 37 % 100, 4 + capital);
        result.push_back(characters);
    }
    return result;
}

errata::ParsedWords parsed(const errata::Tokens& tokens) {
    errata::ParsedWords result;
    for (const errata::Token token : tokens) {
        const errata::Token word = token + 1;  // words that are not known have -1
        result.forms.push_back(word);
        result.lower.push_back(word / 2);
        result.lemmas.push_back(word / 3);
        result.pos.push_back(word % 6);
    }
    return result;
}

void print_operations(const std::vector<errata::Operation>& operations) {
    for (const errata::Operation& one : operations) std::cout << one.start << ' ' << one.end << ' ' << one.target_start << ' ' << one.target_end << ' ';
    std::cout << '\n';
}

std::vector<errata::RunWord> run_words(const errata::Tokens& tokens, std::size_t start, std::size_t end, const std::vector<errata::Characters>& words) {
    std::vector<errata::RunWord> result;
    for (std::size_t k = start; k < end; ++k) {
        const errata::Token word = tokens[k] + 1;
        const errata::Token pos = word % 6;
        const auto number = static_cast<std::size_t>(word);
        result.push_back({word / 2, pos, words[number], words[number - number % 2], word % 7 == 0, word % 2 == 1, false, pos == 3, pos < 4, pos == 4});
    }
    return result;
}

// Edits that operations are merged to.
void print_edits(const std::vector<errata::Operation>& found, const errata::Tokens& source, const errata::Tokens& target,
                 const std::vector<errata::Characters>& words) {
    print_operations(errata::merge_operations(found, [&](std::size_t first, std::size_t end) {
        const errata::Operation &before = found[first], &last = found[end - 1];
        std::vector<errata::Operation> run;
        for (std::size_t k = first; k < end; ++k)
            run.push_back({found[k].start - before.start, found[k].end - before.start, found[k].target_start - before.target_start,
                           found[k].target_end - before.target_start});
        return errata::MergingRules(run, run_words(source, before.start, last.end, words),
                                    run_words(target, before.target_start, last.target_end, words), 10);
    }));
}

// N-grams of the target against the source and, as references, the source backwards and the target without tokens that the source lacks.
void print_ngrams(const errata::Tokens& source, const errata::Tokens& target, errata::NgramCounts& counts) {
    const errata::Tokens backwards(source.rbegin(), source.rend());
    errata::Tokens known;
    for (const errata::Token token : target)
        if (token != errata::unknown_token) known.push_back(token);
    const errata::NgramTrie trie({source, backwards, known}, 3, {});
    std::vector<std::int64_t> rows;
    for (const bool excess : {false, true}) {
        counts.count(trie, target, excess, rows);
        counts.count_pooled(trie, target, excess, rows);
    }
    for (const std::int64_t number : rows) std::cout << number << ' ';
    std::cout << '\n';
}

struct Stop {};

// Stops long work after some of it, and counts those that stopped and then work as before.
int count_stopped() {
    errata::Tokens one, other;
    for (int k = 0; k < 3000; ++k) {
        one.push_back(k * k % 7 % 2);
        other.push_back(k * k % 11 % 2);
    }
    const errata::Tokens source = {0, 1, 0, 0, 1}, target = {1, 1, 0, 1};
    const errata::GoldEdits gold = {{0, 1, {{1}}}};
    errata::ThreeWay three_way;
    errata::MaxMatch maxmatch;
    const auto align = [&](const errata::Tokens& a, const errata::Tokens& b) {
        three_way.prepare(a, b, {2, 3});
        return three_way.counts(a, errata::AlignmentLimits{}.work)->cost;
    };
    const auto match = [&](const errata::Tokens& a, const errata::Tokens& b) {
        maxmatch.prepare(a, b);
        return maxmatch.counts(gold, 2).proposed + static_cast<std::int64_t>(maxmatch.edits(gold, 2).size());
    };
    const std::int64_t cost = align(source, target), edits = match(source, target);
    int stopped = 0;
    const auto stop = [&](const auto& work) {
        errata::interrupt_hook = [] { throw Stop{}; };
        try {
            work(one, other);
        } catch (const Stop&) {
            ++stopped;
        }
        errata::interrupt_hook = nullptr;
    };
    stop(align);
    stop(match);
    stop([](const errata::Tokens& a, const errata::Tokens& b) { return errata::align(a, b).size(); });
    const std::vector<errata::Characters> words = spelt_words();
    errata::LinguisticAlignment linguistic(words, 10);
    stop([&](const errata::Tokens& a, const errata::Tokens& b) {
        for (int times = 0; times < 3; ++times) linguistic.align(parsed(a), parsed(b), true);
    });
    return align(source, target) == cost && match(source, target) == edits ? stopped : -1;
}

}  // namespace

int main() {
    errata::ThreeWay three_way;
    errata::BlocksLimits limits;
    limits.choices = 100;
    errata::MixtureSolver mixtures({2, 3}, limits);
    errata::NgramCounts ngrams(3, {});
    errata::MaxMatch maxmatch;  // one for all cases, as in the bindings, so that what a case leaves behind meets the next
    const std::vector<errata::Characters> words = spelt_words();
    errata::LinguisticAlignment linguistic(words, 10);
    for (int cases = number(); cases > 0; --cases) {
        const int max_unchanged = number();
        const errata::Tokens source = tokens(), target = tokens();
        maxmatch.prepare(source, target);
        std::vector<errata::Row> rows;
        for (int annotators = number(); annotators > 0; --annotators) {
            errata::GoldEdits gold(static_cast<std::size_t>(number()));
            for (errata::GoldEdit& edit : gold) {
                edit.start = number();
                edit.end = number();
                edit.corrections.resize(static_cast<std::size_t>(number()));
                for (errata::Tokens& text : edit.corrections) text = tokens();
            }
            const errata::Counts counts = maxmatch.counts(gold, max_unchanged);
            rows.push_back({5 * counts.correct, 4 * counts.proposed + counts.gold});
            std::cout << counts.correct << ' ' << counts.proposed << ' ' << counts.gold << ' ' << maxmatch.edits(gold, max_unchanged).size() << '\n';
        }
        print_rechosen(rows);
        std::cout << errata::EditDistance(errata::Word(source.begin(), source.end())).to(errata::Word(target.begin(), target.end())) << '\n';
        std::cout << errata::align(source, target).size() << '\n';
        for (const bool by_parses : {true, false}) {
            const std::vector<errata::Operation>& found = linguistic.align(parsed(source), parsed(target), by_parses);
            print_operations(found);
            print_edits(found, source, target, words);
        }
        print_matches(source, target);
        print_ngrams(source, target, ngrams);
        three_way.prepare(source, target, {2, 3});
        for (const errata::Tokens& reference : {source, errata::Tokens(source.rbegin(), source.rend())}) {
            const std::optional<errata::AlignedCounts> aligned = three_way.counts(reference, errata::AlignmentLimits{}.work);
            for (const auto count : aligned->counts) std::cout << count << ' ';
            std::cout << '\n';
        }
        const errata::Sites places = sites(source);
        const std::optional<errata::Mixtures> baseline = mixtures.solve(source, source, places, errata::per_system);
        const std::optional<errata::Mixtures> system = mixtures.solve(source, target, places, errata::per_system);
        std::vector<errata::Block> found;
        if (baseline && system) found = errata::BlockList(*system, &*baseline, limits).list();
        print(found);
        three_way.prepare(source, target, {2, 3});
        std::cout << three_way.counts(source, 3 * source.size() * target.size()).has_value() << '\n';
    }
    std::cout << count_stopped() << '\n';
    return 0;
}
