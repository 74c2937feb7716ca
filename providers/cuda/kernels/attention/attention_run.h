#pragma once
// What the attention kernels share: views of operands, caches that grow, planes that broadcast, and the attention
// itself (library, or functors).
//
// Thread rule: prepared on one thread, run on several, each frame with its own AttentionState.
// Example: AttentionParameters p{...};  view(p.strideQ, q, heads, size);  CUTAWAY_CHECK(m_run.attend(call, p));

#include <cmath>
#include <string>

#include "engine/operators/attention_layout.h"
#include "providers/cuda/functors/attention_functors.h"
#include "providers/cuda/functors/head_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

// The library's operation for the latest shapes of one frame.
class AttentionState : public KernelState {
 public:
  std::string key;
  std::shared_ptr<Operation> operation;  // nullptr under a key: the library does not serve it
};

// Rows of heads somewhere in device memory.
struct HeadRows {
  const void* data = nullptr;
  int64_t batchStep = 0, headStep = 0, rowStep = 0;  // elements
};
HeadRows rowsOf(const Tensor& tensor, const operators::HeadSteps& steps);
HeadRows headsInside(const Tensor& tensor, int64_t size);  // [batch, row, heads * size], dense
void setStrides(int64_t (&strides)[3], const HeadRows& rows);

struct CacheStep {
  const Tensor* past = nullptr;  // [batch, heads, held, size]
  size_t presentSlot = 0;
  int64_t batch = 0, heads = 0, size = 0, capacity = 0;
  int64_t kept = 0, fresh = 0, held = 0;
  const int32_t* lengths = nullptr;  // instead of kept: of each batch, less lengthAdd, with the fresh rows
  int64_t lengthAdd = 0;
};

class AttentionRun {
 public:
  Result<void> prepare(GpuResources& resources, ElementType type);

  // Past and fresh rows as attention reads them: in the present output when there is one, else in scratch, else the
  // fresh rows themselves.
  Result<HeadRows> grow(GpuCall& call, const CacheStep& step, const HeadRows& fresh) const;
  // The same for keys and values in one tensor [2, batch, heads, capacity, size] at `to`, after a past of the same form
  // (nullptr: none). rows: fresh keys and values; then all of them.
  Result<void> growBoth(GpuCall& call, const Tensor* past, void* to, const CacheStep& step, HeadRows (&rows)[2]) const;
  // Rows plus a bias of [heads * size], in scratch.
  Result<HeadRows> withBias(GpuCall& call, const HeadRows& rows, int64_t batch, int64_t heads, int64_t count,
                            int64_t size, const void* bias) const;
  Result<void> rotate(GpuCall& call, RotaryParameters p) const;
  // Sizes, strides and pointers are filled.
  Result<void> attend(GpuCall& call, AttentionParameters p) const;
  ElementType type() const { return m_type; }
  int64_t elementBytes() const { return m_bytes; }

 private:
  Result<void> fill(GpuCall& call, HeadCacheParameters p, int64_t batch) const;
  Operation* libraryFor(GpuCall& call, const AttentionParameters& p) const;

  ElementType m_type = ElementType::kFloat;
  int64_t m_bytes = 4;
  DeviceKernel m_rows, m_merge, m_bias, m_rotary, m_fill, m_fillWide;
};

operators::ScoreDims scoresOf(const AttentionParameters& p);
AttentionPlane planeOf(const operators::ScorePlane& plane, const Tensor& tensor);
// mask_index of the contrib operators; `filter` is added where a key does not count.
Result<AttentionPlane> paddingPlane(const AttentionParameters& p, const Tensor& mask, float filter,
                                    std::string_view name);

inline const Tensor* optionalInput(const GpuCall& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}
// As operators::defaultAttentionScale(), rounded in float as device code and libraries do it.
inline float usualScale(int64_t size) {
  return size > 0 ? 1.0f / std::sqrt(static_cast<float>(size)) : 1.0f;
}

inline constexpr ElementType kAttentionTypes[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};

}  // namespace cutaway::cuda
