// BatchNormalization (with its activation), LayerNormalization, LRN.
#include <cmath>
#include <cstring>

#include "providers/onednn/chain.h"
#include "providers/onednn/operators/window.h"

namespace cutaway::onednn {

namespace {

// Scale and shift of a batch normalisation, in numbers where they are constant, so that products and sums per channel
// behind it go into them.
struct Affine {
  std::vector<float> scale, shift;
  bool known = false;
};

Affine affineOf(const PlanBuilder& builder, const Node& node, int64_t channels) {
  Affine affine;
  const Tensor *scale = builder.constant(node.inputs[1]), *shift = builder.constant(node.inputs[2]);
  if (scale == nullptr || shift == nullptr || scale->elementCount() != channels || shift->elementCount() != channels)
    return affine;
  affine.scale.assign(scale->span<float>().begin(), scale->span<float>().end());
  affine.shift.assign(shift->span<float>().begin(), shift->span<float>().end());
  affine.known = true;
  return affine;
}

// [C,1,1] or [1,C,1,1], or one number.
bool perChannel(const PlanBuilder& builder, ValueId value, size_t rank, int64_t channels) {
  const Tensor* tensor = builder.constant(value);
  if (tensor == nullptr || tensor->type() != ElementType::kFloat) return false;
  if (tensor->elementCount() == 1) return true;
  const size_t own = tensor->rank();
  return tensor->elementCount() == channels && own + 1 >= rank && own <= rank &&
         tensor->dims()[own + 1 - rank] == channels;
}

// Takes what fits from the chain's start; true when an activation ends it.
bool foldChain(const PlanBuilder& builder, Chain& chain, Affine& affine, size_t rank, int64_t channels) {
  size_t taken = 0;
  bool relu = false;
  for (const ChainLink& link : chain.links) {
    const bool activation = link.stages.size() == 1 && link.stages[0].algorithm == dnnl::algorithm::eltwise_relu &&
                            link.stages[0].alpha == 0;
    const bool folds = affine.known && link.other.valid() &&
                       (link.binary == dnnl::algorithm::binary_mul || link.binary == dnnl::algorithm::binary_add) &&
                       perChannel(builder, link.other, rank, channels);
    if (!activation && !folds) break;
    ++taken;
    if (activation) {
      relu = true;
      break;
    }
    const Tensor& numbers = *builder.constant(link.other);
    for (size_t c = 0; c < affine.scale.size(); ++c) {
      const float number = numbers.span<float>()[numbers.elementCount() == 1 ? 0 : c];
      if (link.binary == dnnl::algorithm::binary_mul) {
        affine.scale[c] *= number;
        affine.shift[c] *= number;
      } else {
        affine.shift[c] += number;
      }
    }
  }
  chain.links.resize(taken);
  return relu;
}

Result<void> lowerBatch(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const Stored source = builder.stored(node.inputs[0]);
  const Dimensions dims = builder.dimensions(node.inputs[0]);
  if (dims.size() < 2) return fail(ErrorCode::kInvalidGraph, "BatchNormalization wants channels on axis 1");
  const int64_t channels = dims[1];
  Chain chain = chainFrom(builder, node.outputs[0], dims);
  Affine affine = affineOf(builder, node, channels);
  const bool relu = foldChain(builder, chain, affine, dims.size(), channels);
  const Descriptor vector = plainDescriptor(Dimensions{channels}, DataType::f32);
  Stored scale = builder.stored(node.inputs[1]), shift = builder.stored(node.inputs[2]);
  if (affine.known && !chain.links.empty()) {
    CUTAWAY_TRY(scale, builder.floats(affine.scale, {channels}));
    CUTAWAY_TRY(shift, builder.floats(affine.shift, {channels}));
  }
  const int64_t work = product(dims) * 8;
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    using Forward = dnnl::batch_normalization_forward;
    using Flags = dnnl::normalization_flags;
    Flags flags = Flags::use_global_stats | Flags::use_scale | Flags::use_shift;
    if (relu) flags = flags | Flags::fuse_norm_relu;
    const Forward::desc description(dnnl::prop_kind::forward_inference, source.descriptor,
                                    node.attributeOr<float>("epsilon", 1e-5f), flags);
    const ThreadShare share(builder.threadsFor(work));
    const Forward::primitive_desc chosen(description, newAttributes(), engine());
    absorbChain(builder, chain);
    const bool inPlace = builder.mayOverwrite(source);
    const Stored result = inPlace ? source : builder.working(chosen.dst_desc());
    if (inPlace) builder.overwrite(source);
    const StepArguments arguments{{DNNL_ARG_SRC, source},
                                  {DNNL_ARG_DST, result},
                                  {DNNL_ARG_SCALE, {scale.buffer, vector}},
                                  {DNNL_ARG_SHIFT, {shift.buffer, vector}},
                                  {DNNL_ARG_MEAN, {builder.stored(node.inputs[3]).buffer, vector}},
                                  {DNNL_ARG_VARIANCE, {builder.stored(node.inputs[4]).buffer, vector}}};
    done = builder.addStep<Forward>(chosen, arguments, work);
    builder.define(chain.result(), builder.dims(node.inputs[0]), result);
  }));
  return done;
}

