// TopK along one axis. Equal elements: the lower position first. What is not a number counts as larger than every
// number.

#include "providers/cuda/functors/rank_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt8,    ElementType::kUint8,
                                  ElementType::kInt16,  ElementType::kUint16,  ElementType::kInt32,
                                  ElementType::kUint32, ElementType::kInt64,   ElementType::kUint64};
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr int kCountInput[] = {1};
constexpr int64_t kSharedToSort = 32 * 1024, kSharedToGather = 64 * 1024;

int64_t powerOfTwo(int64_t count) {
  int64_t power = 2;
  while (power < count)
    power *= 2;
  return power;
}

// Returns the scratch that is needed.
size_t choosePath(RankParameters& p, int64_t rankBytes) {
  p.padded = powerOfTwo(p.length);
  if (p.padded * rankBytes <= kSharedToSort) {
    p.path = RankPath::kShared;
    p.threads = static_cast<int32_t>(std::clamp<int64_t>(p.padded / 2, 32, 512));
    return 0;
  }
  if (powerOfTwo(p.k) * rankBytes <= kSharedToGather) {
    p.path = RankPath::kSelect;
    p.padded = powerOfTwo(p.k);
    p.threads = 512;
    return 0;
  }
  p.path = RankPath::kScratch;
  return static_cast<size_t>(p.lines * p.padded * rankBytes);
}

class TopKKernel final : public GpuKernel {
 public:
  TopKKernel(const KernelInfo& info, bool countFromInput)
      : m_functor(fmt::format("rank.{}", functorType(info.inputElement(0)))),
        m_axis(info.attribute<int64_t>("axis", -1)),
        m_k(info.attribute<int64_t>("k", 0)),
        m_largest(info.attribute<int64_t>("largest", 1) != 0),
        m_countFromInput(countFromInput) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const int64_t rank = static_cast<int64_t>(x.rank());
    if (m_axis < -rank || m_axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "axis {} is out of range for rank {}", m_axis, rank);
    const size_t axis = static_cast<size_t>(m_axis < 0 ? m_axis + rank : m_axis);
    RankParameters p{.x = x.data(), .length = x.dims()[axis], .k = m_k, .largest = m_largest};
    if (m_countFromInput) {
      const Tensor& given = *call.input(1);
      if (given.type() != ElementType::kInt64 || given.elementCount() != 1)
        return fail(ErrorCode::kInvalidArgument, "K is one int64");
      p.k = given.span<int64_t>()[0];
    }
    if (p.k < 0 || p.k > p.length)
      return fail(ErrorCode::kInvalidArgument, "K is {}, the axis has {} elements", p.k, p.length);
    if (p.length > 0x7fffffff)
      return fail(ErrorCode::kNotImplemented, "TopK of {} elements: places are 31 bits wide", p.length);
    for (size_t i = axis + 1; i < x.rank(); ++i)
      p.inner *= x.dims()[i];
    Dims dims = x.dims();
    dims[axis] = p.k;
    CUTAWAY_TRY(Tensor * values, call.output(0, dims));
    CUTAWAY_TRY(Tensor * places, call.output(1, dims));
    if (values->elementCount() == 0) return {};
    p.values = values->mutableData();
    p.places = static_cast<int64_t*>(places->mutableData());
    p.lines = x.elementCount() / p.length;
    if (const size_t bytes = choosePath(p, bitsOf(x.type()) == 64 ? 16 : 8); bytes > 0) {
      CUTAWAY_TRY(p.ranks, call.scratch(bytes));
    }
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  std::string m_functor;
  int64_t m_axis;
  int64_t m_k;
  bool m_largest;
  bool m_countFromInput;
  DeviceKernel m_kernel;
};

template <bool countFromInput>
Result<std::unique_ptr<GpuKernel>> makeTopK(const KernelInfo& info) {
  if (!info.hasOutput(0) || !info.hasOutput(1))
    return fail(ErrorCode::kNotImplemented, "TopK: both outputs are needed");
  return std::make_unique<TopKKernel>(info, countFromInput);
}

}  // namespace

KernelRows kernel_top_k() {
  static constexpr KernelRow rows[] = {
      {.opType = "TopK", .versions = {1, 9}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeTopK<false>>},
      {.opType = "TopK",
       .versions = {10},
       .types = kRules,
       .hostInputs = kCountInput,
       .fastPath = "cuda",
       .create = gpuKernel<makeTopK<true>>},
  };
  return rows;
}

}  // namespace cutaway::cuda
