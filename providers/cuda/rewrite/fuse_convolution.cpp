// A convolution takes in what follows it: a bias, a residual sum, an activation; and its weights are put into the order
// that channels last wants, once. One node of kCudaDomain comes out.
//
// Before: c = Conv (x, w); s = Add (c, r); y = Relu (s).   After: y = cutaway.cuda.Conv <activation: "Relu"> (x, w, ,
// r).

#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "engine/base/parallel.h"
#include "engine/graph/graph_query.h"
#include "engine/graph/patch.h"
#include "engine/operators/fused_activation.h"
#include "engine/operators/residual.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

// What the new node will be, and what of the graph goes into it.
struct FusedConvolution {
  NodeId convolution;
  std::vector<NodeId> followers;
  ValueId result;    // so far
  std::string bias;  // names; empty: none
  std::string residual;
  std::vector<Attribute> activation;
  bool channelsLast = false, transposed = false;
  std::vector<std::pair<std::string, Tensor>> constants;
  std::string note;
  bool finished() const { return !activation.empty(); }
};

bool isOpen(const RewriteCall& call, const Node& node) {
  if (node.removed || node.provider != call.provider || node.outputs.size() != 1 || !node.outputs[0].valid() ||
      node.inputs.size() < 2 || !node.inputs[0].valid() || !node.inputs[1].valid())
    return false;
  const bool layout = node.domain.empty() || node.domain == kChannelsLastDomain;
  if (node.opType == "Conv" || node.opType == "ConvTranspose") return layout;
  return node.opType == "FusedConv" && (node.domain == "com.microsoft" || node.domain == kChannelsLastDomain);
}

// The one reader of a value, when it is a node of ours with one output.
const Node* onlyReader(const RewriteCall& call, ValueId id, NodeId& reader) {
  const Value& value = call.graph.value(id);
  if (value.uses.size() != 1 || value.outputCount > 0) return nullptr;
  const Use use = value.uses.front();
  const Node& node = call.graph.node(use.node);
  if (node.removed || node.provider != call.provider || node.outputs.size() != 1 || !node.outputs[0].valid() ||
      use.slot >= node.inputs.size())
    return nullptr;
  reader = use.node;
  return &node;
}

// The number of a constant input; `otherwise`: the node does not have it.
std::optional<float> boundOf(const Graph& graph, const Node& node, size_t slot, float otherwise) {
  if (slot >= node.inputs.size() || !node.inputs[slot].valid()) return otherwise;
  const auto number = constantNumber(graph, node.inputs[slot]);
  return number ? std::optional(static_cast<float>(*number)) : std::nullopt;
}

std::optional<std::vector<Attribute>> clipOf(const Graph& graph, const Node& node) {
  constexpr float kLow = std::numeric_limits<float>::lowest(), kHigh = std::numeric_limits<float>::max();
  std::optional<float> low, high;
  if (node.sinceVersion < 11) {
    low = node.attributeOr<float>("min", kLow);
    high = node.attributeOr<float>("max", kHigh);
  } else {
    low = boundOf(graph, node, 1, kLow);
    high = boundOf(graph, node, 2, kHigh);
  }
  if (!low || !high || !(*low <= *high)) return std::nullopt;
  return std::vector<Attribute>{{"activation", node.opType}, {"activation_params", std::vector<float>{*low, *high}}};
}

// The attributes that say this activation; nothing when the kernel has none for it.
std::optional<std::vector<Attribute>> activationOf(const Graph& graph, const Node& node) {
  using operators::ElementFunction;
  const operators::OperatorTraits* traits = operators::findTraits(node);
  if (traits == nullptr || traits->domain != node.domain) return std::nullopt;
  const std::vector<float> parameters = operators::elementParameters(node, *traits);
  switch (traits->function) {
    case ElementFunction::kRelu:
    case ElementFunction::kSigmoid:
    case ElementFunction::kTanh:
    case ElementFunction::kHardSwish:
      return std::vector<Attribute>{{"activation", node.opType}};
    case ElementFunction::kLeakyRelu:
    case ElementFunction::kElu:
    case ElementFunction::kHardSigmoid:
      return std::vector<Attribute>{{"activation", node.opType}, {"activation_params", parameters}};
    case ElementFunction::kSwish:
      if (parameters[0] != 1.0f) return std::nullopt;
      return std::vector<Attribute>{{"activation", std::string("Silu")}};
    case ElementFunction::kClip:
      return clipOf(graph, node);
    default:
      return std::nullopt;
  }
}

