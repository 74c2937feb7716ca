#pragma once
// Splits the text notation into tokens with their places. Comments run from # or // to the end of the line.
//
// Thread rule: one thread. Example: TextLexer lexer(text); CUTAWAY_TRY(Token token, lexer.next());

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway {

enum class TokenKind : uint8_t { kEnd, kIdentifier, kString, kNumber, kMark };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // strings without quotes, escapes resolved; marks: one character, "=>" or "..."
  int line = 1;
  int column = 1;
  bool is(std::string_view mark) const { return kind == TokenKind::kMark && text == mark; }
};

class TextLexer {
 public:
  explicit TextLexer(std::string_view text) : m_text(text) {}
  Result<Token> next();

 private:
  char at(size_t ahead = 0) const { return m_position + ahead < m_text.size() ? m_text[m_position + ahead] : '\0'; }
  bool atEnd() const { return m_position >= m_text.size(); }
  void advance();
  void skipBlanks();
  Result<void> readString(Token& token);
  void readNumber(Token& token);
  Result<void> readMark(Token& token);

  std::string_view m_text;
  size_t m_position = 0;
  int m_line = 1;
  int m_column = 1;
};

// INVALID_PROTOBUF "line 3, column 7: ...".
tl::unexpected<Error> failAt(const Token& token, std::string_view message);

}  // namespace cutaway
