#pragma once
// Checks feeds against the model's inputs before anything runs (engine-behavior 6.2), symbols across inputs included.
//
// Thread rule: immutable once built; check() from any thread, each with its own FeedMatch.
// Example: FeedChecker checker(graph);  CUTAWAY_CHECK(checker.check(feeds, match));

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/runtime/session.h"

namespace cutaway {

// Scratch of one check, reused so that a steady run allocates nothing.
struct FeedMatch {
  std::vector<int32_t> feedOfInput;   // by place among the graph's inputs; -1: not fed
  std::vector<int64_t> symbolValue;   // -1: not bound yet
  std::vector<int32_t> symbolInput;   // the input that bound it
};

class FeedChecker {
 public:
  explicit FeedChecker(const Graph& graph);
  Result<void> check(const std::vector<Feed>& feeds, FeedMatch& match) const;
  const std::vector<NamedType>& inputs() const { return m_inputs; }

 private:
  Result<void> checkValue(size_t input, const RuntimeValue& value, FeedMatch& match) const;
  Result<void> checkShape(size_t input, const Tensor& tensor, FeedMatch& match) const;

  std::vector<NamedType> m_inputs;
  std::unordered_map<std::string, size_t> m_byName;
  std::vector<std::vector<int32_t>> m_symbols;  // per input and axis; -1: no symbol
  std::vector<std::string> m_symbolNames;
};

}  // namespace cutaway
