#pragma once
// OneHot: numbers of any kind as indexes, and the values that they switch on.
// Thread rule: as shared.h.

#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/word.h"

namespace cutaway::cuda {

// Any kind of number as an index; what no index can be becomes the smallest number.
enum class IndexKind : int32_t {
  kInt64,
  kInt32,
  kInt16,
  kInt8,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kFloat,
  kDouble,
  kHalf
};
CUTAWAY_SHARED int64_t wholeOf(double number) {
  return number > -9e18 && number < 9e18 ? static_cast<int64_t>(number)
                                         : static_cast<int64_t>(-9223372036854775807LL - 1);
}
CUTAWAY_SHARED int64_t loadIndex(IndexKind kind, const void* data, int64_t i) {
  switch (kind) {
    case IndexKind::kInt64:
      return static_cast<const int64_t*>(data)[i];
    case IndexKind::kInt32:
      return static_cast<const int32_t*>(data)[i];
    case IndexKind::kInt16:
      return static_cast<const int16_t*>(data)[i];
    case IndexKind::kInt8:
      return static_cast<const int8_t*>(data)[i];
    case IndexKind::kUint8:
      return static_cast<const uint8_t*>(data)[i];
    case IndexKind::kUint16:
      return static_cast<const uint16_t*>(data)[i];
    case IndexKind::kUint32:
      return static_cast<const uint32_t*>(data)[i];
    case IndexKind::kUint64: {
      const uint64_t n = static_cast<const uint64_t*>(data)[i];
      return n > 0x7fffffffffffffffULL ? 0x7fffffffffffffffLL : static_cast<int64_t>(n);
    }
    case IndexKind::kFloat:
      return wholeOf(static_cast<const float*>(data)[i]);
    case IndexKind::kDouble:
      return wholeOf(static_cast<const double*>(data)[i]);
    default:
      return wholeOf(load(static_cast<const Half*>(data)[i]));
  }
}

// to [outer, depth, inner]: values[1] where the index [outer, inner] is the place, values[0] elsewhere. Indexes out of
// range switch nothing on.
struct OneHotParameters {
  const void* indices = nullptr;
  const void* values = nullptr;
  void* to = nullptr;
  IndexKind kind = IndexKind::kInt64;
  int64_t count = 0, depth = 0, inner = 0;
};

template <typename Word>
struct OneHot {
  OneHotParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t line = i / p.inner, place = line % p.depth;
    const int64_t index = loadIndex(p.kind, p.indices, line / p.depth * p.inner + i % p.inner);
    const bool on = index == place || (index < 0 && index + p.depth == place);
    static_cast<Word*>(p.to)[i] = static_cast<const Word*>(p.values)[on ? 1 : 0];
  }
};

}  // namespace cutaway::cuda
