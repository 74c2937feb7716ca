#pragma once
// Sizes of all values of a graph under values for its symbols; the formulas are made once.
//
// Thread rule: immutable once made. Example: const GraphSizes sizes(graph);  sizes.under({{"batch",
// 8}})[value.index()];

#include <map>
#include <string>
#include <vector>

#include "engine/graph/graph.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::plan {

class GraphSizes {
 public:
  explicit GraphSizes(const Graph& graph);
  // Bytes by value index, -1: not known under these symbols.
  std::vector<int64_t> under(const std::map<std::string, int64_t>& symbols) const;
  // With this value for every symbol.
  std::vector<int64_t> underAll(int64_t value) const;
  // All types tell their sizes, or say that there is none.
  bool hasSymbols() const { return !m_formulas.empty(); }

 private:
  std::vector<int64_t> m_static;             // by value index; -1: not known by the type alone
  std::vector<int32_t> m_formulaOf;          // by value index; -1: none
  std::vector<SizePolynomial> m_formulas;    // different ones
  std::map<std::string, int64_t> m_symbols;  // all of them, each with 0
};

}  // namespace cutaway::plan
