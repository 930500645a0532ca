#include "scene/text_cursor.h"

namespace thixo {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80u) ||
           std::string_view("+-._'").find(c) != std::string_view::npos;
}

}  // namespace

TextCursor::TextCursor(std::string_view text, Position start) : text_(text), position_(start) {
    if (text_.starts_with("\xef\xbb\xbf")) offset_ = 3;  // a byte order mark takes no column
}

void TextCursor::advance() {
    const char c = text_[offset_];
    const bool line_ends = c == '\n' || (c == '\r' && next() != '\n');
    ++offset_;
    if (position_.line == 0) return;  // an override: it has no lines
    if (line_ends) {
        ++position_.line;
        position_.column = 1;
    } else if ((static_cast<unsigned char>(current()) & 0xc0u) != 0x80u || at_end()) {
        ++position_.column;
    }
}

bool TextCursor::skip_comment() {
    TextCursor inside = *this;
    inside.advance();
    const bool block = inside.current() == '*';
    if (!block && inside.current() != '/') return false;
    inside.advance();
    for (; !inside.at_end(); inside.advance()) {
        if (!block && (inside.current() == '\n' || inside.current() == '\r')) break;
        if (block && inside.current() == '*' && inside.next() == '/') {
            inside.advance();
            inside.advance();
            *this = inside;
            return true;
        }
    }
    if (block) return false;
    *this = inside;
    return true;
}

void TextCursor::skip_blanks() {
    while (!at_end()) {
        if (is_blank(current())) {
            advance();
        } else if (current() != '/' || !skip_comment()) {
            return;
        }
    }
}

void TextCursor::to_token() {
    for (skip_blanks(); current() == ',' || current() == ':'; skip_blanks()) advance();
}

std::string_view TextCursor::skip_token() {
    const std::size_t begin = offset_;
    const char first = current();
    if (first == '"') {
        skip_string();
    } else if (first == '-' || is_digit(first)) {
        skip_number();
    } else if (first == 't' || first == 'n' || first == 'f') {
        for (int length = first == 'f' ? 5 : 4; length > 0 && !at_end(); --length) advance();
    } else if (!at_end()) {
        advance();
    }
    return text_.substr(begin, offset_ - begin);
}

void TextCursor::skip_string() {
    advance();
    while (!at_end() && current() != '"') {
        if (current() == '\\') advance();
        if (!at_end()) advance();
    }
    if (!at_end()) advance();
}

// The grammar of numbers to the letter: in `01` the token ends after the zero.
void TextCursor::skip_number() {
    const auto digits = [&] {
        while (is_digit(current())) advance();
    };
    if (current() == '-') advance();
    if (current() == '0')
        advance();
    else
        digits();
    if (current() == '.' && is_digit(next())) {
        advance();
        digits();
    }
    if (current() == 'e' || current() == 'E') {
        advance();
        if (current() == '+' || current() == '-') advance();
        digits();
    }
}

std::string_view TextCursor::word() const {
    TextCursor end = *this;
    if (current() == '"') {
        end.skip_string();
    } else {
        while (!end.at_end() && is_word(end.current())) end.advance();
        if (end.offset_ == offset_ && !at_end()) end.advance();
    }
    return text_.substr(offset_, end.offset_ - offset_);
}

}  // namespace thixo
