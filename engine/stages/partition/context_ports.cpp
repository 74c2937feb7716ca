// Ports of a partition against slots of a node, and the kernel that stands between them.
#include "engine/stages/partition/context_ports.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>

#include "engine/base/cancel_scope.h"
#include "engine/graph/node_label.h"
#include "engine/provider/kernel_contexts.h"
#include "engine/stages/partition/claim_checks.h"

namespace cutaway::partition {

namespace {

// What the operator's schema allows (the com.microsoft EPContext schema in onnxruntime/core/graph/contrib_ops).
constexpr std::array kElements = {
    ElementType::kBool,   ElementType::kUint8,  ElementType::kInt8,    ElementType::kUint16, ElementType::kInt16,
    ElementType::kUint32, ElementType::kInt32,  ElementType::kUint64,  ElementType::kInt64,  ElementType::kFloat16,
    ElementType::kFloat,  ElementType::kDouble, ElementType::kBfloat16};

// Open dimensions agree with everything.
bool agree(const ValueType& slot, const ValueType& port) {
  if (!slot.known() || !port.known()) return true;
  if (!slot.isTensor() || !port.isTensor()) return false;
  if (slot.element != port.element && slot.element != ElementType::kUndefined &&
      port.element != ElementType::kUndefined)
    return false;
  if (!slot.shape || !port.shape) return true;
  if (slot.shape->rank() != port.shape->rank()) return false;
  for (size_t axis = 0; axis < slot.shape->rank(); ++axis) {
    const Dim& a = (*slot.shape)[axis];
    const Dim& b = (*port.shape)[axis];
    if (a.isKnown() && b.isKnown() && a.value() != b.value()) return false;
  }
  return true;
}

std::string portNames(const std::vector<context_binary::ContextPort>& ports) {
  std::string text;
  for (const context_binary::ContextPort& port : ports)
    text += (text.empty() ? "" : ", ") + port.name;
  return text.empty() ? "none" : text;
}

class Binder {
 public:
  Binder(const Graph& graph, NodeId node, const context_binary::ContextPartition& partition)
      : m_graph(graph), m_node(graph.node(node)), m_title(nodeLabel(graph, node)), m_partition(partition) {}

  Result<std::vector<uint32_t>> bind(const std::vector<ValueId>& values,
                                     const std::vector<context_binary::ContextPort>& ports, const char* what) const {
    std::vector<uint32_t> slots;
    for (size_t slot = 0; slot < values.size(); ++slot) {
      if (values[slot].valid()) slots.push_back(static_cast<uint32_t>(slot));
    }
    if (slots.size() != ports.size()) {
      return fail(ErrorCode::kInvalidGraph,
                  "{} has {} {}s, and partition '{}' has {} ({}): the model and its binary do not belong together",
                  m_title, slots.size(), what, m_partition.name, ports.size(), portNames(ports));
    }
    if (std::optional<std::vector<uint32_t>> named = byName(values, slots, ports)) slots = *std::move(named);
    for (size_t port = 0; port < ports.size(); ++port) {
      const Value& value = m_graph.value(values[slots[port]]);
      if (!ports[port].type.isTensor() || ports[port].type.element == ElementType::kUndefined)
        return fail(ErrorCode::kEpFail, "partition '{}' does not say the type of its {} '{}'", m_partition.name, what,
                    ports[port].name);
      if (agree(value.type, ports[port].type)) continue;
      return fail(atValue(
          {ErrorCode::kInvalidGraph,
           fmt::format("{} '{}' of {} is {}, and partition '{}' has {} for it ('{}')", what, value.name, m_title,
                       toText(value.type), m_partition.name, toText(ports[port].type), ports[port].name),
           {}},
          value.name));
    }
    return slots;
  }

  // Nothing can infer them: the file has to say.
  Result<void> checkOutputTypes() const {
    for (const ValueId id : m_node.outputs) {
      if (!id.valid()) continue;
      const Value& value = m_graph.value(id);
      if (!value.type.known() || (value.type.isTensor() && value.type.element == ElementType::kUndefined)) {
        return fail(atValue({ErrorCode::kInvalidGraph,
                             fmt::format("the model does not say the type of output '{}' of {}, and nothing can infer "
                                         "it: value_info of the file must have it",
                                         value.name, m_title),
                             {}},
                            value.name));
      }
      if (!value.type.isTensor() || std::ranges::find(kElements, value.type.element) == kElements.end()) {
        return fail(atValue({ErrorCode::kInvalidGraph,
                             fmt::format("output '{}' of {} is {}, and EPContext gives tensors of bool, integers of 8 "
                                         "to 64 bits, float16, float, double and bfloat16 only",
                                         value.name, m_title, toText(value.type)),
                             {}},
                            value.name));
      }
    }
    return {};
  }

