// Quantised caches: their attributes and scales checked, rows coded.

#include "providers/cpu/kernels/attention/cache_quantisation.h"

#include <algorithm>
#include <cmath>

#include "engine/base/parallel.h"

namespace cutaway::cpu::attention {
namespace {

// -128 when not a number.
int64_t rounded(float value, float low, float high) {
  return static_cast<int64_t>(std::nearbyint(std::min(std::max(low, value), high)));
}

void encodeRow(const CacheCoding& coding, const float* values, const float* scale, int64_t scaleStep, int64_t size,
               uint8_t* to) {
  for (int64_t c = 0; c < size; ++c) {
    const float value = values[c] / scale[c * scaleStep];
    if (coding.kind == CacheCoding::kInt8) {
      to[c] = static_cast<uint8_t>(rounded(value, -128.0f, 127.0f));
    } else if (coding.kind == CacheCoding::kFloat8) {
      to[c] = floatToNarrow(ElementType::kFloat8E4M3FN, value, true);
    } else {
      const uint8_t nibble = static_cast<uint8_t>(rounded(value, -8.0f, 7.0f) + 8);
      to[c / 2] = static_cast<uint8_t>(c % 2 == 0 ? nibble : to[c / 2] | nibble << 4);
    }
  }
}

}  // namespace

Result<CacheCoding> CacheCoding::create(const KernelInfo& info, const char* attribute, ElementType cache) {
  const std::string how = info.attribute<std::string>(attribute, "NONE");
  const int64_t bits = info.attribute<int64_t>("kv_cache_bit_width", 0);
  const bool narrow =
      cache == ElementType::kInt8 || cache == ElementType::kUint8 || cache == ElementType::kFloat8E4M3FN;
  if (how == "NONE") {
    if (narrow)
      return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: a cache of {} needs {}", elementTypeName(cache),
                  attribute);
    return CacheCoding{};
  }
  if (how != "PER_TENSOR" && how != "PER_CHANNEL")
    return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: {} is '{}', none of NONE, PER_TENSOR, PER_CHANNEL",
                attribute, how);
  const bool perChannel = how == "PER_CHANNEL";
  if (cache == ElementType::kInt8 && (bits == 0 || bits == 8)) return CacheCoding{kInt8, perChannel};
  if (cache == ElementType::kUint8 && bits == 4) return CacheCoding{kNibbles, perChannel};
  if (cache == ElementType::kFloat8E4M3FN && (bits == 0 || bits == 8)) return CacheCoding{kFloat8, perChannel};
  return fail(ErrorCode::kInvalidArgument, "GroupQueryAttention: a cache of {} does not hold {} bits",
              elementTypeName(cache), bits);
}

Result<CacheScale> CacheCoding::scaleOf(const Tensor* scale, int64_t heads, int64_t size) const {
  const int64_t wanted = perChannel ? heads * size : 1;
  if (scale == nullptr || scale->type() != ElementType::kFloat || scale->elementCount() != wanted) {
    return fail(ErrorCode::kInvalidArgument,
                "GroupQueryAttention: the quantised cache needs {} scales of float, not {}", wanted,
                scale == nullptr ? "none" : dimsToText(scale->dims()));
  }
  return CacheScale{scale->span<float>().data(), perChannel ? size : 0, perChannel ? 1 : 0};
}

Result<Rows> encodeRows(KernelContext& context, const CacheCoding& coding, const CacheScale& scale, const Rows& fresh,
                        const CacheRows& rows, int64_t size) {
  const int64_t stored = coding.storedSize(size), units = rows.batch * rows.heads * rows.freshRows;
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(units * stored)));
  CUTAWAY_TRY(const std::span<std::byte> numbers, context.scratch(static_cast<size_t>(units * size) * sizeof(float)));
  uint8_t* to = reinterpret_cast<uint8_t*>(memory.data());
  float* values = reinterpret_cast<float*>(numbers.data());
  parallelFor(units, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, size)), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t plane = unit / rows.freshRows, head = plane % rows.heads;
      fetchRow(fresh, plane / rows.heads, head, unit % rows.freshRows, size, values + unit * size);
      encodeRow(coding, values + unit * size, scale.values + head * scale.headStep, scale.channelStep, size,
                to + unit * stored);
    }
  });
  return Rows{to, coding.storedType(), rows.heads * rows.freshRows * stored, rows.freshRows * stored, stored};
}

}  // namespace cutaway::cpu::attention
