#pragma once
// Checks feeds against the model's inputs before anything runs (InferenceSession::ValidateInputs in
// onnxruntime/core/session/inference_session.cc), symbols across inputs included.
//
// Thread rule: immutable once built; check() from any thread, each with its own FeedMatch.
// Example: FeedChecker checker(namedInputs(graph));  CUTAWAY_CHECK(checker.check(feeds, match));

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::session {

// Scratch of one check, reused so that a steady run allocates nothing.
struct FeedMatch {
  std::vector<const RuntimeValue*> values;  // by place among the graph's inputs; nullptr: not fed
  std::vector<uint32_t> placeOfFeed;        // of the run before: feeds usually come in the same order
  std::vector<int64_t> symbolValue;         // -1: not bound yet
  std::vector<int32_t> symbolInput;         // the input that bound it
};

// Inputs of a graph as callers see them. One with a default, or of an optional type, need not be fed.
std::vector<execute::NamedType> namedInputs(const Graph& graph);
std::vector<execute::NamedType> namedOutputs(const Graph& graph);

class FeedChecker {
 public:
  explicit FeedChecker(std::vector<execute::NamedType> inputs);
  // Finds the input of every feed, then checks them all. INVALID_ARGUMENT naming both sides.
  Result<void> check(const std::vector<execute::Feed>& feeds, FeedMatch& match) const;
  // match.values is filled: what is missing, types and shapes, symbols across inputs. Gives symbols their values.
  Result<void> checkValues(FeedMatch& match) const;
  // One value by itself.
  Result<void> checkValue(size_t input, const RuntimeValue& value) const;

  // INVALID_ARGUMENT with the nearest names.
  Result<size_t> placeOf(const std::string& name) const;
  const std::vector<execute::NamedType>& inputs() const { return m_inputs; }
  const std::vector<std::string>& symbolNames() const { return m_symbolNames; }

 private:
  Result<void> checkSymbols(size_t input, const Tensor& tensor, FeedMatch& match) const;

  std::vector<execute::NamedType> m_inputs;
  std::unordered_map<std::string, size_t> m_byName;
  std::vector<std::vector<int32_t>> m_symbols;  // per input and axis; -1: no symbol
  std::vector<std::string> m_symbolNames;
};

}  // namespace cutaway::session
