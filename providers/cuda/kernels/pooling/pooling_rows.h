#pragma once
// What the units of this folder share: types of rows, and an image tensor's parts in either layout.
//
// Thread rule: plain values. Example: const ImageView image = viewImage(x.dims(), channelsLast);

#include "engine/provider/execution_provider.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/convolution/window.h"

namespace cutaway::cuda {

inline constexpr ElementType kPooledFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                                ElementType::kDouble};
inline constexpr TypeRule kPooledRules[] = {{0, kPooledFloats}};

struct ImageView {
  int64_t batch = 0, channels = 0;
  std::span<const int64_t> spatial;
};
// dims: rank 2 or more.
inline ImageView viewImage(std::span<const int64_t> dims, bool channelsLast) {
  return channelsLast ? ImageView{dims.front(), dims.back(), dims.subspan(1, dims.size() - 2)}
                      : ImageView{dims[0], dims[1], dims.subspan(2)};
}
inline bool isChannelsLast(const KernelInfo& info) {
  return info.node().domain == kChannelsLastDomain;
}

}  // namespace cutaway::cuda
