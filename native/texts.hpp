// Texts in UTF-8 and their tokens, split exactly as Python's str.split() does: at white space of any script.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace errata {

using Text = std::string_view;
using Texts = std::vector<Text>;

constexpr std::size_t all_valid = static_cast<std::size_t>(-1);

// The length of the UTF-8 sequence at a position, 0 if there is none: Unicode 15, table 3-7.
inline std::size_t sequence_at(Text text, std::size_t at) {
    const auto byte = [&](std::size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0u; };
    const auto continues = [&](std::size_t k) { return (byte(k) & 0xC0u) == 0x80u; };
    const unsigned lead = byte(0), second = byte(1);
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4 || !continues(1)) return 0;
    if (lead < 0xE0) return 2;
    if (lead < 0xF0) {
        const bool overlong = lead == 0xE0 && second < 0xA0, surrogate = lead == 0xED && second > 0x9F;
        return overlong || surrogate || !continues(2) ? 0 : 3;
    }
    const bool overlong = lead == 0xF0 && second < 0x90, beyond = lead == 0xF4 && second > 0x8F;
    return overlong || beyond || !continues(2) || !continues(3) ? 0 : 4;
}

// The first byte that does not begin or continue a character, `all_valid` if there is none.
inline std::size_t find_invalid_byte(Text text) {
    std::size_t at = 0;
    while (at < text.size()) {
        std::uint64_t eight = 0;
        while (text.size() - at >= sizeof eight) {  // eight characters of ASCII at once
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if ((eight & 0x8080808080808080u) != 0) break;
            at += sizeof eight;
        }
        for (std::size_t k = 0; k < sizeof eight && at < text.size(); ++k) {
            const std::size_t length = sequence_at(text, at);
            if (length == 0) return at;
            at += length;
        }
    }
    return all_valid;
}

// The length in bytes of the white space that begins at a position, 0 if it is none.
inline std::size_t white_space_at(Text text, std::size_t at) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[at + k]); };
    const unsigned lead = byte(0);
    if (lead <= 0x20) return lead == 0x20 || (lead >= 0x09 && lead <= 0x0D) || lead >= 0x1C ? 1 : 0;
    if (lead < 0xC2 || lead > 0xE3 || text.size() - at < 2) return 0;
    if (lead == 0xC2) return byte(1) == 0x85 || byte(1) == 0xA0 ? 2 : 0;  // next line, no-break space
    if (lead < 0xE1 || text.size() - at < 3) return 0;
    const unsigned rest = static_cast<unsigned>(byte(1)) << 8 | byte(2);
    const bool is_general = lead == 0xE2 && ((rest >= 0x8080 && rest <= 0x808A) || rest == 0x80A8 || rest == 0x80A9 || rest == 0x80AF || rest == 0x819F);
    const bool is_ogham = lead == 0xE1 && rest == 0x9A80, is_ideographic = lead == 0xE3 && rest == 0x8080;
    return is_general || is_ogham || is_ideographic ? 3 : 0;
}

// A text without the spaces around it.
inline Text trim(Text text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

// Whether a text has only the characters of ASCII from space on.
inline bool is_plain(Text text) {
    unsigned odd = 0;
    for (const char byte : text) odd |= static_cast<unsigned>(static_cast<signed char>(byte) < 0x20);
    return odd == 0;
}

// Calls visit(token) for each token of a valid text, in order.
template <typename Visit>
void split(Text text, Visit&& visit) {
    const char *start = text.data(), *const end = start + text.size();
    if (is_plain(text)) {
        while (start != end) {
            const auto* space = static_cast<const char*>(std::memchr(start, ' ', static_cast<std::size_t>(end - start)));
            if (space == nullptr) space = end;
            if (space != start) visit(Text(start, static_cast<std::size_t>(space - start)));
            start = space == end ? end : space + 1;
        }
        return;
    }
    std::size_t from = 0, at = 0;
    while (at < text.size()) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::size_t length = byte > 0x20 && byte < 0xC2 ? 0 : white_space_at(text, at);
        if (length == 0) {
            ++at;
            continue;
        }
        if (at > from) visit(text.substr(from, at - from));
        from = at += length;
    }
    if (at > from) visit(text.substr(from, at - from));
}

// The texts between offsets, as Arrow stores them; there is one offset more than texts.
template <typename Offset>
Texts make_texts(const Offset* offsets, const char* bytes, std::size_t count) {
    Texts texts;
    if (count == 0) return texts;
    if (offsets == nullptr) throw std::invalid_argument("an array of texts must have offsets");
    texts.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        if (offsets[k] < 0 || offsets[k + 1] < offsets[k]) throw std::invalid_argument("the offsets of an array of texts must not decrease");
        const auto start = static_cast<std::size_t>(offsets[k]), size = static_cast<std::size_t>(offsets[k + 1] - offsets[k]);
        if (size != 0 && bytes == nullptr) throw std::invalid_argument("an array of texts must have bytes");
        texts.push_back(size == 0 ? Text() : Text(bytes + start, size));
    }
    return texts;
}

// One of Arrow's string views, which has a short text itself, or the place of a longer one.
struct StringView {
    static constexpr std::int32_t longest_inline = 12;
    std::int32_t size;
    char prefix[4];
    std::int32_t buffer, offset;
};
static_assert(sizeof(StringView) == 16);

// The texts of string views; `sizes` has the bytes of each buffer.
inline Texts make_texts(const StringView* views, const char* const* buffers, const std::int64_t* sizes, std::size_t buffer_count, std::size_t count) {
    Texts texts;
    if (count == 0) return texts;
    if (views == nullptr || (buffer_count != 0 && sizes == nullptr)) throw std::invalid_argument("an array of string views must have views and sizes");
    texts.reserve(count);
    for (std::size_t k = 0; k < count; ++k) {
        const StringView& view = views[k];
        if (view.size >= 0 && view.size <= StringView::longest_inline) {
            texts.emplace_back(reinterpret_cast<const char*>(&view) + sizeof view.size, static_cast<std::size_t>(view.size));
            continue;
        }
        const bool is_known = view.size >= 0 && view.buffer >= 0 && static_cast<std::size_t>(view.buffer) < buffer_count && view.offset >= 0;
        const auto number = static_cast<std::size_t>(is_known ? view.buffer : 0);
        if (!is_known || buffers[number] == nullptr || std::int64_t{view.offset} + view.size > sizes[number])
            throw std::invalid_argument("a string view must be inside its buffer");
        texts.emplace_back(buffers[number] + view.offset, static_cast<std::size_t>(view.size));
    }
    return texts;
}

}  // namespace errata
