// Softmax, LogSoftmax, Hardmax and com.microsoft BiasSoftmax. Before version 13 the input is seen as a matrix, split at
// `axis`; from 13 on the operator works along the one axis.

#include "providers/cuda/functors/arg_functors.h"
#include "providers/cuda/functors/softmax_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kFloats}}, kBothRules[] = {{0, kFloats}, {1, kFloats}};
constexpr InplaceHint kOverInput[] = {{0, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kOverEither[] = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
constexpr int64_t kSharedForWarps = 32 * 1024, kSharedForBlocks = 96 * 1024;

// The tensor as [outer, length, inner]; the operator works along the middle.
struct Split {
  int64_t outer = 1, length = 1, inner = 1;
};

Result<Split> splitOf(std::span<const int64_t> dims, int64_t given, bool flatten) {
  const int64_t rank = static_cast<int64_t>(dims.size());
  if (rank == 0) return Split{};
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis > rank || (axis == rank && !flatten))
    return fail(ErrorCode::kInvalidArgument, "axis {} of {}", given, dimsToText(dims));
  const size_t at = static_cast<size_t>(axis);
  if (flatten) return Split{elementCount(dims.first(at)), elementCount(dims.subspan(at)), 1};
  return Split{elementCount(dims.first(at)), dims[at], elementCount(dims.subspan(at + 1))};
}

void choosePath(SoftmaxParameters& p, int64_t elementBytes) {
  const int64_t keptBytes = elementBytes == 8 ? 8 : 4;
  p.threads = p.length <= 2048 ? 128 : p.length <= 8192 ? 256 : 512;
  p.packed = p.inner == 1 && isPackedBytes(p.x, p.length, elementBytes) && isPackedBytes(p.y, p.length, elementBytes) &&
             isPackedBytes(p.bias, p.length, elementBytes);
  if (p.inner > 1) {
    p.path = SoftmaxPath::kColumns;
  } else if (kSoftmaxRowsPerBlock * softmaxPlaces(p.length, 32) * keptBytes <= kSharedForWarps) {
    p.path = SoftmaxPath::kWarps;
  } else {
    p.path = softmaxPlaces(p.length, p.threads) * keptBytes <= kSharedForBlocks ? SoftmaxPath::kBlocks
                                                                                : SoftmaxPath::kLongRows;
  }
}

class SoftmaxKernel final : public GpuKernel {
 public:
  explicit SoftmaxKernel(const KernelInfo& info)
      : m_flatten(info.node().sinceVersion < 13),
        m_axis(info.attribute<int64_t>("axis", m_flatten ? 1 : -1)),
        m_logarithm(info.node().opType == "LogSoftmax"),
        m_functor(fmt::format("softmax.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const Split split, splitOf(x.dims(), m_axis, m_flatten));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    SoftmaxParameters p{.x = x.data(),
                        .y = y->mutableData(),
                        .rows = split.outer * split.inner,
                        .length = split.length,
                        .inner = split.inner,
                        .logarithm = m_logarithm};
    choosePath(p, bitsOf(x.type()) / 8);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  bool m_flatten;
  int64_t m_axis;
  bool m_logarithm;
  std::string m_functor;
  DeviceKernel m_kernel;
};

class HardmaxKernel final : public GpuKernel {
 public:
  explicit HardmaxKernel(const KernelInfo& info)
      : m_flatten(info.node().sinceVersion < 13),
        m_axis(info.attribute<int64_t>("axis", m_flatten ? 1 : -1)),
        m_functor(fmt::format("arg.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const Split split, splitOf(x.dims(), m_axis, m_flatten));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    ArgParameters p{.x = x.data(),
                    .y = y->mutableData(),
                    .outputs = split.outer * split.inner,
                    .length = split.length,
                    .inner = split.inner,
                    .oneHot = true};
    p.path = p.inner > 1 ? ArgPath::kColumns : p.length <= 1024 ? ArgPath::kWarps : ArgPath::kBlocks;
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  bool m_flatten;
  int64_t m_axis;
  std::string m_functor;
  DeviceKernel m_kernel;
};

// softmax(data + bias) over the axes from `axis` on; the bias repeats over the inner or the outer part of the axes
// before.
class BiasSoftmaxKernel final : public GpuKernel {
 public:
  explicit BiasSoftmaxKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 1)),
        m_inner(info.attribute<int64_t>("is_inner_broadcast", 0) != 0),
        m_functor(fmt::format("softmax.{}", functorType(info.inputElement(0)))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(0), &bias = *call.input(1);
    if (x.rank() == 0) return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: axis {} of a scalar", m_axis);
    const int64_t rank = static_cast<int64_t>(x.rank());
    if (m_axis < -rank || m_axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: axis {} of {}", m_axis, dimsToText(x.dims()));
    CUTAWAY_TRY(const Split split, splitOf(x.dims(), m_axis, true));
    CUTAWAY_TRY(Tensor * y, call.output(0, x.dims()));
    if (y->elementCount() == 0) return {};
    const int64_t biasRows = bias.elementCount() / split.length;
    if (bias.type() != x.type() || biasRows < 1 || biasRows * split.length != bias.elementCount() ||
        split.outer % biasRows != 0) {
      return fail(ErrorCode::kInvalidArgument, "BiasSoftmax: bias {} does not repeat over {}", dimsToText(bias.dims()),
                  dimsToText(x.dims()));
    }
    SoftmaxParameters p{.x = x.data(),
                        .bias = bias.data(),
                        .y = y->mutableData(),
                        .rows = split.outer,
                        .length = split.length,
                        .biasRepeat = m_inner ? split.outer / biasRows : 1,
                        .biasRows = biasRows};
    choosePath(p, bitsOf(x.type()) / 8);
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  int64_t m_axis;
  bool m_inner;
  std::string m_functor;
  DeviceKernel m_kernel;
};

template <typename Made>
Result<std::unique_ptr<GpuKernel>> makeOf(const KernelInfo& info) {
  return std::make_unique<Made>(info);
}

Result<std::unique_ptr<GpuKernel>> makeBiasSoftmax(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "BiasSoftmax has no bias");
  return std::make_unique<BiasSoftmaxKernel>(info);
}

}  // namespace

KernelRows kernel_softmax() {
  static constexpr KernelRow rows[] = {
      {.opType = "Softmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<SoftmaxKernel>>},
      {.opType = "LogSoftmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<SoftmaxKernel>>},
      {.opType = "Hardmax",
       .versions = {1},
       .types = kRules,
       .inplace = kOverInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeOf<HardmaxKernel>>},
      {.opType = "BiasSoftmax",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kBothRules,
       .inplace = kOverEither,
       .fastPath = "cuda",
       .create = gpuKernel<makeBiasSoftmax>},
  };
  return rows;
}

}  // namespace cutaway::cuda
