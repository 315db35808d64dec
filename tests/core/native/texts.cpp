// Reads cases of texts from standard input and prints their counts and content, or the error, so that it can run under sanitizers.
#include <iostream>
#include <memory>

#include "text_gold.hpp"

namespace {

std::size_t number() {
    std::size_t value = 0;
    if (!(std::cin >> value)) throw std::runtime_error("a number was expected");
    return value;
}

// Texts in memory of exactly their size, so that reading beyond one is noticed.
class Column {
public:
    explicit Column(std::size_t count) {
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t size = number();
            std::cin.get();
            memory_.push_back(std::make_unique<char[]>(size));
            std::cin.read(memory_.back().get(), static_cast<std::streamsize>(size));
            texts.emplace_back(memory_.back().get(), size);
        }
    }

    errata::Texts texts;

private:
    std::vector<std::unique_ptr<char[]>> memory_;
};

}  // namespace

int main() {
    for (std::size_t cases = number(); cases > 0; --cases) {
        const auto max_unchanged = static_cast<int>(number());
        const std::size_t max_tokens = number(), references = number(), sentences = number();
        std::vector<Column> columns;
        for (std::size_t k = 0; k < references + 2; ++k) columns.emplace_back(sentences);
        std::vector<errata::Texts> others;
        for (std::size_t k = 1; k <= references; ++k) others.push_back(columns[k].texts);
        try {
            errata::TextGold gold(columns.front().texts, others, max_unchanged, 1, max_tokens, {});
            gold.prepare();
            std::vector<std::int32_t> cells(3 * gold.rows());
            gold.count(columns.back().texts, cells.data());
            std::string content;
            gold.write_content(0, gold.sentences(), content);
            for (const std::int32_t cell : cells) std::cout << cell << ' ';
            std::cout << std::hex;
            for (const char byte : content) std::cout << static_cast<unsigned>(static_cast<unsigned char>(byte)) << ' ';
            std::cout << std::dec << '\n';
        } catch (const std::exception& error) {
            std::cout << error.what() << '\n';
        }
    }
    return 0;
}
