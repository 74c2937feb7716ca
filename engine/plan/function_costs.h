#pragma once
// What a call of a function costs: the sum over its body, inlined for the shapes of the call.
//
// Answers are kept: a function that is called a thousand times with the same shapes is worked out once. Bounded,
// because files may nest functions without end. Thread rule: one thread. Example: FunctionCosts functions(model); const
// int64_t flops = functions.flopsOf(graph, call);

#include <string>
#include <unordered_map>

#include "engine/graph/model.h"
#include "engine/stages/partition/inline_functions.h"

namespace cutaway::plan {

class FunctionCosts {
 public:
  explicit FunctionCosts(const Model& model) : m_model(model), m_inliner(model) {}
  // -1: the node calls no function that this model or its schema has, shapes are open, or the body is too large to be
  // worked out in passing.
  int64_t flopsOf(const Graph& graph, NodeId call);

 private:
  int64_t inlined(const Graph& graph, NodeId call);

  const Model& m_model;
  partition::Inliner m_inliner;
  std::unordered_map<std::string, int64_t> m_known;  // by operator, attributes and types of inputs
  int m_left = 20'000;                               // nodes that may still be worked out
};

}  // namespace cutaway::plan
