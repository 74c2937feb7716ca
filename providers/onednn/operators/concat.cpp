// Concat of floats by our own copies, row-major or with the channels last: the library's copies run at a tenth of the
// memory's speed, and fall to a plain loop where operands differ in order. Other types in the layout its operands have.
#include <algorithm>

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

Result<bool> lowerOwnConcat(PlanBuilder& builder, const Node& node, const std::vector<int64_t>& dims, size_t axis,
                            std::span<const Stored> parts) {
  const auto isFloat = [](const Stored& part) { return part.descriptor.data_type() == DataType::f32; };
  if (builder.probing() || product(dims) == 0 || !std::ranges::all_of(parts, isFloat)) return false;
  const auto isPlain = [](const Stored& part) {
    return part.descriptor == plainDescriptor(part.descriptor.dims(), DataType::f32);
  };
  const bool plain = axis != 1 || dims.size() != 4 || std::ranges::all_of(parts, isPlain);
  const auto ordered = [&](const Dimensions& sizes) {
    return plain ? plainDescriptor(sizes, DataType::f32) : Descriptor(sizes, DataType::f32, Tag::nhwc);
  };
  std::vector<Stored> inOrder;
  for (const Stored& part : parts) {
    CUTAWAY_TRY(const Stored same, builder.reordered(part, ordered(part.descriptor.dims())));
    inOrder.push_back(same);
  }
  const Stored result = builder.working(ordered(dims));
  builder.addConcat(inOrder, axis, result);
  builder.define(node.outputs[0], dims, result);
  return true;
}

Result<void> lowerConcat(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t axis = node.attributeOr<int64_t>("axis", 1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return fail(ErrorCode::kInvalidGraph, "Concat: axis {} of rank {}", axis, rank);
  std::vector<Stored> parts;
  std::vector<Descriptor> descriptors;
  dims[static_cast<size_t>(axis)] = 0;
  for (const ValueId input : node.inputs) {
    // The library divides by what a part has; one without elements adds nothing.
    if (product(builder.dims(input)) != 0 || builder.probing()) parts.push_back(builder.stored(input));
    if (builder.dims(input).size() != static_cast<size_t>(rank))
      return fail(ErrorCode::kInvalidGraph, "Concat: ranks differ");
    dims[static_cast<size_t>(axis)] += builder.dims(input)[static_cast<size_t>(axis)];
  }
  for (const Stored& part : parts)
    descriptors.push_back(part.descriptor);
  CUTAWAY_TRY(const bool own, lowerOwnConcat(builder, node, dims, static_cast<size_t>(axis), parts));
  if (own) return {};
  Result<void> done;
  CUTAWAY_CHECK(attempt("Concat", [&] {
    const int64_t work = product(dims) * 8;
    const ThreadShare share(builder.threadsFor(work));
    const dnnl::concat::primitive_desc chosen(static_cast<int>(axis), descriptors, engine(), newAttributes());
    const Stored result = builder.working(chosen.dst_desc());
    StepArguments arguments{{DNNL_ARG_DST, result}};
    for (size_t i = 0; i < parts.size(); ++i)
      arguments.emplace_back(DNNL_ARG_MULTIPLE_SRC + static_cast<int>(i), parts[i]);
    done = builder.addStep<dnnl::concat>(chosen, std::move(arguments), work);
    builder.define(node.outputs[0], dims, result);
  }));
  return done;
}

std::optional<Objection> checkConcat(const KernelInfo& info) {
  constexpr size_t kMost = 256;
  if (info.inputCount() <= kMost) return std::nullopt;
  return Objection{RefusalCause::kInput, "too many operands for one primitive", "Concat.inputs",
                   fmt::format("{} inputs", info.inputCount()), fmt::format("at most {} inputs", kMost)};
}

constexpr ElementType kTypes[] = {ElementType::kFloat, ElementType::kInt8, ElementType::kUint8};
constexpr OperatorRow kRows[] = {{.opType = "Concat",
                                  .versions = {4},
                                  .dataInputs = -1,
                                  .types = kTypes,
                                  .minimumRank = 1,
                                  .check = checkConcat,
                                  .lower = lowerConcat}};

}  // namespace

OperatorRows operators_concat() {
  return kRows;
}

}  // namespace cutaway::onednn
