// A Pad with zeros becomes padding of the Conv or AveragePool behind it.

#include <algorithm>

#include "engine/stages/optimize/constant_values.h"
#include "engine/stages/optimize/graph_pass.h"
#include "engine/tensor/element_numbers.h"

namespace cutaway::optimize {

namespace {

// begins then ends, one each for every axis; nullopt unless zeros are added to spatial axes only.
std::optional<std::vector<int64_t>> zeroPads(const PassContext& context, NodeId id) {
  const Node& node = context.node(id);
  if (node.attributeOr<std::string>("mode", "constant") != "constant") return std::nullopt;
  std::vector<int64_t> pads = node.attributeOr<std::vector<int64_t>>("pads", {});
  if (node.opsetVersion >= 11) {
    if (context.input(id, 3).valid()) return std::nullopt;
    const Tensor* amounts = context.input(id, 1).valid() ? context.constant(context.input(id, 1)) : nullptr;
    if (amounts == nullptr) return std::nullopt;
    pads = integers(*amounts);
    if (const ValueId value = context.input(id, 2); value.valid()) {
      const Tensor* constant = context.constant(value);
      const auto number = constant == nullptr ? std::nullopt : singleNumber(*constant);
      if (!number || *number != 0) return std::nullopt;
    }
  } else if (node.attributeOr<float>("value", 0.0f) != 0.0f) {
    return std::nullopt;
  }
  const size_t rank = pads.size() / 2;
  if (rank < 3 || pads.size() % 2 != 0 || std::ranges::any_of(pads, [](int64_t each) { return each < 0; }))
    return std::nullopt;
  if (pads[0] != 0 || pads[1] != 0 || pads[rank] != 0 || pads[rank + 1] != 0) return std::nullopt;
  return pads;
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (!context.is(id, "Pad") || !context.input(id, 0).valid() || !context.output(id, 0).valid()) return std::nullopt;
  const NodeId reader = context.onlyReader(context.output(id, 0));
  const bool average = context.is(reader, "AveragePool");
  if ((!context.is(reader, "Conv") && !average) || context.input(reader, 0) != context.output(id, 0))
    return std::nullopt;
  const auto pads = zeroPads(context, id);
  const Node& node = context.node(reader);
  const std::string automatic = node.attributeOr<std::string>("auto_pad", "NOTSET");
  if (!pads || (automatic != "NOTSET" && automatic != "VALID")) return std::nullopt;
  const size_t spatial = pads->size() / 2 - 2;
  std::vector<int64_t> sum =
      automatic == "VALID" ? std::vector<int64_t>{} : node.attributeOr<std::vector<int64_t>>("pads", {});
  if (sum.empty()) sum.assign(spatial * 2, 0);
  if (sum.size() != spatial * 2) return std::nullopt;
  // An average counts the Pad's zeros; it must go on counting them, and no others.
  if (average && (std::ranges::any_of(sum, [](int64_t each) { return each != 0; }) ||
                  node.attributeOr<int64_t>("ceil_mode", 0) != 0 || node.opsetVersion < 7))
    return std::nullopt;
  for (size_t axis = 0; axis < spatial; ++axis) {
    sum[axis] += (*pads)[axis + 2];
    sum[spatial + axis] += (*pads)[pads->size() / 2 + axis + 2];
  }
  GraphPatch patch;
  patch.note = fmt::format("{} becomes padding of {}", context.label(id), context.label(reader));
  patch.removeNodes = {id, reader};
  NewNode fused;
  fused.node.name = node.name;
  fused.node.opType = node.opType;
  fused.node.attributes = node.attributes;
  fused.node.opsetVersion = node.opsetVersion;
  std::erase_if(fused.node.attributes, [](const Attribute& attribute) { return attribute.name == "auto_pad"; });
  fused.node.setAttribute("pads", sum);
  if (average) fused.node.setAttribute("count_include_pad", int64_t{1});
  fused.inputs = context.graph().namesOf(node.inputs);
  fused.inputs[0] = context.graph().value(context.input(id, 0)).name;
  fused.outputs = context.graph().namesOf(node.outputs);
  patch.addNodes.push_back(std::move(fused));
  return patch;
}

constexpr GraphPass kPass{.name = "Pad_Fusion",
                          .purpose = "turns a Pad with zeros into padding of the operator behind it",
                          .level = 1,
                          .match = match};

}  // namespace

const GraphPass& pass_fuse_pad() {
  return kPass;
}

}  // namespace cutaway::optimize
