#include "providers/plugged/plugged_kernel.h"

#include "engine/plugin/node_view.h"
#include "engine/plugin/plugin_folder.h"

namespace cutaway {
namespace {

class KernelCall final : public plugin::Call {
 public:
  KernelCall(const plugin::Node& node, KernelContext& context) : m_node(node), m_context(context) {
    m_inputs.resize(context.inputCount());
    made.resize(context.outputCount());
    for (size_t slot = 0; slot < m_inputs.size(); ++slot) {
      if (const Tensor* tensor = context.input(slot)) m_inputs[slot] = viewOf(*tensor);
    }
  }

  const plugin::Node& node() const override { return m_node; }
  const plugin::Tensor* input(size_t slot) const override {
    return slot < m_inputs.size() && m_inputs[slot].elementType != 0 ? &m_inputs[slot] : nullptr;
  }
  void* output(size_t slot, int32_t elementType, const int64_t* dims, size_t rank) override {
    if (!m_context.hasOutput(slot)) return nullptr;
    Result<Tensor*> tensor = m_context.output(slot, static_cast<ElementType>(elementType), {dims, rank});
    if (!tensor) {
      problem = std::move(tensor).error();
      return nullptr;
    }
    made[slot] = true;
    return (*tensor)->mutableData();
  }
  bool cancelled() const override { return m_context.cancelled(); }

  std::vector<bool> made;
  std::optional<Error> problem;

 private:
  const plugin::Node& m_node;
  KernelContext& m_context;
  std::vector<plugin::Tensor> m_inputs;
};

// The node alone: the graph that it was in may be gone when it runs.
Graph alone(const KernelInfo& info) {
  Graph graph("node");
  std::vector<ValueId> inputs;
  for (const ValueId id : info.node().inputs)
    inputs.push_back(id.valid() ? graph.addValue(info.graph().nameOf(id)) : ValueId());
  Node node = info.node();
  node.implicitInputs.clear();
  graph.addNode(std::move(node), inputs, info.graph().namesOf(info.node().outputs));
  return graph;
}

class PluggedKernel final : public Kernel {
 public:
  PluggedKernel(const KernelInfo& info, const plugin::Operator& its)
      : m_graph(alone(info)), m_node(m_graph, m_graph.nodeIds().front()), m_operator(its) {}

  Result<void> run(KernelContext& context) const override {
    KernelCall call(m_node, context);
    const char* const wrong = m_operator.run(call);
    if (call.problem) return fail(*std::move(call.problem));
    if (context.cancelled()) return fail(cancelledError());
    if (wrong != nullptr) return fail(ErrorCode::kFail, "{}: {}", m_operator.name, wrong);
    for (size_t slot = 0; slot < call.made.size(); ++slot) {
      if (context.hasOutput(slot) && !call.made[slot])
        return fail(ErrorCode::kFail, "{}: its plug-in made no output {}", m_operator.name, slot);
    }
    return {};
  }
  std::string_view variant() const override { return "plug-in"; }

 private:
  Graph m_graph;
  NodeView m_node;
  const plugin::Operator& m_operator;
};

}  // namespace

const plugin::Operator* pluggedOperator(std::string_view domain, std::string_view opType, int32_t version) {
  for (const OpenedPlugin* library : openedPlugins()) {
    for (size_t i = 0; i < library->tables->operatorCount; ++i) {
      const plugin::Operator& each = library->tables->operators[i];
      if (each.name == opType && each.domain == domain && each.sinceVersion == version) return &each;
    }
  }
  return nullptr;
}

Result<std::unique_ptr<Kernel>> makePluggedKernel(const KernelInfo& info) {
  const Node& node = info.node();
  const plugin::Operator* const its = pluggedOperator(node.domain, node.opType, node.sinceVersion);
  if (its == nullptr) return fail(ErrorCode::kNotImplemented, "no plug-in has {} of {}", node.opType, node.domain);
  return std::make_unique<PluggedKernel>(info, *its);
}

}  // namespace cutaway
