#include "engine/stages/optimize/layouts/expand_layouts.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/base/checked_math.h"
#include "engine/graph/node_label.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/layouts/blocked_weights.h"

namespace cutaway::optimize {

namespace {

constexpr std::string_view kChannelsLastDomain = "com.ms.internal.nhwc";
constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr const char* kRewrite = "LayoutExpansion";
constexpr int32_t kOpset = 18;  // of the ordinary operators that are written

template <typename T>
Tensor listOf(const std::vector<T>& values) {
  return Tensor::of(std::span<const T>(values));
}

// Writes one node's ordinary operators in its place.
class NodeExpansion {
 public:
  NodeExpansion(const Model& model, Graph& graph, NodeId id)
      : m_model(model), m_graph(graph), m_call(graph.node(id)), m_label(nodeName(graph, id)) {
    m_report.graph = &graph;
    m_report.node = fmt::format("{} '{}'", m_call.opType, m_label);
    m_report.origins = m_call.origins;
    m_graph.removeNode(id);
  }

  // blocked: for a node of com.microsoft.nchwc, the channels of a block.
  Result<Expansion> blocked(int64_t block) {
    if (m_call.inputs.empty() || !m_call.inputs[0].valid() || m_call.outputs.empty() || !m_call.outputs[0].valid())
      return refuse(ErrorCode::kInvalidGraph, "its first input or output is missing");
    m_report.note = fmt::format("{} on channels in blocks of {} is the ordinary operator", m_call.opType, block);
    const Result<void> done = m_call.opType == "ReorderInput"    ? reorderInput(block)
                              : m_call.opType == "ReorderOutput" ? reorderOutput(block)
                              : m_call.opType == "Conv"          ? convolution(block)
                              : m_call.opType == "Upsample"      ? upsample()
                                                                 : namesake();
    if (!done) return fail(atNode(done.error(), m_label));
    return std::move(m_report);
  }

