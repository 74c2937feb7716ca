#pragma once
// QuantizeLinear and DequantizeLinear: which scale belongs to which element, and which type comes out.
//
// Sources: the ONNX operator specification; ONNX Runtime, docs/ContribOperators.md. Errors are INVALID_ARGUMENT.

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct QuantizeLinearSettings {
  int64_t axis = 1;
  int64_t blockSize = 0;                             // elements of the axis that share a scale; 0: see ScaleBlocks
  ElementType outputType = ElementType::kUndefined;  // kUndefined: the zero point (or the scale) tells
  ElementType precision = ElementType::kUndefined;   // of the quotient; kUndefined: the scale's
  bool saturate = true;                              // of 8-bit floats
};
QuantizeLinearSettings readQuantizeLinear(const Node& node);

// The type of QuantizeLinear's result. zeroPoint: kUndefined where absent.
Result<ElementType> quantizedType(const QuantizeLinearSettings& settings, ElementType zeroPoint);
// The zero point of DequantizeLinear is of x's type.
Result<void> checkDequantizedZeroPoint(ElementType x, ElementType zeroPoint);
// As many zero points as scales.
Result<void> checkZeroPointCount(const Tensor& zeroPoint, const Tensor& scale);

// Smallest and largest value of an integer type of 2 to 16 bits; both 0 for any other type.
struct QuantizedRange {
  int64_t low = 0, high = 0;
};
QuantizedRange quantizedRange(ElementType type);

// One scale for the tensor, one for each place of an axis, or one for each block along an axis.
struct ScaleBlocks {
  int64_t outer = 1, length = 1, inner = 1;  // the tensor as [outer, length, inner], `length` the axis
  int64_t block = 0;                         // elements of the axis that share a scale; 0: one scale for all
  bool blocked = false;                      // scales differ along outer and inner too

  int64_t blocks() const { return length == 0 || block == 0 ? 0 : (length - 1) / block + 1; }  // along the axis
};
// INVALID_ARGUMENT when the scale's shape does not fit.
Result<ScaleBlocks> scaleBlocks(std::span<const int64_t> dims, std::span<const int64_t> scaleDims, int64_t axis,
                                int64_t blockSize);

}  // namespace cutaway::operators
