#pragma once
// The n-grams of a TfIdfVectorizer as a tree over token numbers.
//
// Tokens are numbered once (a hash lookup a token); n-grams are paths from the root. The first step is an array lookup
// by token, deeper steps are lookups of (node, token). Thread rule: immutable once built; walk from many threads.
// Example: the pool {5, 6 | 5 6} with tokens 5 -> 0, 6 -> 1:  pool.add({0}, 0);  pool.add({1}, 1);  pool.add({0, 1},
// 2);  pool.finish(2);
//          node = pool.first(0);  pool.ngramAt(node) == 0;  node = pool.next(node, 1);  pool.ngramAt(node) == 2

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/base/result.h"
#include "providers/cpu/kernels/lookup_table.h"

namespace cutaway::cpu::text {

class NgramPool {
 public:
  static constexpr int32_t kNone = -1;

  // tokens: numbers from 0, at least one. INVALID_ARGUMENT when the pool has this n-gram already.
  Result<void> add(std::span<const int32_t> tokens, int32_t ngram);
  // After the last add. tokenCount: numbers lie below it.
  void finish(size_t tokenCount);

  // The node reached by a token (>= 0) from the root, or from another node; kNone when no n-gram goes on that way.
  int32_t first(int32_t token) const { return m_first[static_cast<size_t>(token)]; }
  int32_t next(int32_t node, int32_t token) const { return m_next.find(stepKey(node, token)); }
  // The n-gram that ends at a node, or kNone.
  int32_t ngramAt(int32_t node) const { return m_ngrams[static_cast<size_t>(node)]; }

 private:
  static int64_t stepKey(int32_t node, int32_t token) {
    return static_cast<int64_t>(node) << 32 | static_cast<uint32_t>(token);
  }
  int32_t step(int32_t node, int32_t token);

  std::vector<int32_t> m_ngrams;                    // by node
  std::unordered_map<int64_t, int32_t> m_building;  // (node + 1, token) -> node; the root is -1
  std::vector<int32_t> m_first;
  NumberLookup m_next;
};

}  // namespace cutaway::cpu::text
