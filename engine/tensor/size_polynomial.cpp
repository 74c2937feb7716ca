// Sums of products of symbols, always kept in one canonical form: a map from sorted factors to a coefficient that is
// not zero.
//
// Every operation is checked: coefficients stay within 64 bits, and the number of terms is bounded, because expressions
// come from files. atLeast() proves a bound in two ways. A symbol with a largest value that stands in no power is tried
// at both ends of its range: a function that is linear in it is smallest at one of them. The others are replaced by
// least + x with x >= 0: when no coefficient is negative then, the difference is never negative (Taylor shift, the
// usual sufficient test for polynomials on an orthant).

#include "engine/tensor/size_polynomial.h"

#include <cctype>
#include <limits>

#include "engine/base/quote.h"

namespace cutaway {
namespace {

constexpr size_t kMostTerms = 256;
constexpr size_t kMostSymbolsAtEnds = 8;  // 2^8 cases
constexpr int32_t kMostPower = 16;

std::optional<int64_t> multiplied(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

int64_t boundOr(const std::map<std::string, int64_t>& bounds, const std::string& symbol, int64_t otherwise) {
  const auto found = bounds.find(symbol);
  return found == bounds.end() ? otherwise : found->second;
}

// Reads sums and products of names and whole numbers. A minus is an operator only with a space before it or a digit
// behind it: "batch-size" is a name, "seq - past" and "seq-1" are not.
class ExpressionReader {
 public:
  explicit ExpressionReader(const std::string& text) : m_text(text) {}

  std::optional<SizePolynomial> read() {
    SizePolynomial sum = SizePolynomial::constant(0);
    int64_t sign = takeSign();
    for (;;) {
      const auto term = product();
      if (!term) return std::nullopt;
      const auto signedTerm = term->times(SizePolynomial::constant(sign));
      auto next = signedTerm ? sum.plus(*signedTerm) : std::nullopt;
      if (!next) return std::nullopt;
      sum = *std::move(next);
      skipSpace();
      if (m_at == m_text.size()) return sum;
      if (m_text[m_at] != '+' && m_text[m_at] != '-') return std::nullopt;
      sign = m_text[m_at++] == '-' ? -1 : 1;
    }
  }

 private:
  void skipSpace() {
    while (m_at < m_text.size() && m_text[m_at] == ' ')
      ++m_at;
  }
  int64_t takeSign() {
    skipSpace();
    if (m_at >= m_text.size() || m_text[m_at] != '-') return 1;
    ++m_at;
    return -1;
  }
  static bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
  bool minusIsPartOfName() const {
    return m_text[m_at] == '-' && m_at > 0 && m_text[m_at - 1] != ' ' && m_at + 1 < m_text.size() &&
           m_text[m_at + 1] != ' ' && !isDigit(m_text[m_at + 1]);
  }
  bool inName() const {
    const char c = m_text[m_at];
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':' ||
           static_cast<unsigned char>(c) >= 0x80 || minusIsPartOfName();
  }

  std::optional<SizePolynomial> product() {
    SizePolynomial all = SizePolynomial::constant(1);
    for (;;) {
      const auto factor = operand();
      auto next = factor ? all.times(*factor) : std::nullopt;
      if (!next) return std::nullopt;
      all = *std::move(next);
      skipSpace();
      if (m_at == m_text.size() || m_text[m_at] != '*') return all;
      ++m_at;
    }
  }

  std::optional<SizePolynomial> operand() {
    skipSpace();
    const size_t first = m_at;
    while (m_at < m_text.size() && inName())
      ++m_at;
    if (m_at == first) return std::nullopt;
    const std::string word = m_text.substr(first, m_at - first);
    if (!isDigit(word[0])) return SizePolynomial::symbol(word);
    int64_t value = 0;
    for (const char c : word) {
      if (!isDigit(c) || __builtin_mul_overflow(value, int64_t{10}, &value) ||
          __builtin_add_overflow(value, int64_t{c - '0'}, &value))
        return std::nullopt;
    }
    return SizePolynomial::constant(value);
  }

  const std::string& m_text;
  size_t m_at = 0;
};

bool mayBeExpression(const std::string& text) {
  return text.find_first_of("+-*") != std::string::npos;
}

}  // namespace

SizePolynomial SizePolynomial::constant(int64_t value) {
  SizePolynomial made;
  if (value != 0) made.m_terms.emplace(Monomial{}, value);
  return made;
}

SizePolynomial SizePolynomial::symbol(const std::string& name) {
  SizePolynomial made;
  made.m_terms.emplace(Monomial{{name, 1}}, 1);
  return made;
}

bool SizePolynomial::add(const Monomial& term, int64_t coefficient) {
  if (coefficient == 0) return true;
  const auto [entry, isNew] = m_terms.try_emplace(term, coefficient);
  if (isNew) return m_terms.size() <= kMostTerms;
  if (__builtin_add_overflow(entry->second, coefficient, &entry->second)) return false;
  if (entry->second == 0) m_terms.erase(entry);
  return true;
}

std::optional<SizePolynomial> SizePolynomial::plus(const SizePolynomial& other) const {
  SizePolynomial sum = *this;
  for (const auto& [term, coefficient] : other.m_terms) {
    if (!sum.add(term, coefficient)) return std::nullopt;
  }
  return sum;
}

std::optional<SizePolynomial> SizePolynomial::times(const SizePolynomial& other) const {
  SizePolynomial product;
  for (const auto& [a, coefficientA] : m_terms) {
    for (const auto& [b, coefficientB] : other.m_terms) {
      const auto coefficient = multiplied(coefficientA, coefficientB);
      if (!coefficient) return std::nullopt;
      Monomial merged;
      merged.reserve(a.size() + b.size());
      for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (j == b.size() || (i < a.size() && a[i].symbol < b[j].symbol)) {
          merged.push_back(a[i++]);
        } else if (i == a.size() || b[j].symbol < a[i].symbol) {
          merged.push_back(b[j++]);
        } else {
          merged.push_back({a[i].symbol, a[i].power + b[j].power});
          if (merged.back().power > kMostPower) return std::nullopt;
          ++i;
          ++j;
        }
      }
      if (!product.add(merged, *coefficient)) return std::nullopt;
    }
  }
  return product;
}

std::optional<SizePolynomial> SizePolynomial::dividedBy(int64_t divisor) const {
  if (divisor == 0 || divisor == -1) return std::nullopt;
  SizePolynomial quotient;
  for (const auto& [term, coefficient] : m_terms) {
    if (coefficient % divisor != 0) return std::nullopt;
    quotient.m_terms.emplace(term, coefficient / divisor);
  }
  return quotient;
}

std::optional<SizePolynomial> SizePolynomial::with(const std::map<std::string, int64_t>& values) const {
  SizePolynomial result;
  for (const auto& [term, coefficient] : m_terms) {
    Monomial left;
    int64_t scaled = coefficient;
    for (const Factor& factor : term) {
      const auto value = values.find(factor.symbol);
      if (value == values.end()) {
        left.push_back(factor);
        continue;
      }
      for (int32_t i = 0; i < factor.power; ++i) {
        const auto next = multiplied(scaled, value->second);
        if (!next) return std::nullopt;
        scaled = *next;
      }
    }
    if (!result.add(left, scaled)) return std::nullopt;
  }
  return result;
}

int64_t SizePolynomial::constantTerm() const {
  const auto found = m_terms.find({});
  return found == m_terms.end() ? 0 : found->second;
}

std::optional<int64_t> SizePolynomial::evaluate(const std::map<std::string, int64_t>& values) const {
  __int128 sum = 0;  // terms of either sign may cancel; 256 of them cannot wrap 128 bits
  for (const auto& [term, coefficient] : m_terms) {
    int64_t product = coefficient;
    bool isZero = false;
    for (const Factor& factor : term) {
      const auto value = values.find(factor.symbol);
      if (value == values.end() || value->second < 0) return std::nullopt;
      isZero = isZero || value->second == 0;
    }
    if (isZero) continue;
    for (const Factor& factor : term) {
      for (int32_t i = 0; i < factor.power; ++i) {
        const auto next = multiplied(product, values.at(factor.symbol));
        if (!next) return std::nullopt;
        product = *next;
      }
    }
    sum += product;
  }
  if (sum < 0 || sum > std::numeric_limits<int64_t>::max()) return std::nullopt;
  return static_cast<int64_t>(sum);
}

std::optional<int64_t> SizePolynomial::evaluateAll(int64_t value) const {
  std::map<std::string, int64_t> values;
  for (const auto& [term, coefficient] : m_terms) {
    for (const Factor& factor : term)
      values[factor.symbol] = value;
  }
  return evaluate(values);
}

// Replaces symbol by (symbol + by).
std::optional<SizePolynomial> SizePolynomial::shifted(const std::string& symbol, int64_t by) const {
  const auto moved = SizePolynomial::symbol(symbol).plus(constant(by));
  SizePolynomial result;
  for (const auto& [term, coefficient] : m_terms) {
    SizePolynomial expanded = constant(coefficient);
    for (const Factor& factor : term) {
      for (int32_t i = 0; i < factor.power; ++i) {
        auto next = expanded.times(factor.symbol == symbol ? *moved : SizePolynomial::symbol(factor.symbol));
        if (!next) return std::nullopt;
        expanded = *std::move(next);
      }
    }
    auto next = result.plus(expanded);
    if (!next) return std::nullopt;
    result = *std::move(next);
  }
  return result;
}

bool SizePolynomial::neverNegative(const SymbolBounds& bounds, size_t casesLeft) const {
  std::map<std::string, int32_t> symbols;  // with their largest power
  for (const auto& [term, coefficient] : m_terms) {
    for (const Factor& factor : term)
      symbols[factor.symbol] = std::max(symbols[factor.symbol], factor.power);
  }
  for (const auto& [symbol, power] : symbols) {
    const int64_t least = boundOr(bounds.least, symbol, 0);
    const int64_t most = boundOr(bounds.most, symbol, -1);
    if (most < least || (power > 1 && most != least) || casesLeft == 0) continue;
    const auto atLow = with({{symbol, least}});
    const auto atHigh = with({{symbol, most}});
    return atLow && atHigh && atLow->neverNegative(bounds, casesLeft - 1) &&
           (least == most || atHigh->neverNegative(bounds, casesLeft - 1));
  }
  SizePolynomial moved = *this;
  for (const auto& [symbol, power] : symbols) {
    auto next = moved.shifted(symbol, boundOr(bounds.least, symbol, 0));
    if (!next) return false;
    moved = *std::move(next);
  }
  for (const auto& [term, coefficient] : moved.m_terms) {
    if (coefficient < 0) return false;
  }
  return true;
}

bool SizePolynomial::atLeast(const SizePolynomial& other, const SymbolBounds& bounds) const {
  const auto negated = other.times(constant(-1));
  const auto difference = negated ? plus(*negated) : std::nullopt;
  return difference && difference->neverNegative(bounds, kMostSymbolsAtEnds);
}

std::string SizePolynomial::toText() const {
  std::string text;
  const auto append = [&](const Monomial& term, int64_t coefficient) {
    const bool isNegative = coefficient < 0;
    if (text.empty()) {
      text += isNegative ? "-" : "";
    } else {
      text += isNegative ? " - " : " + ";
    }
    const uint64_t size =
        isNegative ? uint64_t{0} - static_cast<uint64_t>(coefficient) : static_cast<uint64_t>(coefficient);
    std::string separator;
    if (size != 1 || term.empty()) {
      text += std::to_string(size);
      separator = "*";
    }
    for (const Factor& factor : term) {
      for (int32_t i = 0; i < factor.power; ++i) {
        text += separator + identifierOrQuoted(factor.symbol);
        separator = "*";
      }
    }
  };
  for (const auto& [term, coefficient] : m_terms) {
    if (!term.empty()) append(term, coefficient);
  }
  if (const int64_t rest = constantTerm(); rest != 0 || text.empty()) append({}, rest);
  return text;
}

std::optional<SizePolynomial> polynomialOf(const Dim& dim) {
  if (dim.isKnown()) return SizePolynomial::constant(dim.value());
  if (!dim.isSymbol()) return std::nullopt;
  if (mayBeExpression(dim.symbol())) {
    if (auto read = ExpressionReader(dim.symbol()).read()) return read;
  }
  return SizePolynomial::symbol(dim.symbol());
}

std::optional<SizePolynomial> byteSizeOf(const ValueType& type) {
  if (const auto known = staticByteSize(type)) return SizePolynomial::constant(*known);
  const int bits = bitsOf(type.element);
  if (!type.isTensor() || !type.shape || type.element == ElementType::kString || bits == 0) return std::nullopt;
  const int64_t block = type.layout == Layout::kBlocked8 ? 8 : type.layout == Layout::kBlocked16 ? 16 : 1;
  std::optional<SizePolynomial> size = SizePolynomial::constant(bits);
  for (size_t axis = 0; axis < type.shape->rank() && size; ++axis) {
    auto dim = polynomialOf((*type.shape)[axis]);
    if (!dim) return std::nullopt;
    if (block > 1 && axis == 1) {
      // Channels are padded to whole blocks; of a symbol nothing is known about the padding.
      if (!dim->isConstant() || dim->constantTerm() > std::numeric_limits<int64_t>::max() - block) return std::nullopt;
      dim = SizePolynomial::constant((dim->constantTerm() + block - 1) / block * block);
    }
    size = size->times(*dim);
  }
  return size ? size->dividedBy(8) : std::nullopt;
}

}  // namespace cutaway