 private:
  // Every port finds a slot of its own of the same name, or none is bound by name.
  std::optional<std::vector<uint32_t>> byName(const std::vector<ValueId>& values, const std::vector<uint32_t>& slots,
                                              const std::vector<context_binary::ContextPort>& ports) const {
    std::vector<uint32_t> bound;
    std::vector<char> taken(values.size(), 0);
    std::unordered_map<std::string_view, uint32_t> slotOf;
    for (const uint32_t slot : slots)
      slotOf.emplace(m_graph.value(values[slot]).name, slot);
    for (const context_binary::ContextPort& port : ports) {
      const auto found = slotOf.find(port.name);
      if (found == slotOf.end() || taken[found->second]) return std::nullopt;
      taken[found->second] = 1;
      bound.push_back(found->second);
    }
    return bound;
  }

  const Graph& m_graph;
  const Node& m_node;
  std::string m_title;
  const context_binary::ContextPartition& m_partition;
};

bool counts(const std::vector<uint32_t>& slots, size_t size) {
  if (slots.size() != size) return false;
  for (size_t i = 0; i < size; ++i) {
    if (slots[i] != i) return false;
  }
  return true;
}

// The node's context with its slots in the order of the partition's ports.
class PermutedContext final : public PassingContext {
 public:
  PermutedContext(KernelContext& outer, const PortBinding& binding) : PassingContext(outer), m_binding(binding) {}
  size_t inputCount() const override { return m_binding.inputs.size(); }
  size_t outputCount() const override { return m_binding.outputs.size(); }
  const RuntimeValue* inputValue(size_t port) const override {
    return port < m_binding.inputs.size() ? m_outer.inputValue(m_binding.inputs[port]) : nullptr;
  }
  Result<Tensor*> output(size_t port, std::span<const int64_t> dims) override {
    if (port >= m_binding.outputs.size()) return noPort(port);
    return m_outer.output(m_binding.outputs[port], dims);
  }
  Result<Tensor*> output(size_t port, ElementType type, std::span<const int64_t> dims) override {
    if (port >= m_binding.outputs.size()) return noPort(port);
    return m_outer.output(m_binding.outputs[port], type, dims);
  }
  RuntimeValue* outputValue(size_t port) override {
    return port < m_binding.outputs.size() ? m_outer.outputValue(m_binding.outputs[port]) : nullptr;
  }
  bool hasOutput(size_t port) const override {
    return port < m_binding.outputs.size() && m_outer.hasOutput(m_binding.outputs[port]);
  }

 private:
  static tl::unexpected<Error> noPort(size_t port) {
    return fail(ErrorCode::kEpFail, "the restored kernel asks for output {}, which its partition does not have", port);
  }
  const PortBinding& m_binding;
};

struct PortRule {
  std::string name;
  ElementType element = ElementType::kUndefined;
  bool ranked = false;
  std::vector<int64_t> dims;  // -1: any
};

PortRule ruleOf(const context_binary::ContextPort& port) {
  PortRule rule{.name = port.name, .element = port.type.element, .dims = {}};
  if (!port.type.shape) return rule;
  rule.ranked = true;
  for (const Dim& dim : port.type.shape->dims())
    rule.dims.push_back(dim.value());
  return rule;
}

class RestoredKernel final : public Kernel {
 public:
  RestoredKernel(std::shared_ptr<const Kernel> inner, PortBinding binding,
                 const context_binary::ContextPartition& partition)
      : m_inner(std::move(inner)), m_binding(std::move(binding)) {
    for (const context_binary::ContextPort& port : partition.inputs)
      m_rules.push_back(ruleOf(port));
  }

  Result<void> run(KernelContext& context) const override {
    for (size_t port = 0; port < m_rules.size(); ++port) {
      const RuntimeValue* value = context.inputValue(m_binding.inputs[port]);
      if (value == nullptr || !value->isTensor() || !fits(value->tensor(), m_rules[port]))
        return fail(misfit(value, m_rules[port]));
    }
    if (m_binding.inOrder) return m_inner->run(context);
    PermutedContext permuted(context, m_binding);
    return m_inner->run(permuted);
  }
  std::unique_ptr<KernelState> createState() const override { return m_inner->createState(); }
  std::string_view variant() const override { return m_inner->variant(); }
  int64_t packedBytes() const override { return m_inner->packedBytes(); }

