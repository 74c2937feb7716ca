#pragma once
// Makes a chain program of graph nodes: what each operator is in steps, constants in the code, every other value from
// outside an input.
//
// Thread rule: one builder, one thread.
// Example: ChainBuilder builder(graph);  if (builder.add(first) && builder.add(second)) ... builder.finish({value});

#include <span>
#include <unordered_map>
#include <vector>

#include "engine/graph/graph.h"
#include "providers/cuda/chain/chain_program.h"

namespace cutaway::cuda {

class ChainBuilder {
 public:
  explicit ChainBuilder(const Graph& graph) : m_graph(graph) {}

  // In an order in which operands come first. False: chains have no such operator, type or form, or the limits are
  // reached; the builder is of no use then.
  bool add(NodeId node);
  // The values put out. INVALID_GRAPH where the program is not sound.
  Result<ChainProgram> finish(std::span<const ValueId> outputs);
  const std::vector<ValueId>& inputs() const { return m_inputs; }

 private:
  int step(ChainOp op, ElementType type, int a = 0, int b = 0, int c = 0, double first = 0, double second = 0);
  int operand(ValueId value);  // -1: cannot be
  int constant(ElementType type, const Tensor& tensor);
  bool addArithmetic(const Node& node);
  bool addSpecial(const Node& node);
  bool addClip(const Node& node, ElementType type);
  bool addRows(const Node& node);
  bool softmax(int x, ElementType type, int& y);
  bool layerNormalization(const Node& node, int x, ElementType type, int& y);
  bool fold(const Node& node, ChainOp op, bool mean);
  ElementType typeOf(ValueId value) const { return m_graph.value(value).type.element; }
  bool made(const Node& node, int step);

  const Graph& m_graph;
  ChainProgram m_program;
  std::vector<ValueId> m_inputs;
  std::unordered_map<uint32_t, int> m_steps;  // by value index
};

// Operators that reduce rows, in a form that chains have (over the last axis, one output).
bool isRowNode(const Graph& graph, const Node& node);

}  // namespace cutaway::cuda
