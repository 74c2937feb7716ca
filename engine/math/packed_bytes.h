#pragma once
// Private to engine/math: constant signed bytes in the order an implementation reads, in two parts where sums of pairs
// would saturate (integer_exact.h).
//
// Thread rule: immutable once made. Example: CUTAWAY_TRY(auto packed, packBytes(stored, wanted, weights, count));

#include <memory>

#include "engine/math/onednn.h"

namespace cutaway::math {

class PackedBytes {
 public:
  dnnl::memory::desc descriptor;
  onednn::OwnedMemory parts[2];  // the second only where !addsExactly()
};

// From the order the caller stores, `count` bytes in all, to the order wanted.
Result<std::shared_ptr<const PackedBytes>> packBytes(const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted,
                                                     const int8_t* weights, size_t count);

}  // namespace cutaway::math
