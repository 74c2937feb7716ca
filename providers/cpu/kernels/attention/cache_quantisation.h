#pragma once
// Caches of keys and values that are stored in 8 or 4 bits with a scale for the whole tensor or for every head and
// channel.
//
// int8: round(value / scale) within [-128, 127]. 4 bits: round(value / scale) within [-8, 7], plus 8, the first of two
// channels in the low half of the byte. float8e4m3fn: value / scale. Thread rule: pure functions over the context of
// one run. Example: CUTAWAY_TRY(const CacheCoding coding, CacheCoding::create(info, "k_quant_type", pastType));

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/attention_call.h"

namespace cutaway::cpu::attention {

struct CacheScale {
  const float* values = nullptr;
  int64_t headStep = 0, channelStep = 0;
};

struct CacheCoding {
  enum Kind : uint8_t { kNone, kInt8, kNibbles, kFloat8 };
  Kind kind = kNone;
  bool perChannel = false;

  // From the node's attribute, kv_cache_bit_width and the type of the cache.
  static Result<CacheCoding> create(const KernelInfo& info, const char* attribute, ElementType cache);
  int64_t storedSize(int64_t size) const { return kind == kNibbles ? (size + 1) / 2 : size; }
  ElementType storedType() const {
    return kind == kInt8 ? ElementType::kInt8 : kind == kNibbles ? ElementType::kUint8 : ElementType::kFloat8E4M3FN;
  }
  Result<CacheScale> scaleOf(const Tensor* scale, int64_t heads, int64_t size) const;
  // The stored rows as values.
  Rows decoded(Rows rows, const CacheScale& scale) const {
    rows.scale = scale.values, rows.scaleHeadStep = scale.headStep, rows.scaleChannelStep = scale.channelStep;
    return rows;
  }
};

// The fresh rows of a step in stored form, in scratch: [batch, head, freshRows, stored size].
Result<Rows> encodeRows(KernelContext& context, const CacheCoding& coding, const CacheScale& scale, const Rows& fresh,
                        const CacheRows& rows, int64_t size);

}  // namespace cutaway::cpu::attention
