#include "engine/math/pooling.h"

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "engine/math/memory_layout.h"
#include "engine/math/onednn.h"

namespace cutaway::math {

struct Pooling::Plan {
  PoolingShape shape;
  int threads = 1;     // of the caller when it was made
  int runThreads = 1;  // that pay for this much work
  dnnl::memory::desc input, output, scratchPad;
  dnnl::primitive primitive;
  std::string implementation;
  ActivationStrides inputStrides, outputStrides;
};

Pooling::Pooling(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
Pooling::~Pooling() = default;
const PoolingShape& Pooling::shape() const {
  return m_plan->shape;
}
int Pooling::threads() const {
  return m_plan->threads;
}
size_t Pooling::scratchBytes() const {
  return m_plan->scratchPad.get_size();
}
std::string Pooling::implementation() const {
  return m_plan->implementation;
}

namespace {

dnnl::algorithm algorithmOf(PoolingKind kind) {
  switch (kind) {
    case PoolingKind::kMax:
      return dnnl::algorithm::pooling_max;
    case PoolingKind::kAverageIncludingPadding:
      return dnnl::algorithm::pooling_avg_include_padding;
    case PoolingKind::kAverageExcludingPadding:
      return dnnl::algorithm::pooling_avg_exclude_padding;
  }
  return dnnl::algorithm::pooling_max;
}

ActivationStrides stridesOf(const PoolingShape& shape, const SpatialDims& size) {
  int64_t cells = 1;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    cells *= size[axis];
  ActivationStrides strides;
  const bool last = shape.layout == Layout::kChannelsLast;
  strides.block = channelBlock(shape.layout);
  strides.channelBlock = last ? 1 : cells * strides.block;
  int64_t step = last ? shape.channels : strides.block;
  for (size_t axis = shape.spatialRank; axis-- > 0; step *= size[axis])
    strides.cell[axis] = step;
  strides.image = last ? step : (shape.channels + strides.block - 1) / strides.block * strides.channelBlock;
  return strides;
}

}  // namespace

// Elements visited below which another thread costs more than it saves.
static constexpr int64_t kWorkPerThread = int64_t{1} << 15;

static int64_t comparisons(const PoolingShape& shape) {
  double count = static_cast<double>(shape.batch) * static_cast<double>(shape.channels);
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    count *= static_cast<double>(shape.output[axis]) * static_cast<double>(shape.kernel[axis]);
  return static_cast<int64_t>(std::min(count, 1e15));
}

Result<std::shared_ptr<const Pooling>> Pooling::create(const PoolingShape& shape) {
  auto plan = std::make_unique<Plan>();
  plan->shape = shape;
  plan->threads = currentThreads();
  plan->runThreads = usefulThreads(comparisons(shape), kWorkPerThread);
  // The library fixes its split when the primitive is made, and asks again when it runs.
  const ThreadShare share(plan->runThreads);
  CUTAWAY_CHECK(onednn::attempt("pooling", [&] {
    const auto spatial = [&](const SpatialDims& values, int64_t summand = 0) {
      dnnl::memory::dims dims(values.begin(), values.begin() + shape.spatialRank);
      for (auto& dim : dims)
        dim += summand;
      return dims;
    };
    const auto tensor = [&](const SpatialDims& values) {
      dnnl::memory::dims dims = spatial(values);
      dims.insert(dims.begin(), {shape.batch, shape.channels});
      return onednn::activationDescriptor(dims, shape.layout);
    };
    plan->input = tensor(shape.input);
    plan->output = tensor(shape.output);
    const dnnl::pooling_v2_forward::desc description(
        dnnl::prop_kind::forward_inference, algorithmOf(shape.kind), plan->input, plan->output, spatial(shape.strides),
        spatial(shape.kernel), spatial(shape.dilations, -1), spatial(shape.padsBegin), spatial(shape.padsEnd));
    const dnnl::pooling_v2_forward::primitive_desc chosen(description, onednn::userScratchAttributes(),
                                                          onednn::cpuEngine());
    plan->inputStrides = stridesOf(shape, shape.input);
    plan->outputStrides = stridesOf(shape, shape.output);
    plan->scratchPad = chosen.scratchpad_desc();
    plan->implementation = chosen.impl_info_str();
    plan->primitive = dnnl::pooling_v2_forward(chosen);
  }));
  return std::make_shared<const Pooling>(std::move(plan));
}

struct Pooling::Call::Handles {
  dnnl::stream stream;
  dnnl::memory input, output, scratchPad;
};

Pooling::Call::Call(std::shared_ptr<const Pooling> pooling) : m_pooling(std::move(pooling)) {}
Pooling::Call::~Call() = default;
Pooling::Call::Call(Call&&) noexcept = default;
Pooling::Call& Pooling::Call::operator=(Call&&) noexcept = default;

Result<void> Pooling::Call::run(const float* input, float* output, std::span<std::byte> scratch) {
  const Plan& plan = *m_pooling->m_plan;
  if (scratch.size() < m_pooling->scratchBytes())
    return fail(ErrorCode::kInvalidArgument, "the pooling needs {} bytes of scratch", m_pooling->scratchBytes());
  const ThreadShare share(plan.runThreads);
  CUTAWAY_CHECK(onednn::attempt("pooling", [&] {
    if (!m_handles) {
      m_handles = std::make_unique<Handles>();
      m_handles->stream = dnnl::stream(onednn::cpuEngine());
      m_handles->input = onednn::handleFor(plan.input);
      m_handles->output = onednn::handleFor(plan.output);
      m_handles->scratchPad = onednn::handleFor(plan.scratchPad);
    }
    Handles& handles = *m_handles;
    onednn::point(handles.input, input);
    onednn::point(handles.output, output);
    onednn::point(handles.scratchPad, scratch.data());
    const dnnl_exec_arg_t all[] = {{DNNL_ARG_SRC, handles.input.get()},
                                   {DNNL_ARG_DST, handles.output.get()},
                                   {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()}};
    if (auto done = onednn::execute(plan.primitive, handles.stream, all); !done)
      throw std::runtime_error(done.error().message);
  }));
  if (plan.shape.kind == PoolingKind::kMax &&
      !allFinite(input, static_cast<int64_t>(plan.input.get_size() / sizeof(float))))
    poolMaximum(plan.shape, input, plan.inputStrides, output, plan.outputStrides);
  return {};
}

}  // namespace cutaway::math
