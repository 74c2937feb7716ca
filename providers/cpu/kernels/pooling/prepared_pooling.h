#pragma once
// Poolings of the library, kept in the frame by shape; and the output dims of a pooling.
//
// Thread rule: PoolingState belongs to one frame.
// Example: CUTAWAY_TRY(math::Pooling::Call * call, state.find(poolingShape(kind, dims, window, layout)));

#include <optional>
#include <vector>

#include "engine/math/pooling.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

class PoolingState final : public KernelState {
 public:
  // nullptr: the library refuses this shape.
  Result<math::Pooling::Call*> find(const math::PoolingShape& shape);

 private:
  struct Entry {
    math::PoolingShape shape;
    int threads = 0;
    std::optional<math::Pooling::Call> call;
  };
  static constexpr size_t kEntries = 8;
  std::vector<Entry> m_entries;
  size_t m_oldest = 0;
};

math::PoolingShape poolingShape(math::PoolingKind kind, std::span<const int64_t> dims, const Window& window,
                                Layout layout);

// Runs the library's pooling; false when it refuses the shape.
Result<bool> runPooling(KernelContext& context, const math::PoolingShape& shape, const Tensor& x, Tensor& y);

// The window of a pooling over x [N, C, ...], and y's tensor for it.
Result<Window> placePool(const WindowAttributes& attributes, const Tensor& x);
struct PoolDims {
  std::array<int64_t, kMaxWindowRank + 2> dims{};
  size_t rank = 0;
  std::span<const int64_t> span() const { return {dims.data(), rank}; }
};
PoolDims pooledDims(const Tensor& x, const Window& window);

}  // namespace cutaway::cpu
