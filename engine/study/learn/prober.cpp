#include "engine/study/learn/prober.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "engine/schema/schema.h"

namespace cutaway::study {

namespace {

constexpr size_t kMostTogether = 192;
constexpr int64_t kIrVersion = 10;
constexpr const char* kMicrosoft = "com.microsoft";
constexpr uint16_t kOneOfFloat16 = 0x3c00;
constexpr uint16_t kOneOfBfloat16 = 0x3f80;

template <typename T>
void fill(Tensor& tensor, const std::vector<int64_t>& values) {
  const std::span<T> elements = tensor.span<T>();
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = values.empty() ? static_cast<T>(1) : static_cast<T>(values[i % values.size()]);
}

Result<Tensor> constantOf(const ProbeValue& value) {
  CUTAWAY_TRY(Tensor tensor, Tensor::create(value.type, value.dims));
  if (value.type == ElementType::kString) return tensor;
  std::memset(tensor.mutableData(), 0, static_cast<size_t>(tensor.sizeBytes()));
  switch (value.type) {
    case ElementType::kFloat:
      fill<float>(tensor, value.values);
      break;
    case ElementType::kDouble:
      fill<double>(tensor, value.values);
      break;
    case ElementType::kInt64:
      fill<int64_t>(tensor, value.values);
      break;
    case ElementType::kInt32:
      fill<int32_t>(tensor, value.values);
      break;
    case ElementType::kUint8:
      fill<uint8_t>(tensor, value.values);
      break;
    case ElementType::kInt8:
      fill<int8_t>(tensor, value.values);
      break;
    case ElementType::kFloat16:
    case ElementType::kBfloat16: {
      // Other values than 0 stand for 1: nothing is computed with them.
      const uint16_t one = value.type == ElementType::kFloat16 ? kOneOfFloat16 : kOneOfBfloat16;
      for (int64_t i = 0; i < tensor.elementCount(); ++i) {
        const size_t at = static_cast<size_t>(i);
        const bool isZero = !value.values.empty() && value.values[at % value.values.size()] == 0;
        if (!isZero) std::memcpy(static_cast<std::byte*>(tensor.mutableData()) + at * sizeof one, &one, sizeof one);
      }
      break;
    }
    default:
      break;  // zeros
  }
  return tensor;
}

Shape shapeOf(const std::vector<int64_t>& dims) {
  std::vector<Dim> all;
  for (const int64_t dim : dims)
    all.push_back(dim < 0 ? Dim(std::string("open")) : Dim(dim));
  return Shape(std::move(all));
}

// The nodes of one probe in a graph of many; names begin with its number.
class ProbeWriter {
 public:
  ProbeWriter(Model& model, std::vector<InferenceWarning>& warnings) : m_model(model), m_warnings(warnings) {}

  Result<std::vector<NodeId>> write(const Probe& probe, size_t number) {
    m_start = fmt::format("p{}_", number);
    m_nodes.clear();
    std::vector<ValueId> inputs;
    for (size_t i = 0; i < probe.inputs.size(); ++i) {
      CUTAWAY_TRY(const ValueId input, inputOf(probe.inputs[i], i));
      inputs.push_back(probe.isUnit ? dequantized(input, probe.inputs[i].type, i) : input);
    }
    while (!inputs.empty() && !inputs.back().valid())
      inputs.pop_back();
    std::vector<std::string> outputs;
    for (size_t i = 0; i < probe.outputs; ++i)
      outputs.push_back(fmt::format("{}out{}", m_start, i));
    Node node{.name = m_start + "node", .opType = probe.op, .domain = probe.domain, .attributes = probe.attributes};
    CUTAWAY_TRY(const NodeId id, add(std::move(node), inputs, outputs));
    if (probe.isUnit) {
      CUTAWAY_CHECK(quantize(id, probe.inputs.front().type));
    } else {
      for (const ValueId output : std::vector<ValueId>(m_model.graph.node(id).outputs))
        m_model.graph.addOutput(output);
    }
    return m_nodes;
  }

