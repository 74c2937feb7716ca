#include "providers/cpu/kernels/quantize/requantized_product.h"

namespace cutaway::cpu {
namespace {

// [columns, depth, 1], as a convolution has them.
Result<Tensor> asWeights(const Tensor& b, bool transposed) {
  const Dims& dims = b.dims();
  if (transposed) return Tensor::wrapConst(b.type(), Dims{dims[0], dims[1], 1}, b.data());
  CUTAWAY_TRY(Tensor turned, Tensor::create(b.type(), {dims[1], dims[0], 1}));
  cpu::integerLoops().transpose(static_cast<const uint8_t*>(b.data()), dims[0], dims[1], dims[1], 0,
                                static_cast<uint8_t*>(turned.mutableData()), dims[0]);
  return turned;
}

}  // namespace

Result<RequantizedProduct> RequantizedProduct::create(const RequantizedFactors& f) {
  RequantizedProduct product;
  if (f.b == nullptr || !isByteInteger(f.b->type()) || f.b->rank() != 2 || f.b->elementCount() == 0 ||
      !isByteInteger(f.aType))
    return product;
  const int64_t columns = f.b->dims()[f.transposed ? 0 : 1], depth = f.b->dims()[f.transposed ? 1 : 0];
  if (!checkZeroPoint(f.aZero, 1, 0) || !checkZeroPoint(f.bZero, columns, 0) ||
      (f.bZero != nullptr && f.bZero->type() != f.b->type()))
    return product;
  CUTAWAY_TRY(const Tensor b, asWeights(*f.b, f.transposed));
  CUTAWAY_TRY(product.m_weights, packRequantized(b, 1, {}, {f.aType, f.aZero, b.type(), f.bZero}));
  if (!product.m_weights.valid()) return product;
  math::IntegerConvolutionShape shape;
  shape.inChannels = depth;
  shape.outChannels = columns;
  product.m_placed =
      placedTerms(math::RequantizedConvolution(shape), product.m_weights, f.aType, zeroPointAt(f.aZero, 0), f.epilogue);
  if (f.aZero != nullptr) product.m_aZero = *f.aZero;
  product.m_depth = depth;
  return product;
}

Result<void> RequantizedProduct::run(KernelContext& context, const Tensor& a, int64_t rows, uint8_t* y) const {
  ByteGeometry g;
  g.batch = 1;
  g.channels = m_depth;
  g.maps = columns();
  g.inputLast = g.outputLast = true;
  g.window.rank = 1;
  g.window.input[0] = g.window.output[0] = rows;
  g.window.kernel[0] = g.window.strides[0] = g.window.dilations[0] = 1;
  return requantizeBytes(context, m_weights, g, {a, a, m_aZero.valid() ? &m_aZero : nullptr, nullptr}, m_placed, y);
}

}  // namespace cutaway::cpu