// A constant with one number for each channel and none of its own along other axes: a vector of them.
std::optional<Tensor> channelVector(const RewriteCall& call, const FusedConvolution& fused, ValueId id) {
  const Graph& graph = call.graph;
  const ValueType& result = graph.value(fused.result).type;
  const Tensor* const constant = constantOf(graph, id);
  if (constant == nullptr || !result.shape) return std::nullopt;
  const Tensor& tensor = *constant;
  const size_t rank = result.shape->rank(), axis = fused.channelsLast ? rank - 1 : 1;
  const Dim& channels = (*result.shape)[axis];
  if (tensor.type() != result.element || !channels.isKnown() || tensor.elementCount() != channels.value() ||
      tensor.rank() > rank)
    return std::nullopt;
  const size_t missing = rank - tensor.rank();
  if (axis < missing || tensor.dims()[axis - missing] != channels.value()) return std::nullopt;
  return tensor.reshaped(std::vector<int64_t>{channels.value()});
}

bool takeSum(const RewriteCall& call, FusedConvolution& fused, const Node& add) {
  if (!add.domain.empty() || add.opType != "Add" || add.inputs.size() != 2 || add.sinceVersion < 7) return false;
  const ValueId other = add.inputs[0] == fused.result ? add.inputs[1] : add.inputs[0];
  if (other == fused.result || !other.valid()) return false;
  if (fused.bias.empty() && fused.residual.empty()) {
    if (std::optional<Tensor> vector = channelVector(call, fused, other)) {
      fused.bias = call.graph.freshName(call.graph.value(other).name + "/bias");
      fused.constants.emplace_back(fused.bias, *std::move(vector));
      fused.note += " + bias";
      return true;
    }
  }
  if (!fused.residual.empty() || fused.transposed ||
      !operators::addsWithoutBroadcast(call.graph.value(other).type, call.graph.value(fused.result).type))
    return false;
  fused.residual = call.graph.value(other).name;
  fused.note += " + residual";
  return true;
}

// x * sigmoid(x), in two nodes.
bool takeSilu(const RewriteCall& call, FusedConvolution& fused) {
  const Graph& graph = call.graph;
  const Value& value = graph.value(fused.result);
  if (value.uses.size() != 2 || value.outputCount > 0) return false;
  for (const Use& use : value.uses) {
    const Node& sigmoid = graph.node(use.node);
    if (sigmoid.removed || sigmoid.provider != call.provider ||
        operators::elementFunctionOf(sigmoid) != operators::ElementFunction::kSigmoid)
      continue;
    NodeId product;
    const Node* mul = onlyReader(call, sigmoid.outputs[0], product);
    const Use& rest = &use == &value.uses.front() ? value.uses.back() : value.uses.front();
    if (mul == nullptr || mul->opType != "Mul" || !mul->domain.empty() || mul->inputs.size() != 2 ||
        rest.node != product)
      continue;
    fused.activation = {{"activation", std::string("Silu")}};
    fused.followers.push_back(use.node);
    fused.followers.push_back(product);
    fused.result = mul->outputs[0];
    fused.note += " + Silu";
    return true;
  }
  return false;
}

void takeFollowers(const RewriteCall& call, FusedConvolution& fused) {
  while (!fused.finished()) {
    if (takeSilu(call, fused)) return;
    NodeId id;
    const Node* node = onlyReader(call, fused.result, id);
    if (node == nullptr) return;
    if (const auto activation = activationOf(call.graph, *node); activation && node->inputs[0] == fused.result) {
      fused.activation = *activation;
      fused.note += " + " + node->opType;
    } else if (!takeSum(call, fused, *node)) {
      return;
    }
    fused.followers.push_back(id);
    fused.result = node->outputs[0];
  }
}