 private:
  Result<ValueId> inputOf(const ProbeValue& value, size_t slot) {
    if (value.isAbsent) return ValueId{};
    const std::string name = fmt::format("{}in{}", m_start, slot);
    if (!value.isConstant) return m_model.graph.addInput(name, ValueType::tensor(value.type, shapeOf(value.dims)));
    CUTAWAY_TRY(Tensor tensor, constantOf(value));
    return m_model.graph.addInitializer(name, std::move(tensor));
  }

  std::vector<ValueId> scaleOf(ElementType type, const std::string& name) {
    const Result<Tensor> zero = constantOf({.isConstant = true, .type = type, .dims = {}, .values = {0}});
    return {m_model.graph.addInitializer(name + "_scale", Tensor::scalar<float>(1)),
            m_model.graph.addInitializer(name + "_zero", zero ? *zero : Tensor::scalar<uint8_t>(0))};
  }

  ValueId dequantized(ValueId input, ElementType type, size_t slot) {
    const std::string name = fmt::format("{}dq{}", m_start, slot);
    std::vector<ValueId> inputs = scaleOf(type, name);
    inputs.insert(inputs.begin(), input);
    const Result<NodeId> id = add({.name = name, .opType = "DequantizeLinear"}, inputs, {name + "_out"});
    return id ? m_model.graph.node(*id).outputs.front() : ValueId{};
  }

  Result<void> quantize(NodeId node, ElementType type) {
    const std::string name = m_start + "q";
    std::vector<ValueId> inputs = scaleOf(type, name);
    inputs.insert(inputs.begin(), m_model.graph.node(node).outputs.front());
    CUTAWAY_TRY(const NodeId id, add({.name = name, .opType = "QuantizeLinear"}, inputs, {name + "_out"}));
    m_model.graph.addOutput(m_model.graph.node(id).outputs.front());
    return {};
  }

  Result<NodeId> add(Node node, const std::vector<ValueId>& inputs, const std::vector<std::string>& outputs) {
    node.opsetVersion = static_cast<int32_t>(importedVersion(m_model.opsets, node.domain));
    const OperatorSchema* const schema = findSchema(node.opType, node.domain, node.opsetVersion);
    if (schema == nullptr || schema->deprecated)
      return fail(ErrorCode::kInvalidGraph, "operator set {} has no {}", node.opsetVersion, node.opType);
    node.sinceVersion = schema->sinceVersion;
    const NodeId id = m_model.graph.addNode(std::move(node), inputs, outputs);
    PartialData partial;
    CUTAWAY_CHECK(inferNode(m_model, m_model.graph, id, {.strict = true}, partial, m_warnings));
    m_nodes.push_back(id);
    return id;
  }

