#include "engine/plan/graph_sizes.h"

#include <cctype>
#include <unordered_map>

namespace cutaway::plan {
namespace {

// What tells the formula of a type apart from others, cheaply: element and dimensions.
std::string keyOf(const ValueType& type) {
  std::string key = std::to_string(static_cast<int>(type.element));
  for (const Dim& dim : type.shape->dims()) {
    key += dim.isSymbol() ? "," + dim.symbol() : dim.isKnown() ? "#" + std::to_string(dim.value()) : "?";
  }
  return key;
}

// The symbol itself, and where it is an expression ("past + seq") the names in it.
void addSymbols(const std::string& text, std::map<std::string, int64_t>& symbols) {
  symbols[text] = 0;
  std::string name;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') {
      name += c;
    } else if (!name.empty()) {
      symbols[name] = 0;
      name.clear();
    }
  }
}

}  // namespace

GraphSizes::GraphSizes(const Graph& graph) : m_static(graph.valueSlots(), -1), m_formulaOf(graph.valueSlots(), -1) {
  std::unordered_map<std::string, int32_t> known;
  for (const ValueId id : graph.valueIds()) {
    const ValueType& type = graph.value(id).type;
    m_static[id.index()] = staticByteSize(type).value_or(-1);
    if (m_static[id.index()] >= 0 || !type.isTensor() || !type.shape) continue;
    const auto [entry, isNew] = known.try_emplace(keyOf(type), -1);
    if (isNew) {
      if (auto bytes = byteSizeOf(type)) {
        entry->second = static_cast<int32_t>(m_formulas.size());
        m_formulas.push_back(*std::move(bytes));
      }
      for (const Dim& dim : type.shape->dims()) {
        if (dim.isSymbol()) addSymbols(dim.symbol(), m_symbols);
      }
    }
    m_formulaOf[id.index()] = entry->second;
  }
}

std::vector<int64_t> GraphSizes::under(const std::map<std::string, int64_t>& symbols) const {
  std::vector<int64_t> bytes;
  bytes.reserve(m_formulas.size());
  for (const SizePolynomial& formula : m_formulas)
    bytes.push_back(formula.evaluate(symbols).value_or(-1));
  std::vector<int64_t> sizes = m_static;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (m_formulaOf[i] >= 0) sizes[i] = bytes[static_cast<size_t>(m_formulaOf[i])];
  }
  return sizes;
}

std::vector<int64_t> GraphSizes::underAll(int64_t value) const {
  std::map<std::string, int64_t> symbols = m_symbols;
  for (auto& [name, bound] : symbols)
    bound = value;
  return under(symbols);
}

}  // namespace cutaway::plan
