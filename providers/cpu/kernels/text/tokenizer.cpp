// com.microsoft Tokenizer: each string cut into tokens at separators, or gathered as the matches of an expression, or
// taken apart into characters; rows filled up with pad_value.
//
// Separators are RE2 expressions applied one after another, each to what the one before left; tokens of fewer than
// mincharnum characters go. With mark, each row stands between U+0002 and U+0003. Separators that are single plain
// characters need no expression: a table of bytes finds them.

#include <algorithm>
#include <array>
#include <vector>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/text/pattern.h"

namespace cutaway::cpu {
namespace {

using Pieces = std::vector<std::string_view>;

constexpr std::string_view kStartMark = "\x02";
constexpr std::string_view kEndMark = "\x03";

bool startsCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}
int64_t characterCount(std::string_view text) {
  return std::count_if(text.begin(), text.end(), startsCharacter);
}

// Bytes of the character at `at`, up to the next byte that starts one.
size_t characterLength(std::string_view text, size_t at) {
  size_t end = at + 1;
  while (end < text.size() && !startsCharacter(text[end]))
    ++end;
  return end - at;
}

re2::StringPiece pieceOf(std::string_view text) {
  return {text.data(), text.size()};
}

// How strings become tokens: one of the four ways.
struct Cutter {
  bool characters = false;
  bool byBytes = false;
  std::array<bool, 256> isSeparator{};
  std::vector<std::unique_ptr<const RE2>> separators;
  std::unique_ptr<const RE2> token;

  void cut(std::string_view text, Pieces& tokens, Pieces& spare) const;
};

void cutCharacters(std::string_view text, Pieces& tokens) {
  for (size_t at = 0; at < text.size();) {
    const size_t length = characterLength(text, at);
    tokens.push_back(text.substr(at, length));
    at += length;
  }
}

void cutAtBytes(std::string_view text, const std::array<bool, 256>& isSeparator, Pieces& tokens) {
  size_t begin = 0;
  for (size_t at = 0; at <= text.size(); ++at) {
    if (at < text.size() && !isSeparator[static_cast<unsigned char>(text[at])]) continue;
    if (at > begin) tokens.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
}

// Calls visit(position, length) for each match that is not empty, left to right.
template <typename Visit>
void forEachMatch(const RE2& pattern, std::string_view text, Visit&& visit) {
  re2::StringPiece found;
  for (size_t at = 0; at < text.size() && pattern.Match(pieceOf(text), at, text.size(), RE2::UNANCHORED, &found, 1);) {
    const auto position = static_cast<size_t>(found.data() - text.data());
    if (found.empty()) {
      if (position >= text.size()) return;
      at = position + characterLength(text, position);
      continue;
    }
    visit(position, found.size());
    at = position + found.size();
  }
}

void cutAtMatches(const RE2& separator, std::string_view text, Pieces& pieces) {
  size_t begin = 0;
  forEachMatch(separator, text, [&](size_t position, size_t length) {
    if (position > begin) pieces.push_back(text.substr(begin, position - begin));
    begin = position + length;
  });
  if (begin < text.size()) pieces.push_back(text.substr(begin));
}

void Cutter::cut(std::string_view text, Pieces& tokens, Pieces& spare) const {
  if (characters) return cutCharacters(text, tokens);
  if (byBytes) return cutAtBytes(text, isSeparator, tokens);
  if (token != nullptr)
    return forEachMatch(*token, text,
                        [&](size_t position, size_t length) { tokens.push_back(text.substr(position, length)); });
  const size_t first = tokens.size();
  tokens.push_back(text);
  for (const auto& separator : separators) {
    spare.clear();
    for (size_t i = first; i < tokens.size(); ++i)
      cutAtMatches(*separator, tokens[i], spare);
    tokens.resize(first);
    tokens.insert(tokens.end(), spare.begin(), spare.end());
  }
  if (text.empty()) tokens.resize(first);
}

struct Tokens final : KernelState {
  Pieces pieces;
  Pieces spare;
  std::vector<size_t> ends;  // by string
};

class TokenizerKernel final : public Kernel {
 public:
  TokenizerKernel(const KernelInfo& info, Cutter cutter, int64_t shortest)
      : m_cutter(std::move(cutter)),
        m_shortest(shortest),
        m_mark(info.attribute<int64_t>("mark", 0) != 0),
        m_padding(info.attribute<std::string>("pad_value", "")) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<Tokens>(); }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    const Dims& dims = input->dims();
    if (dims.size() != 1 && dims.size() != 2)
      return fail(ErrorCode::kInvalidArgument, "Tokenizer takes [C] or [N, C], not {}", dimsToText(dims));
    // No strings: [0] stays [0], [N, C] becomes [N, 0].
    if (input->elementCount() == 0)
      return dims.size() == 1 ? emptyOutput(context, {0}) : emptyOutput(context, {dims[0], 0});
    auto& tokens = *static_cast<Tokens*>(context.state());
    int64_t width = cutAll(input->span<std::string>(), tokens);
    if (width > 0 && m_mark) width += 2;
    CUTAWAY_CHECK(checkedMultiply(input->elementCount(), width));
    CUTAWAY_TRY(Tensor * output,
                dims.size() == 1 ? context.output(0, {dims[0], width}) : context.output(0, {dims[0], dims[1], width}));
    if (width > 0) write(tokens, width, output->span<std::string>().data());
    return {};
  }

