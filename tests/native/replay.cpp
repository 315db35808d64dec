// Reads cases as numbers from standard input and prints what the core finds, so that it can run under sanitizers without Python.
#include <iostream>

#include "alignment.hpp"
#include "maxmatch.hpp"
#include "three_way.hpp"

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

}  // namespace

int main() {
    errata::ThreeWay three_way;
    errata::MaxMatch maxmatch;  // one for all cases, as in the bindings, so that what a case leaves behind meets the next
    for (int cases = number(); cases > 0; --cases) {
        const int max_unchanged = number();
        const errata::Tokens source = tokens(), target = tokens();
        maxmatch.prepare(source, target);
        for (int annotators = number(); annotators > 0; --annotators) {
            errata::GoldEdits gold(static_cast<std::size_t>(number()));
            for (errata::GoldEdit& edit : gold) {
                edit.start = number();
                edit.end = number();
                edit.corrections.resize(static_cast<std::size_t>(number()));
                for (errata::Tokens& text : edit.corrections) text = tokens();
            }
            const errata::Counts counts = maxmatch.counts(gold, max_unchanged);
            std::cout << counts.correct << ' ' << counts.proposed << ' ' << counts.gold << ' ' << maxmatch.edits(gold, max_unchanged).size() << '\n';
        }
        std::cout << errata::align(source, target).size() << '\n';
        three_way.prepare(source, target, {2, 3});
        for (const errata::Tokens& reference : {source, errata::Tokens(source.rbegin(), source.rend())}) {
            for (const auto count : three_way.counts(reference)) std::cout << count << ' ';
            std::cout << '\n';
        }
    }
    return 0;
}
