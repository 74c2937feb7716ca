// NonZero: the coordinates of elements that are not zero, one column each, in row-major order. The host must know how
// many there are, so this waits for the device.

#include "providers/cuda/functors/scan_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

// Functors look at bits, but for the zero that floats have a sign of.
const char* testType(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kDouble:
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return functorType(type);
    default:
      break;
  }
  if (functorType(type) == nullptr) return nullptr;
  switch (bitsOf(type)) {
    case 8:
      return "uint8";
    case 16:
      return "uint16";
    case 32:
      return "uint32";
    default:
      return "uint64";
  }
}

class NonZeroKernel final : public GpuKernel {
 public:
  explicit NonZeroKernel(std::string type) : m_type(std::move(type)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_count, resources.find("nonzero.count." + m_type));
    CUTAWAY_TRY(m_write, resources.find("nonzero.write." + m_type));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const int64_t rank = static_cast<int64_t>(x.rank());
    if (x.rank() > kMaximumRank)
      return fail(ErrorCode::kNotImplemented, "NonZero of a tensor of {} axes, at most {} are supported", x.rank(),
                  kMaximumRank);
    NonZeroParameters p{.x = x.data(), .count = x.elementCount(), .rank = static_cast<int32_t>(rank)};
    if (p.count > 0) {
      std::copy(x.dims().begin(), x.dims().end(), p.dims);
      p.segments = (p.count + kNonZeroSegment - 1) / kNonZeroSegment;
      CUTAWAY_TRY(void* counts, call.scratch(static_cast<size_t>(p.segments + 1) * sizeof(int64_t)));
      p.counts = static_cast<int64_t*>(counts);
      CUTAWAY_CHECK(call.launch(m_count, p));
      CUTAWAY_CHECK(call.readNow(&p.found, p.counts + p.segments, sizeof p.found));
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, {rank, p.found}));
    if (p.found == 0 || rank == 0) return {};
    p.y = static_cast<int64_t*>(y->mutableData());
    return call.launch(m_write, p);
  }
  std::string_view variant() const override { return "nonzero"; }
  std::string_view notReplayable() const override { return "how many elements are not zero decides the output's size"; }

 private:
  std::string m_type;
  DeviceKernel m_count, m_write;
};

Result<std::unique_ptr<GpuKernel>> makeNonZero(const KernelInfo& info) {
  const char* type = testType(info.inputElement(0));
  if (type == nullptr) return fail(ErrorCode::kNotImplemented, "NonZero of {}", elementTypeName(info.inputElement(0)));
  return std::make_unique<NonZeroKernel>(type);
}

}  // namespace

KernelRows kernel_nonzero() {
  static constexpr KernelRow rows[] = {
      {.opType = "NonZero", .versions = {9}, .fastPath = "cuda", .create = gpuKernel<makeNonZero>}};
  return rows;
}

}  // namespace cutaway::cuda
