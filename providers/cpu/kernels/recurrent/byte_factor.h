#pragma once
// W or R of one direction in bytes, times rows of floats that are brought to bytes as they come: sums exact in 32 bits,
// then scaled back.
//
// A row a with scale s and zero point z times a column b with scale t and zero point y is s t (sum(a b) - z (sum(b) -
// depth y) - y sum(a)). Thread rule: a factor belongs to one run. Example: CUTAWAY_TRY(ByteFactor factor,
// makeByteFactor(source, state, context));  factor.setScale(chosen);  CUTAWAY_CHECK(factor.multiply(rows, bytes,
// sums));

#include "providers/cpu/kernels/quantize/byte_product.h"
#include "providers/cpu/kernels/quantize/dynamic_scale.h"

namespace cutaway::cpu {

// Where a factor comes from: one direction of the node's inputs.
struct ByteFactorSource {
  int64_t depth = 0, columns = 0;
  ElementType type = ElementType::kInt8;
  const void* bytes = nullptr;              // [depth, columns]
  const ConstantBytes* constant = nullptr;  // valid when bytes never change
  const float* scales = nullptr;
  bool scalePerColumn = false;
  const void* zeros = nullptr;  // nullptr: all zero
  bool zeroPerColumn = false;
};

class ByteFactor {
 public:
  // Books the library's memory for products of up to these counts of rows; 0 stands for none.
  static Result<ByteFactor> make(const ByteFactorSource& source, std::span<const int64_t> rowCounts,
                                 ByteProductState& state, KernelContext& context);

  // The scale and zero point of the rows that come next.
  void setScale(const cpu::DynamicScale& scale);
  // sums[rows, columns] of the raw bytes.
  Result<void> multiply(int64_t rows, const uint8_t* a, int32_t* sums) const;
  // One row of sums as floats, `units` columns at a time `padded` floats apart: out = value + start. Changes the sums.
  void finish(const uint8_t* a, int32_t* sums, int64_t units, int64_t padded, const float* start, float* out) const;

 private:
  ByteFactorSource m_source;
  ByteProductState* m_state = nullptr;
  const int8_t* m_signed = nullptr;  // the bytes, flipped when they are unsigned
  std::span<std::byte> m_libraryScratch;
  int32_t *m_columnTerms = nullptr, *m_zeros = nullptr, *m_added = nullptr;  // [columns] each
  float* m_scales = nullptr;                                                 // [columns], or one
  bool m_anyZero = false;
};

}  // namespace cutaway::cpu
