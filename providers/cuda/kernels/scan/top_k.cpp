// TopK along one axis. Equal elements: the lower position first. What is not a number counts as larger than every
// number.

#include "engine/operators/top_k.h"

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
  TopKKernel(const KernelInfo& info, const operators::TopKSettings& settings, bool countFromInput)
      : m_functor(fmt::format("rank.{}", functorType(info.inputElement(0)))),
        m_settings(settings),
        m_countFromInput(countFromInput) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const operators::TopKPlacement placed,
                m_settings.place(x.dims(), m_countFromInput ? call.input(1) : nullptr));
    RankParameters p{.x = x.data(), .length = x.dims()[placed.axis], .k = placed.k, .largest = m_settings.largest()};
    p.inner = placed.inner;
    if (p.length > 0x7fffffff)
      return fail(ErrorCode::kNotImplemented, "TopK of {} elements: places are 31 bits wide", p.length);
    const Dims& dims = placed.dims;
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
  operators::TopKSettings m_settings;
  bool m_countFromInput;
  DeviceKernel m_kernel;
};

template <bool countFromInput>
Result<std::unique_ptr<GpuKernel>> makeTopK(const KernelInfo& info) {
  CUTAWAY_TRY(const operators::TopKSettings settings, operators::TopKSettings::read(info.node()));
  return std::make_unique<TopKKernel>(info, settings, countFromInput);
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