std::optional<Objection> checkBatch(const KernelInfo& info) {
  if (info.attribute<int64_t>("training_mode", 0) != 0)
    return Objection{RefusalCause::kAttribute, "statistics are not computed",
                     "BatchNormalization.attributes.training_mode", "training_mode = 1", "training_mode = 0"};
  if (info.attribute<int64_t>("spatial", 1) == 0)
    return Objection{RefusalCause::kAttribute, "statistics are per channel", "BatchNormalization.attributes.spatial",
                     "spatial = 0", "spatial = 1"};
  for (size_t slot = 1; slot < 5; ++slot) {
    if (info.hasOutput(slot))
      return Objection{RefusalCause::kAttribute, "statistics are not computed", "BatchNormalization.outputs",
                       fmt::format("output {} is used", slot), "a model for inference"};
  }
  return std::nullopt;
}

Result<void> lowerLayer(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const std::vector<int64_t> dims = builder.dims(node.inputs[0]);
  const auto rank = static_cast<int64_t>(dims.size());
  int64_t axis = node.attributeOr<int64_t>("axis", -1);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank)
    return fail(ErrorCode::kInvalidGraph, "LayerNormalization: axis {} of rank {}", axis, rank);
  const std::span<const int64_t> all(dims);
  const Dimensions flat{elementCount(all.first(static_cast<size_t>(axis))),
                        elementCount(all.subspan(static_cast<size_t>(axis)))};
  const bool shifted = node.inputs.size() > 2 && node.inputs[2].valid();
  const int64_t work = product(dims) * 16;
  const Stored given = builder.stored(node.inputs[0]);
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    done = [&]() -> Result<void> {
      CUTAWAY_TRY(const Stored plain,
                  builder.reordered(given, plainDescriptor(given.descriptor.dims(), DataType::f32)));
      const Stored source{plain.buffer, plainDescriptor(flat, DataType::f32)};
      using Forward = dnnl::layer_normalization_forward;
      using Flags = dnnl::normalization_flags;
      const Forward::desc description(dnnl::prop_kind::forward_inference, source.descriptor,
                                      node.attributeOr<float>("epsilon", 1e-5f),
                                      shifted ? Flags::use_scale | Flags::use_shift : Flags::use_scale);
      const ThreadShare share(builder.threadsFor(work));
      const Forward::primitive_desc chosen(description, newAttributes(), engine());
      const Stored result = builder.working(chosen.dst_desc());
      StepArguments arguments{{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}};
      const Descriptor vector = plainDescriptor(Dimensions{flat[1]}, DataType::f32);
      if (elementCount(builder.dims(node.inputs[1])) != flat[1] ||
          (shifted && elementCount(builder.dims(node.inputs[2])) != flat[1])) {
        return fail(ErrorCode::kNotImplemented, "scale and bias have as many elements as the normalised axes");
      }
      arguments.emplace_back(DNNL_ARG_SCALE, Stored{builder.stored(node.inputs[1]).buffer, vector});
      if (shifted) arguments.emplace_back(DNNL_ARG_SHIFT, Stored{builder.stored(node.inputs[2]).buffer, vector});
      CUTAWAY_CHECK(builder.addStep<Forward>(chosen, std::move(arguments), work));
      builder.define(node.outputs[0], dims, Stored{result.buffer, plainDescriptor(dims, DataType::f32)});
      return {};
    }();
  }));
  return done;
}

std::optional<Objection> checkLayer(const KernelInfo& info) {
  if (info.hasOutput(1) || info.hasOutput(2))
    return Objection{RefusalCause::kAttribute, "mean and deviation are not given", "LayerNormalization.outputs",
                     "output Mean or InvStdDev is used", "a model that does not use them"};
  return std::nullopt;
}

Result<void> lowerLrn(PlanBuilder& builder, NodeId id) {
  const Node& node = builder.node(id);
  const Stored source = builder.stored(node.inputs[0]);
  const int64_t size = node.attributeOr<int64_t>("size", 1);
  const int64_t work = product(builder.dims(node.inputs[0])) * 16;
  Result<void> done;
  CUTAWAY_CHECK(attempt(node.opType, [&] {
    const dnnl::lrn_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::lrn_across_channels,
                                              source.descriptor, size, node.attributeOr<float>("alpha", 1e-4f),
                                              node.attributeOr<float>("beta", 0.75f),
                                              node.attributeOr<float>("bias", 1.0f));
    const ThreadShare share(builder.threadsFor(work));
    const dnnl::lrn_forward::primitive_desc chosen(description, newAttributes(), engine());
    const Stored result = builder.working(chosen.dst_desc());
    done = builder.addStep<dnnl::lrn_forward>(chosen, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}}, work);
    builder.define(node.outputs[0], builder.dims(node.inputs[0]), result);
  }));
  return done;
}

std::optional<Objection> checkLrn(const KernelInfo& info) {
  const int64_t size = info.attribute<int64_t>("size", 1);
  if (size >= 1 && size % 2 == 1) return std::nullopt;
  return Objection{RefusalCause::kAttribute, "the library centres its window", "LRN.attributes.size",
                   fmt::format("size = {}", size), "an odd size"};
}

constexpr OperatorRow kRows[] = {
    {.opType = "BatchNormalization",
     .versions = {7},
     .dataInputs = -1,
     .minimumRank = 2,
     .maximumRank = 5,
     .check = checkBatch,
     .lower = lowerBatch},
    {.opType = "LayerNormalization", .dataInputs = -1, .minimumRank = 1, .check = checkLayer, .lower = lowerLayer},
    {.opType = "LRN", .minimumRank = 3, .maximumRank = 5, .check = checkLrn, .lower = lowerLrn},
};

}  // namespace

OperatorRows operators_normalization() {
  return kRows;
}

}  // namespace cutaway::onednn
