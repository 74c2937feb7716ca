// Pools over windows and over whole images.
#include <algorithm>

#include "providers/onednn/operators/window.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

dnnl::algorithm algorithmOf(const Node& node) {
  if (node.opType == "MaxPool" || node.opType == "GlobalMaxPool") return dnnl::algorithm::pooling_max;
  return node.attributeOr<int64_t>("count_include_pad", 0) != 0 ? dnnl::algorithm::pooling_avg_include_padding
                                                                : dnnl::algorithm::pooling_avg_exclude_padding;
}

// Channels alone or in one run of blocks, everything else in plain strides: what pools read and write.
math::ActivationStrides stridesOf(const Descriptor& descriptor) {
  const dnnl_blocking_desc_t& order = descriptor.data.format_desc.blocking;
  const bool blocked = order.inner_nblks == 1 && order.inner_idxs[0] == 1 && order.inner_blks[0] <= 16;
  if (descriptor.data.format_kind != dnnl_blocked || descriptor.data.offset0 != 0 ||
      (order.inner_nblks != 0 && !blocked))
    throw std::runtime_error("a pooling in an order of cells that is not known");
  math::ActivationStrides strides{
      .image = order.strides[0], .channelBlock = order.strides[1], .block = blocked ? order.inner_blks[0] : 1};
  std::copy_n(order.strides + 2, descriptor.data.ndims - 2, strides.cell.begin());
  return strides;
}

// The library counts dilations from 0.
ExactMaximum exactMaximum(const Dimensions& source, const Window& window, const Stored& from, const Stored& to) {
  ExactMaximum rule;
  rule.shape.batch = source[0];
  rule.shape.channels = source[1];
  rule.shape.spatialRank = source.size() - 2;
  for (size_t axis = 0; axis < rule.shape.spatialRank; ++axis) {
    rule.shape.input[axis] = source[axis + 2];
    rule.shape.output[axis] = window.output[axis];
    rule.shape.kernel[axis] = window.kernel[axis];
    rule.shape.strides[axis] = window.strides[axis];
    rule.shape.dilations[axis] = window.dilations[axis] + 1;
    rule.shape.padsBegin[axis] = window.padsBegin[axis];
  }
  rule.from = stridesOf(from.descriptor);
  rule.to = stridesOf(to.descriptor);
  return rule;
}

Result<void> lowerPool(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const Dimensions source = builder.dimensions(node.inputs[0]);
  const bool global = node.opType.starts_with("Global");
  const std::vector<int64_t> kernel = global ? std::vector<int64_t>(source.begin() + 2, source.end())
                                             : node.attributeOr<std::vector<int64_t>>("kernel_shape", {});
  CUTAWAY_TRY(const Window window, windowOf(node, source, kernel, operators::WindowFit::kMayExceed));
  const dnnl::algorithm algorithm = algorithmOf(node);
  if (window.roundedUp && algorithm == dnnl::algorithm::pooling_avg_include_padding) {
    return fail(ErrorCode::kNotImplemented,
                "ceil_mode with count_include_pad counts places beyond the padding, which the library's average would "
                "divide by");
  }
  const Dimensions result = joined(source[0], source[1], window.output);
  const int64_t work = product(result) * product(window.kernel);
  const Stored input = builder.stored(node.inputs[0]);
  const DataType type = input.descriptor.data_type();
  return attempt(node.opType, [&] {
    using Forward = dnnl::pooling_v2_forward;
    const Forward::desc description(dnnl::prop_kind::forward_inference, algorithm, input.descriptor,
                                    anyOrder(result, type), window.strides, window.kernel, window.dilations,
                                    window.padsBegin, window.padsEnd);
    const ThreadShare share(builder.threadsFor(work));
    const Forward::primitive_desc chosen(description, newAttributes(), engine());
    const Stored output = builder.working(chosen.dst_desc());
    if (auto done = builder.addStep<Forward>(chosen, {{DNNL_ARG_SRC, input}, {DNNL_ARG_DST, output}}, work); !done)
      throw std::runtime_error(done.error().message);
    if (algorithm == dnnl::algorithm::pooling_max && type == DataType::f32)
      builder.poolExactly(exactMaximum(source, window, input, output), input, output);
    builder.define(node.outputs[0], result, output);
  });
}

// The library's averages refuse windows that reach over a whole axis from padding to padding: known of known sizes
// only.
bool mayReachOver(const KernelInfo& info) {
  using Ints = std::vector<int64_t>;
  const Ints kernel = info.attribute<Ints>("kernel_shape", {}), dilations = info.attribute<Ints>("dilations", {});
  const std::optional<Shape>& input = info.inputType(0).shape;
  for (size_t axis = 0; axis < std::min(kernel.size(), dilations.size()); ++axis) {
    const bool isKnown = input && axis + 2 < input->rank() && (*input)[axis + 2].isKnown();
    if (!isKnown && kernel[axis] > 1 && dilations[axis] > 1) return true;
  }
  return false;
}

std::optional<Objection> checkPool(const KernelInfo& info) {
  if (info.hasOutput(1))
    return Objection{RefusalCause::kAttribute, "the library gives no indexes of maxima", "MaxPool.outputs",
                     "output Indices is used", "a model that does not use Indices"};
  const bool rounded = info.attribute<int64_t>("ceil_mode", 0) != 0;
  if (rounded && info.attribute<int64_t>("count_include_pad", 0) != 0) {
    return Objection{RefusalCause::kAttribute, "the library divides by places that ceil_mode adds beyond the padding",
                     "AveragePool.attributes", "ceil_mode = 1, count_include_pad = 1",
                     "ceil_mode = 0 or count_include_pad = 0"};
  }
  if (info.node().opType == "AveragePool" && mayReachOver(info))
    return Objection{RefusalCause::kShape, "the library refuses averages whose dilations reach over the whole input",
                     "AveragePool.attributes.dilations", "dilations along an open axis",
                     "sizes for its dimensions (--dim), or no dilations"};
  if (info.attribute<int64_t>("storage_order", 0) != 0)
    return Objection{RefusalCause::kAttribute, "the library stores row-major only", "MaxPool.attributes.storage_order",
                     "storage_order = 1", "storage_order = 0"};
  return std::nullopt;
}

constexpr ElementType kMaxTypes[] = {ElementType::kFloat, ElementType::kInt8, ElementType::kUint8};

constexpr OperatorRow kRows[] = {
    {.opType = "MaxPool",
     .types = kMaxTypes,
     .minimumRank = 3,
     .maximumRank = 5,
     .check = checkPool,
     .lower = lowerPool},
    {.opType = "AveragePool", .minimumRank = 3, .maximumRank = 5, .check = checkPool, .lower = lowerPool},
    {.opType = "GlobalMaxPool", .minimumRank = 3, .maximumRank = 5, .lower = lowerPool},
    {.opType = "GlobalAveragePool", .minimumRank = 3, .maximumRank = 5, .lower = lowerPool},
};

}  // namespace

OperatorRows operators_pooling() {
  return kRows;
}

}  // namespace cutaway::onednn
