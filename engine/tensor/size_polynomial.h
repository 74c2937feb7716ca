#pragma once
// Sizes as polynomials over the symbols of a model, in one canonical form: 2*B*S and B*S*2 are equal, and sizes can be
// compared where the bounds of the symbols are declared.
//
// A polynomial is a sum of terms; a term is a whole number times symbols to powers, symbols in alphabetical order,
// terms in lexical order of their symbols. Coefficients are checked for overflow. Thread rule: plain values. Example:
// const auto bytes = byteSizeOf(type);  bytes->toText() == "3072*batch*seq";  bytes->evaluate({{"batch", 2}, {"seq",
// 128}}) == 786432;

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/shared_text.h"
#include "engine/tensor/shape.h"

namespace cutaway {

// Bounds of symbols; a symbol that is not named lies between 0 and infinity.
struct SymbolBounds {
  std::map<std::string, int64_t> least;
  std::map<std::string, int64_t> most;
};

class SizePolynomial {
 public:
  struct Factor {
    SharedText symbol;  // of a long name all terms hold one text
    int32_t power = 1;
    auto operator<=>(const Factor&) const = default;
  };
  using Monomial = std::vector<Factor>;       // sorted by symbol; empty: the constant term
  using Terms = std::map<Monomial, int64_t>;  // no zero coefficients

  SizePolynomial() = default;  // 0
  static SizePolynomial constant(int64_t value);
  static SizePolynomial symbol(const std::string& name);
  // nullopt when a coefficient does not fit in 64 bits, or the result has too many terms (64), too many symbols in a
  // term (32, n*n counts as two) or too high a power (16).
  std::optional<SizePolynomial> plus(const SizePolynomial& other) const;
  std::optional<SizePolynomial> times(const SizePolynomial& other) const;
  // nullopt unless every coefficient can be divided.
  std::optional<SizePolynomial> dividedBy(int64_t divisor) const;

  // These symbols replaced by their values.
  std::optional<SizePolynomial> with(const std::map<std::string, int64_t>& values) const;

  bool isSum() const { return m_terms.size() > 1; }
  // The most symbols in a term, n*n counts as two: of a product the sum of its factors'.
  int32_t degree() const;
  bool isConstant() const { return m_terms.empty() || (m_terms.size() == 1 && m_terms.begin()->first.empty()); }
  int64_t constantTerm() const;
  // nullopt when a symbol has no value, the result is negative or does not fit.
  std::optional<int64_t> evaluate(const std::map<std::string, int64_t>& values) const;
  // The same with one value for all symbols.
  std::optional<int64_t> evaluateAll(int64_t value) const;
  // True only when it is certain for all values within the bounds: this >= other.
  bool atLeast(const SizePolynomial& other, const SymbolBounds& bounds = {}) const;
  // "3072*batch*seq + 12"; the same text means the same polynomial.
  std::string toText() const;
  bool operator==(const SizePolynomial&) const = default;

 private:
  friend std::optional<SizePolynomial> polynomialOf(const Dim& dim);
  std::optional<SizePolynomial> shifted(const std::string& symbol, int64_t by) const;
  bool neverNegative(const SymbolBounds& bounds, size_t casesLeft) const;

  Terms m_terms;
};

// A dimension's symbol may itself be an expression of + - * and whole numbers ("past + seq"); anything else is taken as
// one symbol: names with a hyphen ("batch-size"), texts of more than 1024 characters, and what has too many terms or
// symbols. nullopt: unknown dimension.
std::optional<SizePolynomial> polynomialOf(const Dim& dim);
// Product of the dimensions. nullopt: one is not known or below zero, or the product has too many terms or symbols.
std::optional<SizePolynomial> elementCountOf(const Shape& shape);
// Bytes of a dense tensor. Elements below a byte are packed; where the last byte may be half full, only constants have
// a size. nullopt: not a tensor, a string, rank unknown, or no count of elements.
std::optional<SizePolynomial> byteSizeOf(const ValueType& type);

}  // namespace cutaway