 private:
  static bool fits(const Tensor& tensor, const PortRule& rule) {
    if (rule.element != ElementType::kUndefined && tensor.type() != rule.element) return false;
    if (!rule.ranked) return true;
    if (tensor.rank() != rule.dims.size()) return false;
    for (size_t axis = 0; axis < rule.dims.size(); ++axis) {
      if (rule.dims[axis] >= 0 && tensor.dims()[axis] != rule.dims[axis]) return false;
    }
    return true;
  }

  static Error misfit(const RuntimeValue* value, const PortRule& rule) {
    std::string wanted =
        rule.element == ElementType::kUndefined ? std::string("a tensor") : std::string(elementTypeName(rule.element));
    if (rule.ranked) wanted += dimsToText(rule.dims);
    const std::string seen = value == nullptr     ? std::string("nothing")
                             : !value->isTensor() ? std::string("no tensor")
                                                  : fmt::format("{}{}", elementTypeName(value->tensor().type()),
                                                                dimsToText(value->tensor().dims()));
    return {ErrorCode::kInvalidArgument,
            fmt::format("the restored context was compiled for '{}' as {} (-1: any), and it is given {}", rule.name,
                        wanted, seen),
            {}};
  }

  std::shared_ptr<const Kernel> m_inner;
  PortBinding m_binding;
  std::vector<PortRule> m_rules;  // by input port
};

// The first run reads the numbers of the partition anyway: their checksums are made then, on its threads.
class CheckedKernel final : public Kernel {
 public:
  CheckedKernel(std::shared_ptr<const Kernel> inner, const context_binary::FoundContext& found)
      : m_inner(std::move(inner)), m_binary(found.binary), m_partition(*found.partition) {}

  Result<void> run(KernelContext& context) const override {
    if (!m_checked.load(std::memory_order_acquire)) {
      const CancelScope whole(nullptr);  // a stopped run must not look like a damaged file
      if (Result<void> intact = m_binary->verify(m_partition, Progress()); !intact) return fail(told(intact.error()));
      m_checked.store(true, std::memory_order_release);
    }
    return m_inner->run(context);
  }
  std::unique_ptr<KernelState> createState() const override { return m_inner->createState(); }
  std::string_view variant() const override { return m_inner->variant(); }
  int64_t packedBytes() const override { return m_inner->packedBytes(); }

 private:
  static Error told(Error error) {
    if (error.code == ErrorCode::kEpFail)
      error.message += "; ep.context_recompile=1 checks everything before the first run, and compiles the original";
    return error;
  }

  std::shared_ptr<const Kernel> m_inner;
  std::shared_ptr<const context_binary::ContextBinary> m_binary;  // holds the partition
  const context_binary::ContextPartition& m_partition;
  mutable std::atomic<bool> m_checked{false};
};

}  // namespace

Result<PortBinding> bindPorts(const Graph& graph, NodeId node, const context_binary::ContextPartition& partition) {
  const Binder binder(graph, node, partition);
  CUTAWAY_CHECK(binder.checkOutputTypes());
  PortBinding binding;
  CUTAWAY_TRY(binding.inputs, binder.bind(graph.node(node).inputs, partition.inputs, "input"));
  CUTAWAY_TRY(binding.outputs, binder.bind(graph.node(node).outputs, partition.outputs, "output"));
  binding.inOrder = counts(binding.inputs, graph.node(node).inputs.size()) &&
                    counts(binding.outputs, graph.node(node).outputs.size());
  return binding;
}

CompiledNode behindNode(CompiledNode compiled, PortBinding binding, const context_binary::FoundContext& found) {
  if (found.binary->unverifiedBytes(*found.partition) > 0)
    compiled.kernel = std::make_shared<const CheckedKernel>(std::move(compiled.kernel), found);
  return behindNode(std::move(compiled), std::move(binding), *found.partition);
}

CompiledNode behindNode(CompiledNode compiled, PortBinding binding, const context_binary::ContextPartition& partition) {
  std::vector<InplaceHint> hints;
  for (InplaceHint hint : compiled.inplace) {
    if (hint.input >= static_cast<int>(binding.inputs.size()) ||
        hint.output >= static_cast<int>(binding.outputs.size()))
      continue;
    if (hint.input >= 0) hint.input = static_cast<int>(binding.inputs[static_cast<size_t>(hint.input)]);
    if (hint.output >= 0) hint.output = static_cast<int>(binding.outputs[static_cast<size_t>(hint.output)]);
    hints.push_back(hint);
  }
  return {.kernel = std::make_shared<const RestoredKernel>(std::move(compiled.kernel), std::move(binding), partition),
          .inplace = std::move(hints)};
}

}  // namespace cutaway::partition