 private:
  static Result<void> emptyOutput(KernelContext& context, std::initializer_list<int64_t> dims) {
    CUTAWAY_CHECK(context.output(0, dims));
    return {};
  }

  // The most tokens that one string has.
  int64_t cutAll(std::span<const std::string> strings, Tokens& tokens) const {
    tokens.pieces.clear();
    tokens.ends.clear();
    size_t most = 0;
    for (const std::string& text : strings) {
      const size_t begin = tokens.pieces.size();
      m_cutter.cut(text, tokens.pieces, tokens.spare);
      if (m_shortest > 1) dropShort(tokens.pieces, begin);
      most = std::max(most, tokens.pieces.size() - begin);
      tokens.ends.push_back(tokens.pieces.size());
    }
    return static_cast<int64_t>(most);
  }

  void dropShort(Pieces& pieces, size_t begin) const {
    const auto isShort = [&](std::string_view piece) { return characterCount(piece) < m_shortest; };
    pieces.erase(std::remove_if(pieces.begin() + static_cast<std::ptrdiff_t>(begin), pieces.end(), isShort),
                 pieces.end());
  }

  void write(const Tokens& tokens, int64_t width, std::string* target) const {
    size_t next = 0;
    for (const size_t end : tokens.ends) {
      std::string* const last = target + width;
      if (m_mark) (target++)->assign(kStartMark);
      for (; next < end; ++next)
        (target++)->assign(tokens.pieces[next]);
      if (m_mark) (target++)->assign(kEndMark);
      for (; target != last; ++target)
        target->assign(m_padding);
    }
  }

  Cutter m_cutter;
  int64_t m_shortest;
  bool m_mark;
  std::string m_padding;
};

// The one byte that an expression stands for when it is a single plain character, else -1.
int plainByte(const std::string& expression) {
  constexpr std::string_view kSpecial = ".[](){}\\^$|?*+";
  if (expression.size() == 1 && static_cast<unsigned char>(expression[0]) < 0x80 &&
      kSpecial.find(expression[0]) == std::string_view::npos)
    return expression[0];
  // An escaped one: a backslash before punctuation stands for the punctuation.
  if (expression.size() == 2 && expression[0] == '\\' && kSpecial.find(expression[1]) != std::string_view::npos)
    return expression[1];
  return -1;
}

Result<void> useSeparators(const std::vector<std::string>& separators, Cutter& cutter) {
  if (separators.size() == 1 && separators[0].empty()) {
    cutter.characters = true;
    return {};
  }
  cutter.byBytes = true;
  for (const std::string& separator : separators) {
    if (separator.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "an empty separator, which cuts between characters, stands beside others");
    const int byte = plainByte(separator);
    if (byte < 0)
      cutter.byBytes = false;
    else
      cutter.isSeparator[static_cast<size_t>(byte)] = true;
    CUTAWAY_TRY(auto pattern, text::makePattern(separator));
    cutter.separators.push_back(std::move(pattern));
  }
  return {};
}

Result<std::unique_ptr<Kernel>> createTokenizer(const KernelInfo& info) {
  const int64_t shortest = info.attribute<int64_t>("mincharnum", 1);
  if (shortest < 1) return fail(ErrorCode::kInvalidArgument, "mincharnum is {} and must be positive", shortest);
  const auto separators = info.attribute<std::vector<std::string>>("separators", {});
  const auto expression = info.attribute<std::string>("tokenexp", "");
  Cutter cutter;
  if (!separators.empty()) {
    CUTAWAY_CHECK(useSeparators(separators, cutter));
  } else if (!expression.empty()) {
    CUTAWAY_TRY(cutter.token, text::makePattern(expression));
  } else {
    return fail(ErrorCode::kInvalidArgument, "one of separators and tokenexp must be given");
  }
  if (cutter.characters && shortest > 1)
    return fail(ErrorCode::kInvalidArgument, "tokens of single characters cannot have mincharnum {}", shortest);
  return std::make_unique<TokenizerKernel>(info, std::move(cutter), shortest);
}

constexpr ElementType kStrings[] = {ElementType::kString};
constexpr TypeRule kTypes[] = {{0, kStrings}};
constexpr KernelRow kRows[] = {
    {.opType = "Tokenizer", .domain = "com.microsoft", .versions = {1}, .types = kTypes, .create = createTokenizer},
};

}  // namespace

KernelRows kernel_tokenizer() {
  return kRows;
}

}  // namespace cutaway::cpu
