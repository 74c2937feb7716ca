#include "engine/graph/text_lexer.h"

namespace cutaway {
namespace {

bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

int hexDigit(char c) {
  if (isDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

tl::unexpected<Error> failAt(const Token& token, std::string_view message) {
  return fail(ErrorCode::kInvalidProtobuf, "line {}, column {}: {}", token.line, token.column, message);
}

void TextLexer::advance() {
  if (at() == '\n') {
    ++m_line;
    m_column = 1;
  } else {
    ++m_column;
  }
  ++m_position;
}

void TextLexer::skipBlanks() {
  while (!atEnd()) {
    const bool comment = at() == '#' || (at() == '/' && at(1) == '/');
    if (comment) {
      while (!atEnd() && at() != '\n')
        advance();
    } else if (at() == ' ' || at() == '\t' || at() == '\r' || at() == '\n') {
      advance();
    } else {
      return;
    }
  }
}

Result<Token> TextLexer::next() {
  skipBlanks();
  Token token;
  token.line = m_line;
  token.column = m_column;
  if (atEnd()) return token;
  if (at() == '"') {
    token.kind = TokenKind::kString;
    CUTAWAY_CHECK(readString(token));
  } else if (isLetter(at())) {
    token.kind = TokenKind::kIdentifier;
    for (; isLetter(at()) || isDigit(at()); advance())
      token.text += at();
  } else if (isDigit(at()) || ((at() == '-' || at() == '+' || at() == '.') &&
                               (isDigit(at(1)) || (at() != '.' && (isLetter(at(1)) || at(1) == '.'))))) {
    token.kind = TokenKind::kNumber;
    readNumber(token);
  } else {
    token.kind = TokenKind::kMark;
    CUTAWAY_CHECK(readMark(token));
  }
  return token;
}

Result<void> TextLexer::readString(Token& token) {
  for (advance(); at() != '"'; advance()) {
    if (atEnd()) return failAt(token, "this string has no end");
    if (at() != '\\') {
      token.text += at();
      continue;
    }
    advance();
    switch (at()) {
      case 'n':
        token.text += '\n';
        break;
      case 't':
        token.text += '\t';
        break;
      case 'r':
        token.text += '\r';
        break;
      case '"':
      case '\\':
        token.text += at();
        break;
      case 'x': {
        const int high = hexDigit(at(1));
        const int low = hexDigit(at(2));
        if (high < 0 || low < 0) return failAt(token, "\\x in this string needs two hexadecimal digits");
        token.text += static_cast<char>(high * 16 + low);
        advance();
        advance();
        break;
      }
      default:
        return failAt(token, "this string has an unknown escape");
    }
  }
  advance();
  return {};
}

// Letters belong to it (1e5, -inf), a sign only after an exponent's letter. What it is worth is decided where it is
// used.
void TextLexer::readNumber(Token& token) {
  do {
    token.text += at();
    advance();
  } while (isDigit(at()) || isLetter(at()) || at() == '.' ||
           ((at() == '-' || at() == '+') && (token.text.back() == 'e' || token.text.back() == 'E')));
}

Result<void> TextLexer::readMark(Token& token) {
  static constexpr std::string_view kMarks = "()[]{}<>=,:.?@";
  if (kMarks.find(at()) == std::string_view::npos) return failAt(token, "this character has no meaning here");
  const bool arrow = at() == '=' && at(1) == '>';
  const bool dots = at() == '.' && at(1) == '.' && at(2) == '.';
  for (int length = dots ? 3 : arrow ? 2 : 1; length > 0; --length) {
    token.text += at();
    advance();
  }
  return {};
}

}  // namespace cutaway
