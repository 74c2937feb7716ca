#pragma once
// Convolutions of 8-bit tensors with zero points, in exact 32-bit sums.
//
// The fast form pads with the input's zero point while it moves the input to channels last, so that all windows are
// whole; then, as in byte_product.h, the zero points need sums of the weights, and sums of the windows only where
// weights have a zero point that is left after the move to signed bytes. Thread rule: ConstantWeights is immutable;
// ByteConvolutionState belongs to one frame. Example:
//   CUTAWAY_TRY(const WindowSums sums, convolveBytes(context, weights, geometry, operands));   // nullptr in sums.sums:
//   use accumulateReference

#include <vector>

#include "engine/math/integer_convolution.h"
#include "providers/cpu/kernels/prepared_calls.h"
#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {

struct ByteGeometry {
  Window window;
  int64_t batch = 0, channels = 0, maps = 0, groups = 1;
  bool inputLast = false, outputLast = false;  // channels lie last in memory

  int64_t groupChannels() const { return channels / groups; }
  int64_t inputCells() const { return window.inputCells(); }
  int64_t outputCells() const { return window.outputCells(); }
  // The window over the input as it is, with the padding before it; padsEnd is left 0.
  math::IntegerConvolutionShape shape() const;
  // Element of the output for a map and a cell.
  int64_t outputPlace(int64_t entry, int64_t map, int64_t cell) const {
    return outputLast ? (entry * outputCells() + cell) * maps + map : (entry * maps + map) * outputCells() + cell;
  }
};

struct ByteConvolutionOperands {
  const Tensor& x;
  const Tensor& w;
  const Tensor* xZero;  // one
  const Tensor* wZero;  // one, or one a map
};

// Weights that do not change, as signed bytes [maps, channels, kernel...] or in the order of
// math::RequantizedConvolution, and their sum for each map. Empty when they may change.
struct ConstantWeights {
  Tensor bytes;
  std::vector<int32_t> sums;
  std::shared_ptr<const math::IntegerConvolution>
      convolution;  // for the shape that was known when it was made; may be empty
  std::shared_ptr<const PackedOnUse<math::IntegerConvolution, math::PackedBytes, int8_t>> packed;
  Tensor requantized;  // empty where it does not serve; if not, nobody asks for `bytes`
  bool valid() const { return bytes.valid() || requantized.valid(); }
};
// Whether w may become such weights: a constant tensor of bytes.
bool mayPrepare(const Tensor* w);
Result<ConstantWeights> prepareWeights(const Tensor& w);
// Of each map's weights as signed bytes.
std::vector<int32_t> sumsOfMaps(const Tensor& w);

// What decides how a convolution is padded.
struct ByteZeros {
  ElementType xType = ElementType::kUint8;
  const Tensor* xZero = nullptr;
  ElementType wType = ElementType::kInt8;
  const Tensor* wZero = nullptr;
};
// Makes the convolution for a shape before the first run, which packs the weights.
Result<void> prepareShape(ConstantWeights& weights, const ByteGeometry& geometry, const ByteZeros& zeros);

class ByteConvolutionState final : public KernelState {
 public:
  using Calls = PreparedCalls<math::IntegerConvolution, math::IntegerConvolutionShape, math::PackedBytes>;
  using Entry = Calls::Entry;
  Result<Entry*> find(const ConstantWeights& weights, const math::IntegerConvolutionShape& shape);

 private:
  Calls m_calls;
};

// Sums of all windows, [batch, cells, maps], without what is the same for every cell: `added`, one a map.
struct WindowSums {
  int32_t* sums = nullptr;
  int32_t* added = nullptr;
};
// sums is nullptr when there is no fast way: the weights change, the rank is too high, the library refuses the shape.
Result<WindowSums> convolveBytes(KernelContext& context, const ConstantWeights& weights, const ByteGeometry& geometry,
                                 const ByteConvolutionOperands& operands);

// All sums of one map of one batch entry, by plain loops; nothing is left to add.
void accumulateReference(const ByteGeometry& geometry, const ByteConvolutionOperands& operands, int64_t entry,
                         int64_t map, int32_t* sums);

}  // namespace cutaway::cpu
