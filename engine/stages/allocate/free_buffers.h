#pragma once
// Buffers that nobody uses any more, newest last.
//
// Equal sizes first (last in, first out: its bytes are the likeliest to be in the cache); else the smallest one that is
// large enough and wastes at most half of itself. Thread rule: one thread. Example: free.put(device, size, root); const
// FreeBuffers::Taken taken = free.take(device, need, true);

#include <map>
#include <unordered_map>
#include <vector>

#include "engine/stages/allocate/size_class.h"

namespace cutaway::allocate {

class FreeBuffers {
 public:
  FreeBuffers(SizeTable& sizes, AllocRules rules, size_t valueSlots)
      : m_sizes(sizes), m_rules(rules), m_isFree(valueSlots, false) {}

  struct Taken {
    ValueId root;
    bool isLarger = false;
  };
  // device: any dense number of it.
  void put(int32_t device, ValueId root, bool remember);
  Taken take(int32_t device, const ValueSize& need, bool largerToo);
  size_t count() const { return m_count; }
  // Some of the newest, for sentences. Only what was put with `remember`.
  std::vector<ValueId> newest() const;

 private:
  struct Shelf {
    std::map<int64_t, std::vector<ValueId>> byBytes;
    std::unordered_map<int32_t, std::vector<ValueId>> byPolynomial;
    std::vector<int32_t> polynomials;                           // those that were ever put, newest use last
    std::unordered_map<int32_t, std::vector<ValueId>> byShape;  // onnxruntime's rule
  };
  Shelf& shelf(int32_t device);
  ValueId pop(std::vector<ValueId>& roots);
  Taken takeByBytes(Shelf& shelf, int64_t need, bool largerToo);
  Taken takeLargerSymbolic(Shelf& shelf, const ValueSize& need);

  SizeTable& m_sizes;
  AllocRules m_rules;
  std::vector<Shelf> m_shelves;
  std::vector<bool> m_isFree;
  std::vector<ValueId> m_history;  // newest last, with entries that were taken since
  size_t m_count = 0;
};

}  // namespace cutaway::allocate
