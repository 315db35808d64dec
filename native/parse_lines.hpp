// The lines of a parsed sentence in a file that errata wrote, split into cells.
#pragma once

#include <string_view>
#include <vector>

namespace errata {

// The cells of each column that has values, in the order of tokens.
struct ParseLines {
    std::vector<std::string_view> forms, lemmas, pos, tags, deps;
    std::vector<std::size_t> heads;  // from 0; a root is its own head
};

// A whole number without zeros before it, of at most nine digits; no_number if it is none.
constexpr std::size_t no_number = static_cast<std::size_t>(-1);

inline std::size_t read_number(std::string_view text) {
    if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return no_number;
    std::size_t number = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '9') return no_number;
        number = 10 * number + static_cast<std::size_t>(digit - '0');
    }
    return number;
}

// Splits lines of ten columns, after a first line with the text: number, form, lemma, part of speech, tag, _, head, dependency, _, _.
// False if they are not exactly so; the views are valid as long as the text.
inline bool split_parse_lines(std::string_view text, ParseLines& lines) {
    constexpr std::size_t columns = 10;
    for (auto* column : {&lines.forms, &lines.lemmas, &lines.pos, &lines.tags, &lines.deps}) column->clear();
    lines.heads.clear();
    std::size_t end = text.find('\n');
    while (end < text.size()) {  // at the end of a line
        std::string_view cells[columns];
        for (std::size_t column = 0; column < columns; ++column) {
            const std::size_t start = end + 1;
            const bool is_last = column + 1 == columns;
            for (end = start; end < text.size() && text[end] != '\t' && text[end] != '\n'; ++end) {
            }
            if (end == text.size() ? !is_last : text[end] != (is_last ? '\n' : '\t')) return false;
            cells[column] = text.substr(start, end - start);
            if (cells[column].empty()) return false;
        }
        const std::size_t token = lines.heads.size(), head = read_number(cells[6]);
        if (read_number(cells[0]) != token + 1 || head == no_number || head == token + 1) return false;
        if (cells[5] != "_" || cells[8] != "_" || cells[9] != "_") return false;
        lines.forms.push_back(cells[1]);
        lines.lemmas.push_back(cells[2]);
        lines.pos.push_back(cells[3]);
        lines.tags.push_back(cells[4]);
        lines.heads.push_back(head == 0 ? token : head - 1);
        lines.deps.push_back(cells[7]);
    }
    for (const std::size_t head : lines.heads)
        if (head >= lines.heads.size()) return false;
    return !lines.heads.empty();
}

}  // namespace errata
