#pragma once

#include <cstddef>
#include <string_view>

#include "scene/json_value.h"

namespace thixo {

/// Walks over JSON text token by token and keeps track of line and column.
///
/// nlohmann's SAX interface passes no positions, and its lexer reads one character ahead after numbers only,
/// so counting what it has consumed is fragile. This cursor instead walks the same text in lockstep: every
/// token except commas and colons reaches the SAX handler, in order, and is known to be well formed by then,
/// so that skipping blanks, comments and separators leads to the token's first character.
class TextCursor {
public:
    TextCursor(std::string_view text, Position start);

    /// To the first character of the next token, past blanks, comments, commas and colons.
    void to_token();
    /// Past blanks and comments only. Stops at a comment that is never closed.
    void skip_blanks();
    /// Past the well-formed token at the cursor; returns its text.
    std::string_view skip_token();
    /// The token at the cursor, well formed or not; for messages.
    std::string_view word() const;
    void advance();

    bool at_end() const { return offset_ == text_.size(); }
    char current() const { return at_end() ? '\0' : text_[offset_]; }
    std::size_t offset() const { return offset_; }
    Position position() const { return position_; }

private:
    bool skip_comment();
    void skip_string();
    void skip_number();
    char next() const { return offset_ + 1 < text_.size() ? text_[offset_ + 1] : '\0'; }

    std::string_view text_;
    std::size_t offset_ = 0;
    Position position_;
};

}  // namespace thixo
