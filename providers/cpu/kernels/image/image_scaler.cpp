// ImageScaler (opsets before 10): images [N, C, H, W] times one scale, plus a bias a channel.

#include <algorithm>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

template <typename T>
class ImageScaler final : public Kernel {
 public:
  ImageScaler(float scale, std::vector<float> bias)
      : m_scale(static_cast<T>(scale)), m_bias(bias.begin(), bias.end()) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    const Dims& dims = x->dims();
    if (dims.size() != 4)
      return fail(ErrorCode::kInvalidArgument, "ImageScaler works on [N, C, H, W], not {}", dimsToText(dims));
    if (static_cast<int64_t>(m_bias.size()) != dims[1])
      return fail(ErrorCode::kInvalidArgument, "ImageScaler has {} numbers in bias for {} channels", m_bias.size(),
                  dims[1]);
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const int64_t plane = dims[2] * dims[3];
    if (y->elementCount() == 0) return {};
    const T* from = x->span<T>().data();
    T* to = y->template span<T>().data();
    constexpr int64_t kGrainCells = 1 << 14;
    parallelFor(dims[0] * dims[1], std::max<int64_t>(1, kGrainCells / plane), [&](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; ++p) {
        const T bias = m_bias[static_cast<size_t>(p % dims[1])];
        for (int64_t i = p * plane; i < (p + 1) * plane; ++i)
          to[i] = m_scale * from[i] + bias;
      }
    });
    return {};
  }

 private:
  T m_scale;
  std::vector<T> m_bias;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createImageScaler(const KernelInfo& info) {
  return std::unique_ptr<Kernel>(std::make_unique<ImageScaler<T>>(info.attribute<float>("scale", 1.0f),
                                                                  info.attribute<std::vector<float>>("bias", {})));
}

constexpr InplaceHint kInPlace[] = {{0, 0, AliasKind::kMayInplace}};
constexpr KernelRow kRows[] = {
    {.opType = "ImageScaler",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInPlace,
     .fastPath = "threads",
     .create = createImageScaler<float>},
    {.opType = "ImageScaler",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInPlace,
     .fastPath = "threads",
     .create = createImageScaler<double>},
    {.opType = "ImageScaler",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInPlace,
     .fastPath = "threads",
     .create = createThroughFloat<createImageScaler<float>>},
};

}  // namespace

KernelRows kernel_image_scaler() {
  return kRows;
}

}  // namespace cutaway::cpu