// [outer, inner, cells] to [outer, cells, inner].
Result<Tensor> weightsLast(const Tensor& weights) {
  std::vector<int64_t> dims{weights.dims()[0]};
  for (size_t axis = 2; axis < weights.rank(); ++axis)
    dims.push_back(weights.dims()[axis]);
  dims.push_back(weights.dims()[1]);
  CUTAWAY_TRY(Tensor turned, Tensor::create(weights.type(), dims));
  const int64_t inner = weights.dims()[1], cells = elementCount(std::span<const int64_t>(weights.dims()).subspan(2));
  const auto size = static_cast<size_t>(bitsOf(weights.type()) / 8);
  const std::byte* from = weights.bytes().data();
  std::byte* to = turned.mutableBytes().data();
  parallelFor(weights.dims()[0], 8, [&](int64_t begin, int64_t end) {
    for (int64_t outer = begin; outer < end; ++outer) {
      for (int64_t cell = 0; cell < cells; ++cell) {
        for (int64_t i = 0; i < inner; ++i)
          std::memcpy(to + static_cast<size_t>((outer * cells + cell) * inner + i) * size,
                      from + static_cast<size_t>((outer * inner + i) * cells + cell) * size, size);
      }
    }
  });
  return turned;
}

// Names of weights that were turned before: several convolutions may share them.
using TurnedWeights = std::map<ValueId, std::string>;

Result<void> replace(RewriteCall& call, FusedConvolution fused, TurnedWeights& turned) {
  Graph& graph = call.graph;
  const Node& old = graph.node(fused.convolution);
  const ValueId weights = old.inputs[1];
  const auto& constant = graph.value(weights).initializer;
  const bool turns = fused.channelsLast && graph.isConstant(weights) && constant && constant->rank() >= 3 &&
                     constant->elementCount() > 0;
  if (fused.followers.empty() && !turns) return {};
  std::string weightsName = graph.value(weights).name;
  if (turns) {
    std::string& name = turned[weights];
    if (name.empty()) {
      name = graph.freshName(weightsName + "/channels_last");
      CUTAWAY_TRY(Tensor made, weightsLast(*constant));
      fused.constants.emplace_back(name, std::move(made));
    }
    weightsName = name;
    fused.note += ", weights with channels last";
  }
  const Value& output = graph.value(fused.result);
  NewNode made{.node = old,
               .inputs = {graph.value(old.inputs[0]).name, weightsName},
               .outputs = {output.name},
               .outputTypes = {output.type}};
  made.inputs.push_back(fused.bias);
  if (!fused.residual.empty()) made.inputs.push_back(fused.residual);
  if (made.inputs.back().empty()) made.inputs.pop_back();
  made.node.inputs.clear();
  made.node.outputs.clear();
  made.node.origins.clear();
  made.node.rewrite.clear();
  made.node.opType = fused.transposed ? "ConvTranspose" : "Conv";
  made.node.domain = kCudaDomain;
  made.node.sinceVersion = made.node.opsetVersion = 1;
  for (const Attribute& attribute : fused.activation)
    made.node.setAttribute(attribute.name, attribute.value);
  if (fused.channelsLast) made.node.setAttribute("channels_last", int64_t{1});
  if (turns) made.node.setAttribute("weights_last", int64_t{1});
  GraphPatch patch{.note = std::move(fused.note), .removeNodes = fused.followers};
  patch.removeNodes.push_back(fused.convolution);
  patch.addNodes.push_back(std::move(made));
  patch.addInitializers = std::move(fused.constants);
  CUTAWAY_CHECK(applyRewrite(graph, std::move(patch), "cuda fusion", call.done));
  return {};
}

}  // namespace

Result<void> rewrite_fuse_convolution(RewriteCall& call) {
  TurnedWeights turned;
  for (const NodeId id : call.graph.nodeIds()) {
    const Node& node = call.graph.node(id);
    if (!isOpen(call, node)) continue;
    FusedConvolution fused{.convolution = id,
                           .result = node.outputs[0],
                           .channelsLast = node.domain == kChannelsLastDomain,
                           .transposed = node.opType == "ConvTranspose",
                           .note = node.opType};
    const auto nameOf = [&](size_t slot) {
      return slot < node.inputs.size() && node.inputs[slot].valid() ? call.graph.value(node.inputs[slot]).name
                                                                    : SharedText();
    };
    fused.bias = nameOf(2);
    if (!fused.transposed) fused.residual = nameOf(3);
    const bool activated = node.findAttribute("activation") != nullptr;
    if (call.level >= 2 && !activated) takeFollowers(call, fused);
    CUTAWAY_CHECK(replace(call, std::move(fused), turned));
  }
  return {};
}

}  // namespace cutaway::cuda
