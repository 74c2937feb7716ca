// A Slice of a Slice along other axes is one Slice: pictures that are cut into their even and odd rows and columns
// (Focus, YOLOv5 and YOLOX) are read once instead of twice.

#include <algorithm>

#include "engine/stages/optimize/constant_values.h"
#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

constexpr int64_t kInputsSince = 10;  // starts, ends, axes and steps are inputs

struct Cut {
  std::vector<int64_t> starts, ends, axes, steps;  // axes: not negative
};

// nullopt: not known, or not in the usual form.
std::optional<Cut> cutOf(const PassContext& context, NodeId id, int64_t rank) {
  if (!context.is(id, "Slice") || context.node(id).opsetVersion < kInputsSince) return std::nullopt;
  std::vector<int64_t> lists[4];
  for (size_t slot = 1; slot < 5; ++slot) {
    const ValueId input = context.input(id, slot);
    if (!input.valid()) continue;
    const Tensor* constant = context.constant(input);
    if (constant == nullptr) return std::nullopt;
    lists[slot - 1] = integers(*constant);
  }
  Cut cut{std::move(lists[0]), std::move(lists[1]), std::move(lists[2]), std::move(lists[3])};
  const size_t count = cut.starts.size();
  for (size_t i = 0; cut.axes.empty() && i < count; ++i)
    cut.axes.push_back(static_cast<int64_t>(i));
  if (cut.steps.empty()) cut.steps.assign(count, 1);
  if (count == 0 || cut.ends.size() != count || cut.axes.size() != count || cut.steps.size() != count)
    return std::nullopt;
  for (int64_t& axis : cut.axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    if (axis < 0) axis += rank;
  }
  return cut;
}

void append(std::vector<int64_t>& to, const std::vector<int64_t>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  const ValueId between = context.input(id, 0);
  const NodeId first = context.producer(between);
  if (!context.is(id, "Slice") || !context.is(first, "Slice")) return std::nullopt;
  const ValueType& type = context.type(between);
  if (!type.isTensor() || !type.shape) return std::nullopt;
  const auto rank = static_cast<int64_t>(type.shape->rank());
  std::optional<Cut> cut = cutOf(context, first, rank);
  const std::optional<Cut> second = cutOf(context, id, rank);
  if (!cut || !second) return std::nullopt;
  for (size_t i = 0; i < cut->axes.size(); ++i) {
    if (std::ranges::find(second->axes, cut->axes[i]) != second->axes.end()) return std::nullopt;
    // Elements that lie apart are worth a tensor where they stand together.
    if (cut->axes[i] == rank - 1 && cut->steps[i] != 1) return std::nullopt;
  }
  append(cut->starts, second->starts);
  append(cut->ends, second->ends);
  append(cut->axes, second->axes);
  append(cut->steps, second->steps);

  const Node& node = context.node(id);
  const std::string output = context.graph().value(node.outputs[0]).name.string();
  GraphPatch patch;
  patch.note = fmt::format("{} cuts what {} read", context.label(id), context.label(first));
  patch.removeNodes = {id};
  if (context.onlyReader(between) == id) patch.removeNodes.push_back(first);
  NewNode merged;
  merged.node.name = node.name;
  merged.node.opType = node.opType;
  merged.node.opsetVersion = node.opsetVersion;
  merged.inputs = {context.graph().value(context.input(first, 0)).name.string()};
  const std::pair<const char*, const std::vector<int64_t>*> lists[] = {
      {"starts", &cut->starts}, {"ends", &cut->ends}, {"axes", &cut->axes}, {"steps", &cut->steps}};
  for (const auto& [what, list] : lists) {
    merged.inputs.push_back(context.graph().freshName(fmt::format("{}@{}", output, what)));
    patch.addInitializers.emplace_back(merged.inputs.back(), Tensor::of(std::span<const int64_t>(*list)));
  }
  merged.outputs = {output};
  patch.addNodes.push_back(std::move(merged));
  return patch;
}

constexpr GraphPass kPass{
    .name = "SliceMerge", .purpose = "turns two Slices along different axes into one", .level = 2, .match = match};

}  // namespace

const GraphPass& pass_merge_slices() {
  return kPass;
}

}  // namespace cutaway::optimize
