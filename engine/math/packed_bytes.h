#pragma once
// Private to engine/math: constant signed bytes in the order an implementation reads, in two parts where sums of pairs
// would saturate (integer_exact.h).
//
// Thread rule: immutable once made. Example: CUTAWAY_TRY(auto packed, packBytes(stored, wanted, weights, count));

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "engine/math/onednn.h"

namespace cutaway::math {

class RequantizedConvolution;

class PackedBytes {
 public:
  dnnl::memory::desc descriptor;
  onednn::OwnedMemory parts[2];  // the second only where !addsExactly()
};

// weights: as RequantizedConvolution packs them, in one part, of the descriptor that ownOrder() names.
dnnl::memory::desc ownOrder(const RequantizedConvolution& convolution);
Result<std::shared_ptr<const PackedBytes>> packOwn(const RequantizedConvolution& convolution, std::string_view shape,
                                                   std::span<const int8_t> weights,
                                                   const std::function<void(int8_t* packed)>& pack);

// From the order the caller stores, `count` bytes in all, to the order wanted.
Result<std::shared_ptr<const PackedBytes>> packBytes(const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted,
                                                     const int8_t* weights, size_t count);

}  // namespace cutaway::math
