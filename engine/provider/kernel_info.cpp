#include "engine/provider/kernel.h"

namespace cutaway {

namespace {
const ValueType kUnknownType;
}

KernelInfo::KernelInfo(const Graph& graph, NodeId node, ConstantLookup constants)
    : m_graph(graph), m_node(node), m_constants(std::move(constants)) {}

const ValueType& KernelInfo::inputType(size_t slot) const {
  return hasInput(slot) ? m_graph.value(node().inputs[slot]).type : kUnknownType;
}

const ValueType& KernelInfo::outputType(size_t slot) const {
  return hasOutput(slot) ? m_graph.value(node().outputs[slot]).type : kUnknownType;
}

const Tensor* KernelInfo::constantInput(size_t slot) const {
  if (!hasInput(slot)) return nullptr;
  const ValueId id = node().inputs[slot];
  if (m_constants) return m_constants(id);
  const Value& value = m_graph.value(id);
  return m_graph.isConstant(id) && value.initializer ? &*value.initializer : nullptr;
}

}  // namespace cutaway