  Result<Expansion> channelsLast() {
    if (m_call.inputs.empty() || !m_call.inputs[0].valid() || m_call.outputs.empty() || !m_call.outputs[0].valid())
      return refuse(ErrorCode::kInvalidGraph, "its first input or output is missing");
    const ValueType& type = m_graph.value(m_call.inputs[0]).type;
    if (!type.shape || type.shape->rank() < 3)
      return refuse(ErrorCode::kNotImplemented, "the rank of what it reads is not known");
    const bool moreOutputs = std::ranges::any_of(m_call.outputs.begin() + 1, m_call.outputs.end(), &ValueId::valid);
    if (moreOutputs)
      return refuse(ErrorCode::kNotImplemented, "with channels last only its first output has an ordinary meaning");
    m_report.note = fmt::format("{} with channels last is the ordinary operator between two Transposes", m_call.opType);
    if (auto done = betweenTransposes(type.shape->rank()); !done) return fail(atNode(done.error(), m_label));
    return std::move(m_report);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> refuse(ErrorCode code, std::string_view why) const {
    return fail(atNode({code, fmt::format("{}:{}: {}", m_call.domain, m_call.opType, why), {}}, m_label));
  }

  std::string result() const { return m_graph.value(m_call.outputs[0]).name; }
  ValueId input(size_t slot) const { return slot < m_call.inputs.size() ? m_call.inputs[slot] : ValueId(); }

  // Gives the first output; a value of its own unless `output` names one.
  Result<ValueId> add(Node node, std::vector<ValueId> inputs, const std::string& output = "") {
    if (node.opsetVersion == 0) node.opsetVersion = node.domain.empty() ? kOpset : 1;
    const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
    if (schema == nullptr) return refuse(ErrorCode::kNotImplemented, "there is no ordinary operator of this name");
    node.sinceVersion = schema->sinceVersion;
    std::erase_if(node.attributes, [&](const Attribute& attribute) {
      return std::ranges::find(schema->attributes, attribute.name.string(), &SchemaAttribute::name) ==
             schema->attributes.end();
    });
    node.origins = m_call.origins;
    node.rewrite = kRewrite;
    if (node.name.empty() && !m_call.name.empty())
      node.name = fmt::format("{}/{}_{}", m_call.name, node.opType, m_report.added.size());
    const NodeId id = m_graph.addNode(std::move(node), inputs,
                                      std::vector{output.empty() ? m_graph.freshName(result() + "_plain") : output});
    m_report.added.push_back(fmt::format("{} '{}'", m_graph.node(id).opType, nodeName(m_graph, id)));
    PartialData partial;
    std::vector<InferenceWarning> warnings;
    CUTAWAY_CHECK(inferNode(m_model, m_graph, id, {}, partial, warnings));
    return m_graph.node(id).outputs[0];
  }
  ValueId constant(Tensor tensor, std::string_view stem) {
    return m_graph.addInitializer(m_graph.freshName(fmt::format("{}_{}", result(), stem)), std::move(tensor));
  }
  Result<ValueId> transpose(ValueId value, std::vector<int64_t> order, const std::string& output = "") {
    return add({.opType = "Transpose", .attributes = {{"perm", std::move(order)}}}, {value}, output);
  }
  Result<void> finish(Result<ValueId> last) const {
    if (!last) return fail(std::move(last).error());
    return {};
  }
  int64_t channels(ValueId value) const {
    const ValueType& type = m_graph.value(value).type;
    return type.shape && type.shape->rank() == 4 ? (*type.shape)[1].value() : -1;
  }

  Result<void> reorderInput(int64_t block) {
    ValueId value = m_call.inputs[0];
    if (m_call.attributeOr("channels_last", int64_t{0}) != 0) {
      CUTAWAY_TRY(value, transpose(value, {0, 3, 1, 2}));
    }
    const int64_t count = channels(value);
    if (count < 0)
      return refuse(ErrorCode::kNotImplemented,
                    "the number of channels it reads is not known: bind the open dimensions");
    const int64_t padding = alignUp(count, block) - count;
    if (padding == 0) return finish(add({.opType = "Identity"}, {value}, result()));
    const ValueId pads = constant(listOf<int64_t>({0, 0, 0, 0, 0, padding, 0, 0}), "pads");
    return finish(add({.opType = "Pad"}, {value, pads}, result()));
  }

  Result<void> reorderOutput(int64_t block) {
    ValueId value = m_call.inputs[0];
    const auto wanted = m_call.attributeOr("channels", int64_t{-1});
    const int64_t count = channels(value);
    if (wanted < 1 || (count >= 0 && alignUp(wanted, block) != count))
      return refuse(ErrorCode::kInvalidGraph,
                    fmt::format("channels is {}, which {} padded channels do not hold", wanted, count));
    const bool last = m_call.attributeOr("channels_last", int64_t{0}) != 0;
    if (count != wanted) {
      const ValueId from = constant(listOf<int64_t>({0}), "starts");
      const ValueId to = constant(listOf<int64_t>({wanted}), "ends");
      const ValueId axes = constant(listOf<int64_t>({1}), "axes");
      CUTAWAY_TRY(value, add({.opType = "Slice"}, {value, from, to, axes}, last ? "" : result()));
      if (!last) return {};
    }
    if (last) return finish(transpose(value, {0, 2, 3, 1}, result()));
    return finish(add({.opType = "Identity"}, {value}, result()));
  }

  Result<void> convolution(int64_t block) {
    const ValueId stored = input(1);
    if (!stored.valid() || !m_graph.isConstant(stored))
      return refuse(ErrorCode::kNotImplemented, "its weights are not constant");
    auto weights = plainWeights(*m_graph.value(stored).initializer, m_call.attributeOr("group", int64_t{1}), block);
    if (!weights) return refuse(ErrorCode::kInvalidGraph, weights.error().message);
    const bool fused = input(3).valid() || m_call.findAttribute("activation") != nullptr;
    Node node{.name = m_call.name,
              .opType = fused ? "FusedConv" : "Conv",
              .domain = fused ? std::string(kMicrosoft) : std::string(),
              .attributes = m_call.attributes};
    std::vector<ValueId> inputs = m_call.inputs;
    inputs[1] = constant(*std::move(weights), "weights");
    CUTAWAY_CHECK(finish(add(std::move(node), std::move(inputs), result())));
    if (m_graph.value(stored).uses.empty() && m_graph.value(stored).outputCount == 0 &&
        !m_graph.value(stored).isInput) {
      m_graph.clearInitializer(stored);
      m_graph.removeValue(stored);
    }
    return {};
  }

  Result<void> upsample() {
    const auto scales = m_call.attributeOr<std::vector<int64_t>>("scales", {});
    if (scales.size() != 4) return refuse(ErrorCode::kInvalidGraph, "scales are 4 whole numbers");
    const auto text = [&](const char* name, const char* otherwise) {
      return m_call.attributeOr<std::string>(name, otherwise);
    };
    Node node{.name = m_call.name,
              .opType = "Resize",
              .attributes = {{"mode", text("mode", "nearest")},
                             {"coordinate_transformation_mode", text("coordinate_transformation_mode", "asymmetric")},
                             {"nearest_mode", std::string("floor")}}};
    const ValueId factors = constant(listOf<float>(std::vector<float>(scales.begin(), scales.end())), "scales");
    return finish(add(std::move(node), {m_call.inputs[0], {}, factors}, result()));
  }

  Result<void> namesake() {
    return finish(
        add({.name = m_call.name, .opType = m_call.opType, .attributes = m_call.attributes}, m_call.inputs, result()));
  }

  // A vector with an entry for each axis (roi: two rounds of them) in the order of the axes of NCHW.
  Result<ValueId> inPlainOrder(ValueId perAxis, const std::vector<int64_t>& order, bool twice) {
    std::vector<int64_t> places = order;
    for (size_t i = 0; twice && i < order.size(); ++i)
      places.push_back(order[i] + static_cast<int64_t>(order.size()));
    return add({.opType = "Gather", .attributes = {{"axis", int64_t{0}}}},
               {perAxis, constant(listOf(places), "order")});
  }

  Result<void> betweenTransposes(size_t rank) {
    std::vector<int64_t> toPlain(rank);  // NHWC -> NCHW
    std::iota(toPlain.begin(), toPlain.end(), 0);
    std::rotate(toPlain.begin() + 1, toPlain.end() - 1, toPlain.end());
    std::vector<int64_t> toLast(rank);
    for (size_t i = 0; i < rank; ++i)
      toLast[static_cast<size_t>(toPlain[i])] = static_cast<int64_t>(i);
    const bool onnx = findSchema(m_call.opType, "", m_call.opsetVersion) != nullptr;
    Node node{.name = m_call.name,
              .opType = m_call.opType,
              .domain = onnx ? std::string() : std::string(kMicrosoft),
              .attributes = m_call.attributes,
              .opsetVersion = onnx ? m_call.opsetVersion : 1};
    std::vector<ValueId> inputs = m_call.inputs;
    CUTAWAY_TRY(inputs[0], transpose(inputs[0], toPlain));
    if (m_call.opType == "Resize") {
      if (m_call.findAttribute("axes") != nullptr)
        return refuse(ErrorCode::kNotImplemented, "axes of a Resize with channels last are not known to be written");
      for (size_t slot = 1; slot < inputs.size(); ++slot) {
        if (!inputs[slot].valid()) continue;
        const bool empty =
            m_graph.isConstant(inputs[slot]) && m_graph.value(inputs[slot]).initializer->elementCount() == 0;
        if (empty) continue;
        CUTAWAY_TRY(inputs[slot], inPlainOrder(inputs[slot], toPlain, slot == 1));
      }
    }
    CUTAWAY_TRY(const ValueId made, add(std::move(node), std::move(inputs)));
    return finish(transpose(made, toLast, result()));
  }

  const Model& m_model;
  Graph& m_graph;
  Node m_call;
  std::string m_label;
  Expansion m_report;
};

bool isOfLayout(const Node& node) {
  return node.domain == kBlockedDomain || node.domain == kChannelsLastDomain;
}

}  // namespace

Result<std::vector<Expansion>> expandLayouts(Model& model, const Progress& progress,
                                             std::vector<std::string>& warnings) {
  std::vector<std::pair<Graph*, NodeId>> found;
  bool anyBlocked = false;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (!isOfLayout(graph.node(id))) continue;
      found.emplace_back(&graph, id);
      anyBlocked = anyBlocked || graph.node(id).domain == kBlockedDomain;
    }
  });
  std::vector<Expansion> done;
  if (found.empty()) return done;
  int64_t block = 0;  // channels of a block, read where a node is blocked
  if (anyBlocked) {
    const std::optional<int64_t> told = blockOf(model.graph);
    block = told.value_or(blockOfThisMachine());
    if (!told)
      warnings.push_back(
          fmt::format("the weights of this optimised model are in blocks of channels whose size the file does not "
                      "tell; {}, that of "
                      "this machine, is assumed as onnxruntime does. If the model was optimised on another machine, "
                      "its results are "
                      "wrong: optimise it at level \"extended\", which is the same everywhere",
                      block));
  }
  for (const auto& [graph, id] : found) {
    if (progress.cancelled()) return fail(cancelledError());
    const bool isBlocked = graph->node(id).domain == kBlockedDomain;
    NodeExpansion expansion(model, *graph, id);
    CUTAWAY_TRY(Expansion each, isBlocked ? expansion.blocked(block) : expansion.channelsLast());
    done.push_back(std::move(each));
  }
  return done;
}

}  // namespace cutaway::optimize
