#pragma once
// Products of byte matrices with a constant right factor and bytes as results: a convolution whose cells are the rows
// of the left one (math::RequantizedConvolution).
//
// Thread rule: immutable once made. Example:
//   CUTAWAY_TRY(auto product, RequantizedProduct::create({.b = b, ...}));
//   if (product.valid() && product.inputType() == a.type()) return product.run(context, a, rows, y);

#include "providers/cpu/kernels/quantize/requantized_bytes.h"

namespace cutaway::cpu {

// y = round((sum over k of (a - a zero) * (b - b zero) + bias) * scale) + y zero.
struct RequantizedFactors {
  const Tensor* b = nullptr;  // constant bytes of two axes
  bool transposed = false;    // stored [columns, depth]
  ElementType aType = ElementType::kUndefined;
  const Tensor* aZero = nullptr;  // one, or absent
  const Tensor* bZero = nullptr;  // one, one for each column, or absent
  ByteEpilogue epilogue;          // of each column
};

class RequantizedProduct {
 public:
  // Empty where this machine or the zero point of b does not allow it.
  static Result<RequantizedProduct> create(const RequantizedFactors& factors);

  bool valid() const { return m_placed.valid(); }
  ElementType inputType() const { return m_placed.inputType; }
  ElementType resultType() const { return m_placed.format.isSigned ? ElementType::kInt8 : ElementType::kUint8; }
  int64_t depth() const { return m_depth; }
  int64_t columns() const { return static_cast<int64_t>(m_weights.sums.size()); }
  // a: [rows, depth]; y: [rows, columns].
  Result<void> run(KernelContext& context, const Tensor& a, int64_t rows, uint8_t* y) const;

 private:
  ConstantWeights m_weights;
  PlacedTerms m_placed;
  Tensor m_aZero;  // one
  int64_t m_depth = 0;
};

}  // namespace cutaway::cpu
