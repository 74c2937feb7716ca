#pragma once
// Sizes of values, interned once, so that the planner compares numbers and never texts.
//
// Two sizes are equal when their polynomials are: [2,3] equals [3,2], and 2*B*S equals B*S*2. onnxruntime's
// own test (every dimension for itself, no multiplication) is kept beside it. Thread rule: one thread. Example:
// SizeTable sizes(graph, options);  if (sizes.sameBytes(a, b)) ...

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/stages/allocate/allocate.h"
#include "engine/tensor/size_polynomial.h"

namespace cutaway::allocate {

struct ValueSize {
  int64_t bytes = -1;       // when known before running
  int32_t polynomial = -1;  // index of its polynomial, when symbols are in it
  int32_t shape = -1;       // equal for equal element bits, layout and dimensions (numbers or symbols, none unknown)
  bool known() const { return bytes >= 0 || polynomial >= 0; }
};

class SizeTable {
 public:
  SizeTable(const Graph& graph, const AllocateOptions& options);

  const ValueSize& of(ValueId value) const { return m_sizes[value.index()]; }
  bool sameBytes(ValueId a, ValueId b) const;
  bool sameShape(ValueId a, ValueId b) const { return of(a).shape >= 0 && of(a).shape == of(b).shape; }
  // nullopt: not known.
  std::optional<SizePolynomial> polynomialOf(ValueId value) const;
  const SizePolynomial& polynomial(int32_t index) const { return *m_polynomials[static_cast<size_t>(index)]; }
  // Certainly at least `need` bytes, and certainly at most twice as many.
  bool holdsWithoutMuchWaste(const ValueSize& have, const ValueSize& need);
  std::string text(const ValueSize& size) const;
  // A dimension with declared bounds that meet is a number here.
  std::optional<int64_t> numberOf(const Dim& dim) const;
  const std::map<std::string, int64_t>& pinned() const { return m_pinned; }

 private:
  struct TypeHash {
    size_t operator()(const ValueType* type) const;
  };
  struct TypeEqual {
    bool operator()(const ValueType* a, const ValueType* b) const;
  };
  ValueSize measure(const ValueType& type);
  int32_t intern(SizePolynomial polynomial);

  const Graph& m_graph;
  SymbolBounds m_bounds;
  std::map<std::string, int64_t> m_pinned;
  std::vector<ValueSize> m_sizes;
  std::unordered_map<const ValueType*, ValueSize, TypeHash, TypeEqual> m_ofType;
  std::unordered_map<std::string, int32_t> m_ids;  // by canonical text
  std::vector<std::optional<SizePolynomial>> m_polynomials;
  std::map<std::pair<int32_t, int32_t>, bool> m_holds;
};

// Bytes as text, canonical: "3072*batch". "?" stands for an unknown dimension ("8*3*?"), "unknown" when there is no
// shape.
std::string sizeText(const ValueType& type);

}  // namespace cutaway::allocate
