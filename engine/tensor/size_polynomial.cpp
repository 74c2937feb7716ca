// Sums of products of symbols, always kept in one canonical form: a map from sorted factors to a coefficient that is
// not zero.
//
// Every operation is checked: coefficients stay within 64 bits, and terms, symbols in a term and the text of an
// expression are bounded, because expressions come from files and every node asks for sizes anew. atLeast() proves a
// bound in two ways. A symbol with a largest value that stands in no power is tried at both ends of its range: a
// function that is linear in it is smallest at one of them. The others are replaced by least + x with x >= 0: when no
// coefficient is negative then, the difference is never negative (Taylor shift, the usual sufficient test for
// polynomials on an orthant).

#include "engine/tensor/size_polynomial.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <span>
#include <string_view>

#include "engine/base/quote.h"

namespace cutaway {
namespace {

using Factor = SizePolynomial::Factor;
using Monomial = SizePolynomial::Monomial;
using Terms = SizePolynomial::Terms;

constexpr size_t kMostTerms = 64;
constexpr int32_t kMostSymbols = 32;         // in a term, with their powers
constexpr size_t kLongestExpression = 1024;  // characters
constexpr size_t kMostSymbolsAtEnds = 8;     // 2^8 cases
constexpr int32_t kMostPower = 16;

std::optional<int64_t> multiplied(int64_t a, int64_t b) {
  int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

int64_t boundOr(const std::map<std::string, int64_t>& bounds, const std::string& symbol, int64_t otherwise) {
  const auto found = bounds.find(symbol);
  return found == bounds.end() ? otherwise : found->second;
}

bool add(Terms& sum, Monomial term, int64_t coefficient) {
  if (coefficient == 0) return true;
  const auto [entry, isNew] = sum.try_emplace(std::move(term), coefficient);
  if (isNew) return sum.size() <= kMostTerms;
  if (__builtin_add_overflow(entry->second, coefficient, &entry->second)) return false;
  if (entry->second == 0) sum.erase(entry);
  return true;
}

int32_t degreeOf(const Monomial& term) {
  int32_t degree = 0;
  for (const Factor& factor : term)
    degree += factor.power;
  return degree;
}

// nullopt: too many symbols or too high a power.
std::optional<Monomial> merged(const Monomial& a, const Monomial& b) {
  if (degreeOf(a) + degreeOf(b) > kMostSymbols) return std::nullopt;
  Monomial both;
  both.reserve(a.size() + b.size());
  for (size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const auto order = i == a.size()   ? std::strong_ordering::greater
                       : j == b.size() ? std::strong_ordering::less
                                       : a[i].symbol <=> b[j].symbol;
    if (order < 0) {
      both.push_back(a[i++]);
    } else if (order > 0) {
      both.push_back(b[j++]);
    } else {
      both.push_back({a[i].symbol, a[i].power + b[j].power});
      if (both.back().power > kMostPower) return std::nullopt;
      ++i;
      ++j;
    }
  }
  return both;
}

// Reads sums and products of names and whole numbers. A minus is an operator only with a space before it or a digit
// behind it: "batch-size" is a name, "seq - past" and "seq-1" are not.
class ExpressionReader {
 public:
  explicit ExpressionReader(std::string_view text) : m_text(text) {}

  std::optional<Terms> read() {
    Terms sum;
    int64_t sign = takeSign();
    for (;;) {
      if (!addProduct(sum, sign)) return std::nullopt;
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

  bool addProduct(Terms& sum, int64_t coefficient) {
    Monomial term;
    for (int32_t symbols = 0;;) {
      const std::string_view word = takeWord();
      if (word.empty()) return false;
      if (isDigit(word[0])) {
        if (!multiply(coefficient, word)) return false;
      } else if (++symbols > kMostSymbols || !multiply(term, word)) {
        return false;
      }
      skipSpace();
      if (m_at == m_text.size() || m_text[m_at] != '*') return add(sum, std::move(term), coefficient);
      ++m_at;
    }
  }

  std::string_view takeWord() {
    skipSpace();
    const size_t first = m_at;
    while (m_at < m_text.size() && inName())
      ++m_at;
    return m_text.substr(first, m_at - first);
  }

  static bool multiply(int64_t& coefficient, std::string_view digits) {
    int64_t value = 0;
    for (const char c : digits) {
      if (!isDigit(c) || __builtin_mul_overflow(value, int64_t{10}, &value) ||
          __builtin_add_overflow(value, int64_t{c - '0'}, &value))
        return false;
    }
    return !__builtin_mul_overflow(coefficient, value, &coefficient);
  }
  static bool multiply(Monomial& term, std::string_view symbol) {
    const auto place = std::ranges::lower_bound(term, symbol, {},
                                                [](const Factor& factor) -> std::string_view { return factor.symbol; });
    if (place != term.end() && place->symbol == symbol) return ++place->power <= kMostPower;
    term.insert(place, {SharedText(symbol), 1});
    return true;
  }

  std::string_view m_text;
  size_t m_at = 0;
};

bool mayBeExpression(const std::string& text) {
  return text.size() <= kLongestExpression && text.find_first_of("+-*") != std::string::npos;
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

std::optional<SizePolynomial> SizePolynomial::plus(const SizePolynomial& other) const {
  SizePolynomial sum = *this;
  for (const auto& [term, coefficient] : other.m_terms) {
    if (!add(sum.m_terms, term, coefficient)) return std::nullopt;
  }
  return sum;
}

std::optional<SizePolynomial> SizePolynomial::times(const SizePolynomial& other) const {
  SizePolynomial product;
  for (const auto& [a, coefficientA] : m_terms) {
    for (const auto& [b, coefficientB] : other.m_terms) {
      const auto coefficient = multiplied(coefficientA, coefficientB);
      auto term = coefficient ? merged(a, b) : std::nullopt;
      if (!term || !add(product.m_terms, *std::move(term), *coefficient)) return std::nullopt;
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
      const auto value = values.find(factor.symbol.string());
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
    if (!add(result.m_terms, std::move(left), scaled)) return std::nullopt;
  }
  return result;
}

int32_t SizePolynomial::degree() const {
  int32_t most = 0;
  for (const auto& [term, coefficient] : m_terms)
    most = std::max(most, degreeOf(term));
  return most;
}

int64_t SizePolynomial::constantTerm() const {
  const auto found = m_terms.find({});
  return found == m_terms.end() ? 0 : found->second;
}

std::optional<int64_t> SizePolynomial::evaluate(const std::map<std::string, int64_t>& values) const {
  __int128 sum = 0;  // terms of either sign may cancel; 64 of them cannot wrap 128 bits
  for (const auto& [term, coefficient] : m_terms) {
    int64_t product = coefficient;
    bool isZero = false;
    for (const Factor& factor : term) {
      const auto value = values.find(factor.symbol.string());
      if (value == values.end() || value->second < 0) return std::nullopt;
      isZero = isZero || value->second == 0;
    }
    if (isZero) continue;
    for (const Factor& factor : term) {
      for (int32_t i = 0; i < factor.power; ++i) {
        const auto next = multiplied(product, values.at(factor.symbol.string()));
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
      values[factor.symbol.string()] = value;
  }
  return evaluate(values);
}

// Replaces symbol by (symbol + by), by the binomial theorem.
std::optional<SizePolynomial> SizePolynomial::shifted(const std::string& symbol, int64_t by) const {
  if (by == 0) return *this;
  SizePolynomial result;
  for (const auto& [term, coefficient] : m_terms) {
    const auto place =
        std::ranges::find(term, symbol, [](const Factor& factor) -> const std::string& { return factor.symbol; });
    const int32_t power = place == term.end() ? 0 : place->power;
    Monomial left = term;
    std::optional<int64_t> scaled = coefficient;  // by what was taken of the power
    int64_t ways = 1;
    for (int32_t kept = power;; --kept) {
      const auto all = scaled ? multiplied(*scaled, ways) : std::nullopt;
      if (!all) return std::nullopt;
      if (kept == 0) {
        std::erase_if(left, [&](const Factor& factor) { return factor.symbol == symbol; });
        if (!add(result.m_terms, std::move(left), *all)) return std::nullopt;
        break;
      }
      left[static_cast<size_t>(place - term.begin())].power = kept;
      if (!add(result.m_terms, left, *all)) return std::nullopt;
      ways = ways * kept / (power - kept + 1);
      scaled = multiplied(*scaled, by);
    }
  }
  return result;
}

bool SizePolynomial::neverNegative(const SymbolBounds& bounds, size_t casesLeft) const {
  std::map<std::string, int32_t> symbols;  // those with bounds, with their largest power
  for (const auto& [term, coefficient] : m_terms) {
    for (const Factor& factor : term) {
      if (!bounds.least.contains(factor.symbol) && !bounds.most.contains(factor.symbol)) continue;
      int32_t& power = symbols[factor.symbol.string()];
      power = std::max(power, factor.power);
    }
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
    const int64_t least = boundOr(bounds.least, symbol, 0);
    if (least == 0) continue;
    auto next = moved.shifted(symbol, least);
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

namespace {

std::optional<int64_t> wholeBlocks(int64_t channels, int64_t block) {
  if (channels > std::numeric_limits<int64_t>::max() - block) return std::nullopt;
  return (channels + block - 1) / block * block;
}

// Of `number` and the dimensions. Numbers, single terms and sums each for themselves, so that a sum of many terms is
// not multiplied with every axis. Channels (axis 1) are padded to whole blocks; of a symbol nothing is known about the
// padding.
std::optional<SizePolynomial> product(std::span<const Dim> dims, int64_t number, int64_t block) {
  auto singles = SizePolynomial::constant(1), sums = SizePolynomial::constant(1);
  int32_t degree = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const bool isPadded = block > 1 && axis == 1;
    const auto dim = dims[axis].isKnown() ? std::nullopt : polynomialOf(dims[axis]);
    if (dims[axis].isKnown() || (dim && dim->isConstant())) {
      const int64_t size = dim ? dim->constantTerm() : dims[axis].value();
      const auto padded = isPadded ? wholeBlocks(size, block) : std::optional(size);
      if (size < 0 || !padded || __builtin_mul_overflow(number, *padded, &number)) return std::nullopt;
      continue;
    }
    if (!dim) return std::nullopt;
    degree += dim->degree();
    if (isPadded || degree > kMostSymbols) return std::nullopt;
    SizePolynomial& part = dim->isSum() ? sums : singles;
    auto more = part.times(*dim);
    if (!more) return std::nullopt;
    part = *std::move(more);
  }
  const auto scaled = singles.times(SizePolynomial::constant(number));
  return scaled ? sums.times(*scaled) : std::nullopt;
}

}  // namespace

std::optional<SizePolynomial> polynomialOf(const Dim& dim) {
  if (dim.isKnown()) return SizePolynomial::constant(dim.value());
  if (!dim.isSymbol()) return std::nullopt;
  if (mayBeExpression(dim.symbol())) {
    if (auto read = ExpressionReader(dim.symbol()).read()) {
      SizePolynomial sum;
      sum.m_terms = *std::move(read);
      return sum;
    }
  }
  return SizePolynomial::symbol(dim.symbol());
}

std::optional<SizePolynomial> elementCountOf(const Shape& shape) {
  return product(shape.dims(), 1, 1);
}

std::optional<SizePolynomial> byteSizeOf(const ValueType& type) {
  if (const auto known = staticByteSize(type)) return SizePolynomial::constant(*known);
  const int bits = bitsOf(type.element);
  if (!type.isTensor() || !type.shape || type.element == ElementType::kString || bits == 0) return std::nullopt;
  const int64_t block = type.layout == Layout::kBlocked8 ? 8 : type.layout == Layout::kBlocked16 ? 16 : 1;
  const auto size = product(type.shape->dims(), bits, block);
  return size ? size->dividedBy(8) : std::nullopt;
}

}  // namespace cutaway
