#pragma once
// A product of 8-bit matrices as kernels use it: signed bytes along the depth for the library, and what becomes of the
// sums as one functor; or all of it by one functor where the library has no way.
//
// Thread rule: ByteProduct is immutable once prepared; ByteProductState belongs to one frame.
// Example:
//   CUTAWAY_CHECK(m_product.prepare(resources, info.constantInput(1), false));
//   BytesParameters p = ...sides, result...;  CUTAWAY_CHECK(m_product.run(call, pairing, p));

#include <unordered_map>

#include "providers/cuda/functors/bytes_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/matmul/pairing.h"

namespace cutaway::cuda {

class ByteProduct {
 public:
  // b: the constant right factor, if it is one: its lines are kept as signed bytes with their sums. transposed: it is
  // stored [n, k].
  Result<void> prepare(const GpuResources& resources, const Tensor* b, bool transposed);
  // wanted: sides, result and addends; its geometry is filled here. The kernel's state must be a ByteProductState.
  Result<void> run(GpuCall& call, const Pairing& pairing, BytesParameters wanted) const;

 private:
  struct Lines {
    const void* bytes = nullptr;
    const int32_t* sums = nullptr;
  };
  Result<Lines> linesOf(GpuCall& call, const BytesSide& side, const BytesLines& shape, bool sumsWanted) const;
  Result<void> runLibrary(GpuCall& call, const Pairing& pairing, BytesParameters& p, const Operation& operation) const;

  DeviceKernel m_plain, m_finish, m_lines;
  std::shared_ptr<void> m_bytes, m_sums;  // of the constant right factor
};

// Library products by size; nullptr where the library has none.
class ByteProductState final : public KernelState {
 public:
  Result<const Operation*> find(const GpuResources& resources, const Pairing& pairing);

 private:
  std::unordered_map<std::string, std::unique_ptr<Operation>> m_made;
  std::string m_key;
};

bool isByte(ElementType type);
// Scale and zero point of a side, with their sizes checked: one, or one for each of these counts.
Result<void> placeScale(std::string_view op, const Tensor* scale, std::initializer_list<int64_t> counts,
                        const void*& data, ScaleType& type, int64_t& count);
Result<void> placeZero(std::string_view op, const Tensor* zero, ElementType type, std::initializer_list<int64_t> counts,
                       const void*& data, int64_t& count);

}  // namespace cutaway::cuda
