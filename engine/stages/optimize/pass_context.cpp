#include "engine/graph/graph_query.h"
#include "engine/graph/node_label.h"
#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

const Tensor* PassContext::constant(ValueId id) const {
  const PassContext* context = this;
  while (context != nullptr && id.valid()) {
    const Value& value = context->m_graph.value(id);
    if (context->m_graph.isConstant(id))
      return value.initializer->data() == nullptr && value.initializer->elementCount() > 0 ? nullptr
                                                                                           : &*value.initializer;
    if (!value.outerScope || context->m_outer == nullptr) return nullptr;
    context = context->m_outer;
    id = context->m_graph.findValue(value.name);
  }
  return nullptr;
}

NodeId PassContext::onlyReader(ValueId id) const {
  return cutaway::onlyReader(m_graph, id);
}

ValueId PassContext::input(NodeId id, size_t slot) const {
  return slot < node(id).inputs.size() ? node(id).inputs[slot] : ValueId();
}

ValueId PassContext::output(NodeId id, size_t slot) const {
  return slot < node(id).outputs.size() ? node(id).outputs[slot] : ValueId();
}

std::string PassContext::label(NodeId id) const {
  return nodeLabel(m_graph, id);
}

}  // namespace cutaway::optimize
