// Scratch holds, each at a multiple of 64 bytes: the library's scratch pad and, where sums of pairs would saturate, the
// result of the second half of the weights. Where there are loops of our own for sums of bytes (requantized_loops.h),
// they stand in the library's place, unless cells would have to be made longer: scratch is theirs.

#include "engine/math/integer_convolution.h"

#include <algorithm>
#include <optional>

#include <fmt/ranges.h>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "engine/math/integer_exact.h"
#include "engine/math/packed_bytes.h"
#include "engine/math/requantized_convolution.h"
#include "engine/tensor/allocator.h"

namespace cutaway::math {

using Descriptor = dnnl::memory::desc;

struct IntegerConvolution::Plan {
  IntegerConvolutionShape shape;
  int threads = 1;     // of the caller when it was made
  int runThreads = 1;  // that pay for this much work
  bool split = false;  // two convolutions, see integer_exact.h
  Descriptor input, weights, storedWeights, output, scratchPad;
  dnnl::primitive primitive;
  std::string implementation;
  size_t secondOffset = 0, scratchBytes = 0;
  std::optional<RequantizedConvolution> own;  // in place of the primitive
};

namespace {

// Multiply-adds below which another thread costs more than it saves.
constexpr int64_t kWorkPerThread = int64_t{1} << 18;

dnnl::memory::dims spatial(const IntegerConvolutionShape& shape, const SpatialDims& values, int64_t summand = 0) {
  dnnl::memory::dims dims(values.begin(), values.begin() + shape.spatialRank);
  for (auto& dim : dims)
    dim += summand;
  return dims;
}

Descriptor channelsLast(const IntegerConvolutionShape& shape, int64_t channels, const SpatialDims& values,
                        dnnl::memory::data_type type) {
  using Tag = dnnl::memory::format_tag;
  static constexpr Tag kTags[] = {Tag::nwc, Tag::nhwc, Tag::ndhwc};
  dnnl::memory::dims dims = spatial(shape, values);
  dims.insert(dims.begin(), {shape.batch, channels});
  return {dims, type, kTags[shape.spatialRank - 1]};
}

dnnl::memory::dims weightDims(const IntegerConvolutionShape& shape) {
  dnnl::memory::dims dims = spatial(shape, shape.kernel);
  dims.insert(dims.begin(), {shape.outChannels / shape.groups, shape.inChannels / shape.groups});
  if (shape.groups > 1) dims.insert(dims.begin(), shape.groups);
  return dims;
}

Descriptor rowMajor(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * dims[axis];
  return {dims, dnnl::memory::data_type::s8, strides};
}

int64_t multiplications(const IntegerConvolutionShape& shape) {
  double count = static_cast<double>(shape.batch) * static_cast<double>(shape.outChannels) *
                 static_cast<double>(shape.inChannels / shape.groups);
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    count *= static_cast<double>(shape.output[axis]) * static_cast<double>(shape.kernel[axis]);
  return static_cast<int64_t>(std::min(count, 1e15));
}

size_t resultCount(const IntegerConvolutionShape& shape) {
  int64_t count = shape.batch * shape.outChannels;
  for (size_t axis = 0; axis < shape.spatialRank; ++axis)
    count *= shape.output[axis];
  return static_cast<size_t>(count);
}

}  // namespace

IntegerConvolution::IntegerConvolution(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
IntegerConvolution::~IntegerConvolution() = default;
const IntegerConvolutionShape& IntegerConvolution::shape() const {
  return m_plan->shape;
}
int IntegerConvolution::threads() const {
  return m_plan->threads;
}
size_t IntegerConvolution::scratchBytes() const {
  return m_plan->scratchBytes;
}
std::string IntegerConvolution::implementation() const {
  return m_plan->implementation;
}
bool IntegerConvolution::accepts(const PackedBytes& packed) const {
  return packed.descriptor == m_plan->weights;
}

Result<std::shared_ptr<const IntegerConvolution>> IntegerConvolution::create(const IntegerConvolutionShape& shape) {
  using Type = dnnl::memory::data_type;
  using Forward = dnnl::convolution_forward;
  auto plan = std::make_unique<Plan>();
  plan->shape = shape;
  plan->threads = currentThreads();
  plan->runThreads = usefulThreads(multiplications(shape), kWorkPerThread);
  plan->split = !addsExactly();
  if (RequantizedConvolution::sumsSuit(shape)) {
    RequantizedConvolution own(shape);
    if (own.cellBytes() == shape.inChannels) {
      plan->weights = ownOrder(own);
      plan->implementation = std::string(requantizedLoops()->instructions);
      plan->scratchBytes = own.scratchBytes();
      plan->own = own;
      return std::make_shared<const IntegerConvolution>(std::move(plan));
    }
  }
  // The library fixes its split when the primitive is made, and asks again when it runs.
  const ThreadShare share(plan->runThreads);
  CUTAWAY_CHECK(onednn::attempt("integer convolution", [&] {
    plan->input = channelsLast(shape, shape.inChannels, shape.input, Type::u8);
    plan->output = channelsLast(shape, shape.outChannels, shape.output, Type::s32);
    plan->storedWeights = rowMajor(weightDims(shape));
    const Descriptor wanted(weightDims(shape), Type::s8, dnnl::memory::format_tag::any);
    const Forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                    plan->input, wanted, plan->output, spatial(shape, shape.strides),
                                    spatial(shape, shape.dilations, -1), spatial(shape, shape.padsBegin),
                                    spatial(shape, shape.padsEnd));
    const Forward::primitive_desc chosen(description, onednn::userScratchAttributes(), onednn::cpuEngine());
    plan->weights = chosen.weights_desc();
    plan->scratchPad = chosen.scratchpad_desc();
    plan->implementation = chosen.impl_info_str();
    plan->primitive = Forward(chosen);
    plan->secondOffset =
        static_cast<size_t>(alignUp(static_cast<int64_t>(plan->scratchPad.get_size()), kBlockAlignment));
    plan->scratchBytes = plan->secondOffset + (plan->split ? resultCount(shape) * sizeof(int32_t) : 0);
  }));
  return std::make_shared<const IntegerConvolution>(std::move(plan));
}

Result<std::shared_ptr<const PackedBytes>> IntegerConvolution::pack(const int8_t* weights) const {
  size_t count = 1;
  for (const auto dim : weightDims(m_plan->shape))
    count *= static_cast<size_t>(dim);
  if (!m_plan->own) return packBytes(m_plan->storedWeights, m_plan->weights, weights, count);
  const std::string shape =
      fmt::format("{} in {} groups", fmt::join(weightDims(m_plan->shape), "x"), m_plan->shape.groups);
  return packOwn(*m_plan->own, shape, {weights, count}, [&](int8_t* packed) { m_plan->own->pack(weights, packed); });
}

struct IntegerConvolution::Call::Handles {
  dnnl::stream stream;
  dnnl::memory input, output, scratchPad;
};

IntegerConvolution::Call::Call(std::shared_ptr<const IntegerConvolution> convolution)
    : m_convolution(std::move(convolution)) {}
IntegerConvolution::Call::~Call() = default;
IntegerConvolution::Call::Call(Call&&) noexcept = default;
IntegerConvolution::Call& IntegerConvolution::Call::operator=(Call&&) noexcept = default;

Result<void> IntegerConvolution::Call::run(const uint8_t* input, const PackedBytes& weights, int32_t* output,
                                           std::span<std::byte> scratch) {
  const Plan& plan = *m_convolution->m_plan;
  if (scratch.size() < plan.scratchBytes)
    return fail(ErrorCode::kInvalidArgument, "the integer convolution needs {} bytes of scratch", plan.scratchBytes);
  if (plan.own) {
    plan.own->sums({.bytes = input}, static_cast<const int8_t*>(weights.parts[0].bytes.get()), output, scratch);
    return {};
  }
  const ThreadShare share(plan.runThreads);
  return onednn::attempt("integer convolution", [&] {
    if (!m_handles) {
      m_handles = std::make_unique<Handles>();
      m_handles->stream = dnnl::stream(onednn::cpuEngine());
      m_handles->input = onednn::handleFor(plan.input);
      m_handles->output = onednn::handleFor(plan.output);
      m_handles->scratchPad = onednn::handleFor(plan.scratchPad);
    }
    Handles& handles = *m_handles;
    onednn::point(handles.input, input);
    onednn::point(handles.scratchPad, scratch.data());
    const auto convolve = [&](int part, int32_t* to) {
      onednn::point(handles.output, to);
      const dnnl_exec_arg_t all[] = {{DNNL_ARG_SRC, handles.input.get()},
                                     {DNNL_ARG_WEIGHTS, weights.parts[part].view.get()},
                                     {DNNL_ARG_DST, handles.output.get()},
                                     {DNNL_ARG_SCRATCHPAD, handles.scratchPad.get()}};
      if (auto done = onednn::execute(plan.primitive, handles.stream, all); !done)
        throw std::runtime_error(done.error().message);
    };
    convolve(0, output);
    if (!plan.split) return;
    int32_t* second = reinterpret_cast<int32_t*>(scratch.data() + plan.secondOffset);
    convolve(1, second);
    joinHalves(output, second, resultCount(plan.shape));
  });
}

}  // namespace cutaway::math
