#include "engine/report/cost_formula.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include "engine/base/quote.h"

namespace cutaway {
namespace {

using Symbols = std::vector<std::string>;

constexpr size_t kMostTerms = 256;      // names come from files
constexpr double kLargest = 9.2e18;     // of what fits in 64 bits
constexpr double kFractionsBelow = 10;  // a rounded 0.4 would be 0

bool isWhole(double value) {
  return value == std::floor(value);
}

// "41.2 G", and "0.42 B" as the unit of "1 B" with the fraction in the number's place.
std::string amountText(double amount, const WriteAmount& write) {
  if (std::abs(amount) >= kFractionsBelow || isWhole(amount))
    return write(static_cast<int64_t>(std::llround(std::clamp(amount, -kLargest, kLargest))));
  std::string one = write(1);
  const size_t digits = one.find_first_not_of("0123456789.");
  return fmt::format("{:.3g}{}", amount, digits == std::string::npos ? std::string() : one.substr(digits));
}

// "4.13 k x batch x seq".
std::string termText(const Symbols& symbols, double coefficient, const WriteAmount& write) {
  std::string text = amountText(coefficient, write);
  for (const std::string& symbol : symbols)
    text += " x " + identifierOrQuoted(symbol);
  return text;
}

// Reads "-3*n + 4128*batch*\"my seq\" - 12".
class CanonicalReader {
 public:
  explicit CanonicalReader(std::string_view text) : m_text(text) {}

  std::optional<CostFormula> read() {
    CostFormula sum;
    double sign = take("-") ? -1 : 1;
    for (;;) {
      Symbols symbols;
      double coefficient = sign;
      do {
        if (!factor(symbols, coefficient)) return std::nullopt;
      } while (take("*"));
      std::ranges::sort(symbols);
      if (coefficient != 0) sum.terms[symbols] += coefficient;
      if (m_text.empty()) return sum;
      if (take(" + "))
        sign = 1;
      else if (take(" - "))
        sign = -1;
      else
        return std::nullopt;
    }
  }

 private:
  bool take(std::string_view mark) {
    if (!m_text.starts_with(mark)) return false;
    m_text.remove_prefix(mark.size());
    return true;
  }
  bool factor(Symbols& symbols, double& coefficient) {
    if (m_text.starts_with('"')) return quoted(symbols);
    const size_t end = std::min(m_text.find_first_of("* "), m_text.size());
    const std::string_view word = m_text.substr(0, end);
    m_text.remove_prefix(end);
    if (isIdentifier(word)) {
      symbols.emplace_back(word);
      return true;
    }
    int64_t number = 0;
    const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    coefficient *= static_cast<double>(number);
    return error == std::errc() && last == word.data() + word.size();
  }
  // Escapes beyond quotes and backslashes are too rare in names of dimensions to be read back.
  bool quoted(Symbols& symbols) {
    std::string name;
    for (size_t at = 1; at < m_text.size(); ++at) {
      if (m_text[at] == '"') {
        m_text.remove_prefix(at + 1);
        symbols.push_back(std::move(name));
        return true;
      }
      if (m_text[at] == '\\' && (++at == m_text.size() || (m_text[at] != '"' && m_text[at] != '\\'))) return false;
      name += m_text[at];
    }
    return false;
  }
  std::string_view m_text;
};

}  // namespace

CostFormula CostFormula::constant(double value) {
  CostFormula made;
  if (value != 0) made.terms.emplace(Symbols{}, value);
  return made;
}

std::optional<CostFormula> CostFormula::read(std::string_view canonical) {
  return CanonicalReader(canonical).read();
}

bool CostFormula::isOpen() const {
  return std::ranges::any_of(terms, [](const auto& term) { return !term.first.empty(); });
}

bool CostFormula::add(const CostFormula& more) {
  size_t added = 0;
  for (const auto& [symbols, coefficient] : more.terms)
    added += terms.contains(symbols) ? 0 : 1;
  if (terms.size() + added > kMostTerms) return false;
  for (const auto& [symbols, coefficient] : more.terms) {
    const auto all = terms.try_emplace(symbols, 0).first;
    all->second += coefficient;
    if (all->second == 0) terms.erase(all);
  }
  return true;
}

std::optional<double> CostFormula::at(const std::map<std::string, int64_t>& sizes) const {
  double sum = 0;
  for (const auto& [symbols, coefficient] : terms) {
    double product = coefficient;
    for (const std::string& symbol : symbols) {
      const auto size = sizes.find(symbol);
      if (size == sizes.end()) return std::nullopt;
      product *= static_cast<double>(size->second);
    }
    sum += product;
  }
  return sum;
}

std::string CostFormula::toText() const {
  std::string text;
  const auto append = [&](const Symbols& symbols, double coefficient) {
    if (!text.empty())
      text += coefficient < 0 ? " - " : " + ";
    else if (coefficient < 0)
      text += "-";
    const double size = std::abs(coefficient);
    std::string product = size == 1 && !symbols.empty() ? ""
                          : isWhole(size)               ? fmt::format("{:.0f}", size)
                                                        : fmt::format("{}", size);
    for (const std::string& symbol : symbols)
      product += (product.empty() ? "" : "*") + identifierOrQuoted(symbol);
    text += product;
  };
  for (const auto& [symbols, coefficient] : terms)
    if (!symbols.empty()) append(symbols, coefficient);
  if (const auto rest = terms.find({}); rest != terms.end() || text.empty())
    append({}, rest == terms.end() ? 0 : rest->second);
  return text;
}

std::string formulaText(const CostFormula& formula, const std::set<std::string>& free, const WriteAmount& write) {
  std::string text;
  int64_t inside = 0;
  const auto append = [&](const Symbols& symbols, double coefficient) {
    if (!std::ranges::all_of(symbols, [&](const std::string& each) { return free.contains(each); })) {
      ++inside;
    } else if (coefficient < 0 && !text.empty()) {
      text += " - " + termText(symbols, -coefficient, write);
    } else {
      text += (text.empty() ? "" : " + ") + termText(symbols, coefficient, write);
    }
  };
  for (const auto& [symbols, coefficient] : formula.terms)
    if (!symbols.empty()) append(symbols, coefficient);
  if (const auto rest = formula.terms.find({}); rest != formula.terms.end()) append({}, rest->second);
  if (inside == 0) return text.empty() ? write(0) : text;
  return fmt::format("{}{}{} term{} in sizes that follow inside the graph", text, text.empty() ? "" : " + ", inside,
                     inside == 1 ? "" : "s");
}

std::string formulaHead(const CostFormula& formula, const WriteAmount& write) {
  if (formula.terms.empty()) return write(0);
  const auto first = std::ranges::max_element(
      formula.terms, {}, [](const auto& term) { return std::tuple(term.first.size(), term.second); });
  std::string text = termText(first->first, first->second, write);
  if (formula.terms.size() > 1) text += " + ...";
  return text;
}

}  // namespace cutaway
