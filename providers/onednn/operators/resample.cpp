// Resize and Upsample, where the library's coordinates are the node's.
//
// The library maps an output place o to (o + 0.5) * in / out - 0.5 and rounds halves away from zero. That is
// half_pixel; for whole upscaling factors it is also the floor of asymmetric places.
#include <cmath>

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

std::vector<float> scalesOf(const Tensor* tensor, const Node& node) {
  if (tensor != nullptr && tensor->type() == ElementType::kFloat && tensor->elementCount() > 0)
    return {tensor->span<float>().begin(), tensor->span<float>().end()};
  return node.attributeOr<std::vector<float>>("scales", {});
}

const Tensor* at(const Node& node, size_t slot, const auto& constant) {
  return slot < node.inputs.size() && node.inputs[slot].valid() ? constant(node.inputs[slot]) : nullptr;
}

// Output dims; empty when the node does not say.
std::vector<int64_t> resultDims(const Node& node, const std::vector<int64_t>& from, const auto& constant) {
  const bool upsample = node.opType == "Upsample";
  const size_t scalesSlot = upsample || node.sinceVersion < 11 ? 1 : 2;
  if (const Tensor* sizes = upsample ? nullptr : at(node, 3, constant);
      sizes != nullptr && sizes->type() == ElementType::kInt64 &&
      sizes->elementCount() == static_cast<int64_t>(from.size())) {
    return {sizes->span<int64_t>().begin(), sizes->span<int64_t>().end()};
  }
  const std::vector<float> scales = scalesOf(at(node, scalesSlot, constant), node);
  std::vector<int64_t> to;
  if (scales.size() != from.size()) return to;
  for (size_t axis = 0; axis < from.size(); ++axis)
    to.push_back(static_cast<int64_t>(std::floor(static_cast<float>(from[axis]) * scales[axis])));
  return to;
}

bool isNearest(const Node& node) {
  return node.attributeOr<std::string>("mode", "nearest") == "nearest";
}

Result<void> lowerResize(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const std::vector<int64_t> from = builder.dims(node.inputs[0]);
  const std::vector<int64_t> to = resultDims(node, from, [&](ValueId value) { return builder.constant(value); });
  if (to.size() != from.size() || from.size() < 3 || to[0] != from[0] || to[1] != from[1])
    return fail(ErrorCode::kNotImplemented, "the library resizes spatial axes only");
  const bool linear = !isNearest(node);
  for (size_t axis = 2; axis < to.size(); ++axis) {
    const bool whole = to[axis] % from[axis] == 0;
    if (!whole && !linear)
      return fail(ErrorCode::kNotImplemented, "nearest places agree for whole upscaling factors only, not for {} to {}",
                  from[axis], to[axis]);
  }
  const Stored source = builder.stored(node.inputs[0]);
  const int64_t work = product(to) * 16;
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    using Forward = dnnl::resampling_forward;
    const Forward::desc description(dnnl::prop_kind::forward_inference,
                                    linear ? dnnl::algorithm::resampling_linear : dnnl::algorithm::resampling_nearest,
                                    source.descriptor, anyOrder(to, DataType::f32));
    const ThreadShare share(builder.threadsFor(work));
    const Forward::primitive_desc chosen(description, newAttributes(), engine());
    const Stored result = builder.working(chosen.dst_desc());
    done = builder.addStep<Forward>(chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}, work);
    builder.define(node.outputs[0], to, result);
  }));
  return done;
}

Objection attributeObjection(const Node& node, std::string_view name, const std::string& seen, std::string remedy) {
  return {RefusalCause::kAttribute, "the library's coordinates differ",
          fmt::format("{}.attributes.{}", node.opType, name), fmt::format("{} = {}", name, seen), std::move(remedy)};
}

// Scales that are no ratio of the sizes shift the places of linear sampling.
bool scalesAreRatios(const KernelInfo& info) {
  const Node& node = info.node();
  const auto& shape = info.inputType(0).shape;
  const size_t slot = node.opType == "Upsample" || node.sinceVersion < 11 ? 1 : 2;
  const std::vector<float> scales = scalesOf(info.constantInput(slot), node);
  for (size_t axis = 0; axis < scales.size() && shape && axis < shape->rank(); ++axis) {
    if (!(*shape)[axis].isKnown()) {
      if (scales[axis] != std::floor(scales[axis])) return false;
      continue;
    }
    const float size = static_cast<float>((*shape)[axis].value()) * scales[axis];
    if (std::fabs(size - std::round(size)) > 1e-4f) return false;
  }
  return true;
}

std::optional<Objection> checkResize(const KernelInfo& info) {
  const Node& node = info.node();
  const bool old = node.opType == "Upsample" || node.sinceVersion < 11;
  const std::string mode = info.attribute<std::string>("mode", "nearest");
  const std::string places =
      info.attribute<std::string>("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  const std::string rounding = info.attribute<std::string>("nearest_mode", old ? "floor" : "round_prefer_floor");
  if (mode != "nearest" && mode != "linear") return attributeObjection(node, "mode", mode, "mode nearest or linear");
  if (mode == "linear" && places != "half_pixel")
    return attributeObjection(node, "coordinate_transformation_mode", places, "half_pixel");
  if (mode == "nearest" && places != "half_pixel" && places != "asymmetric")
    return attributeObjection(node, "coordinate_transformation_mode", places,
                              "half_pixel, or asymmetric with nearest_mode floor");
  if (mode == "nearest" && places == "asymmetric" && rounding != "floor")
    return attributeObjection(node, "nearest_mode", rounding, "floor with asymmetric coordinates");
  if (mode == "nearest" && places == "half_pixel" && !rounding.starts_with("round_"))
    return attributeObjection(node, "nearest_mode", rounding,
                              "round_prefer_floor or round_prefer_ceil with half_pixel coordinates");
  if (info.attribute<int64_t>("antialias", 0) != 0) return attributeObjection(node, "antialias", "1", "antialias = 0");
  if (info.attribute<int64_t>("exclude_outside", 0) != 0)
    return attributeObjection(node, "exclude_outside", "1", "exclude_outside = 0");
  if (info.attribute<std::string>("keep_aspect_ratio_policy", "stretch") != "stretch")
    return attributeObjection(node, "keep_aspect_ratio_policy", "not stretch", "stretch");
  if (!info.attribute<std::vector<int64_t>>("axes", {}).empty())
    return attributeObjection(node, "axes", "given", "scales or sizes for all axes");
  if (!scalesAreRatios(info))
    return attributeObjection(node, "scales", "input size x scale is no whole number", "scales that give whole sizes");
  return std::nullopt;
}

constexpr int kUpsampleConstants[] = {1};
constexpr int kResizeConstants[] = {2, 3};
constexpr OperatorRow kRows[] = {
    {.opType = "Resize",
     .versions = {11},
     .minimumRank = 3,
     .maximumRank = 5,
     .constantInputs = kResizeConstants,
     .check = checkResize,
     .lower = lowerResize},
    {.opType = "Upsample",
     .versions = {7},
     .minimumRank = 3,
     .maximumRank = 5,
     .constantInputs = kUpsampleConstants,
     .check = checkResize,
     .lower = lowerResize},
};

}  // namespace

OperatorRows operators_resample() {
  return kRows;
}

}  // namespace cutaway::onednn