  Model& m_model;
  std::vector<InferenceWarning>& m_warnings;
  std::string m_start;
  std::vector<NodeId> m_nodes;
};

Model emptyModel(int64_t opset) {
  Model model;
  model.irVersion = kIrVersion;
  model.opsets = {{"", opset}, {kMicrosoft, 1}};
  model.graph.setName("probes");
  return model;
}

// Whether the operator's own rules take the node, and the types of what it gives.
bool isValid(Probe& probe) {
  Model model = emptyModel(probe.opset);
  std::vector<InferenceWarning> warnings;
  const Result<std::vector<NodeId>> nodes = ProbeWriter(model, warnings).write(probe, 0);
  if (!nodes || !warnings.empty()) return false;
  const NodeId node = model.graph.findNode("p0_node");
  probe.outputTypes.clear();
  for (const ValueId output : model.graph.node(node).outputs) {
    const ValueType& type = model.graph.value(output).type;
    if (!type.isTensor() || type.element == ElementType::kUndefined) return false;
    probe.outputTypes.push_back(type.element);
  }
  return true;
}

}  // namespace

Result<void> Prober::ask(std::vector<Probe>& probes) {
  std::map<int64_t, std::vector<Probe*>> byOpset;
  for (Probe& probe : probes) {
    if (isValid(probe)) {
      byOpset[probe.opset].push_back(&probe);
    } else {
      probe.outcome = ProbeOutcome::kInvalid;
    }
  }
  for (auto& [opset, together] : byOpset) {
    for (size_t first = 0; first < together.size(); first += kMostTogether) {
      const size_t count = std::min(kMostTogether, together.size() - first);
      CUTAWAY_CHECK(askTogether(std::span(together).subspan(first, count)));
    }
  }
  return {};
}

Result<void> Prober::askTogether(std::span<Probe*> probes) {
  if (m_progress.cancelled()) return fail(cancelledError());
  if (probes.empty() || m_isOver()) return {};
  Model model = emptyModel(probes.front()->opset);
  std::vector<InferenceWarning> warnings;
  ProbeWriter writer(model, warnings);
  std::map<NodeId, size_t> probeOf;
  std::vector<size_t> nodesOf(probes.size(), 0);
  for (size_t i = 0; i < probes.size(); ++i) {
    CUTAWAY_TRY(const std::vector<NodeId> nodes, writer.write(*probes[i], i));
    for (const NodeId node : nodes)
      probeOf[node] = i;
    nodesOf[i] = nodes.size();
  }
  const std::vector<NodeId> free = model.graph.nodeIds();
  ++m_counts.questions;
  Result<CapabilityAnswer> answer =
      m_provider.capability({.model = model, .graph = model.graph, .free = free, .progress = m_progress});
  if (!answer && answer.error().code == ErrorCode::kModelLoadCanceled) return fail(answer.error());
  const auto isWhole = [](const Refusal& refusal) {
    return refusal.cause == RefusalCause::kNotUsable || refusal.cause == RefusalCause::kBadAnswer;
  };
  // Those whose question failed as a whole, whatever others were told before.
  std::set<size_t> unanswered;
  for (size_t i = 0; i < probes.size() && !answer; ++i)
    unanswered.insert(i);
  if (answer) {
    for (const Refusal& refusal : answer->refusals) {
      if (isWhole(refusal)) unanswered.insert(probeOf.at(refusal.node));
    }
  }
  if (!unanswered.empty() && probes.size() > 1) CUTAWAY_CHECK(askInHalves(probes, unanswered));
  if (probes.size() == 1) unanswered.clear();
  m_counts.asked += probes.size() - unanswered.size();
  std::vector<size_t> taken(probes.size(), 0);
  for (size_t i = 0; i < probes.size(); ++i) {
    if (!unanswered.contains(i)) probes[i]->outcome = ProbeOutcome::kRefused;
  }
  if (!answer) {
    if (probes.size() == 1) probes.front()->reason = answer.error().message;
    return {};
  }
  for (const ComputeCapability& claim : answer->claims) {
    for (const NodeId node : claim.subGraph.nodes)
      ++taken[probeOf.at(node)];
  }
  for (const Refusal& refusal : answer->refusals) {
    const size_t place = probeOf.at(refusal.node);
    if (!unanswered.contains(place)) probes[place]->reason = refusal.reason;
  }
  for (size_t i = 0; i < probes.size(); ++i) {
    if (taken[i] != nodesOf[i] || unanswered.contains(i)) continue;
    probes[i]->outcome = ProbeOutcome::kTaken;
    ++m_counts.taken;
  }
  return {};
}

Result<void> Prober::askInHalves(std::span<Probe*> probes, const std::set<size_t>& places) {
  std::vector<Probe*> open;
  for (const size_t place : places)
    open.push_back(probes[place]);
  // Fewer each time, so that it ends: one alone is asked as it is.
  const size_t half = std::max<size_t>(1, open.size() / 2);
  CUTAWAY_CHECK(askTogether(std::span(open).first(half)));
  return askTogether(std::span(open).subspan(half));
}

}  // namespace cutaway::study
