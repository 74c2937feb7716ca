#include "engine/operators/quantize_linear.h"

#include "engine/operators/axes.h"
#include "engine/operators/dims.h"

namespace cutaway::operators {

QuantizeLinearSettings readQuantizeLinear(const Node& node) {
  return {.axis = node.attributeOr<int64_t>("axis", 1),
          .blockSize = node.attributeOr<int64_t>("block_size", 0),
          .outputType = static_cast<ElementType>(node.attributeOr<int64_t>("output_dtype", 0)),
          .precision = static_cast<ElementType>(node.attributeOr<int64_t>("precision", 0)),
          .saturate = node.attributeOr<int64_t>("saturate", 1) != 0};
}

QuantizedRange quantizedRange(ElementType type) {
  switch (type) {
    case ElementType::kUint8:
      return {0, 255};
    case ElementType::kInt8:
      return {-128, 127};
    case ElementType::kUint16:
      return {0, 65535};
    case ElementType::kInt16:
      return {-32768, 32767};
    case ElementType::kUint4:
      return {0, 15};
    case ElementType::kInt4:
      return {-8, 7};
    case ElementType::kUint2:
      return {0, 3};
    case ElementType::kInt2:
      return {-2, 1};
    default:
      return {0, 0};
  }
}

Result<ElementType> quantizedType(const QuantizeLinearSettings& settings, ElementType zeroPoint) {
  const ElementType named = settings.outputType;
  if (zeroPoint == ElementType::kUndefined) return named == ElementType::kUndefined ? ElementType::kUint8 : named;
  if (named != ElementType::kUndefined && named != zeroPoint)
    return fail(ErrorCode::kInvalidArgument, "QuantizeLinear: output_dtype is {}, the zero point is of type {}",
                elementTypeName(named), elementTypeName(zeroPoint));
  return zeroPoint;
}

Result<void> checkDequantizedZeroPoint(ElementType x, ElementType zeroPoint) {
  if (zeroPoint == x) return {};
  return fail(ErrorCode::kInvalidArgument, "x is of type {}, its zero point of {}", elementTypeName(x),
              elementTypeName(zeroPoint));
}

Result<void> checkZeroPointCount(const Tensor& zeroPoint, const Tensor& scale) {
  if (zeroPoint.elementCount() == scale.elementCount()) return {};
  return fail(ErrorCode::kInvalidArgument, "a zero point {} does not fit a scale {}", dimsToText(zeroPoint.dims()),
              dimsToText(scale.dims()));
}

Result<ScaleBlocks> scaleBlocks(std::span<const int64_t> dims, std::span<const int64_t> scaleDims, int64_t givenAxis,
                                int64_t blockSize) {
  ScaleBlocks layout;
  const bool perTensor = blockSize == 0 && (scaleDims.empty() || (scaleDims.size() == 1 && scaleDims[0] == 1));
  if (perTensor) {
    layout.length = productOf(dims, 0, dims.size());
    return layout;
  }
  CUTAWAY_TRY(const int64_t resolved, resolveAxis(givenAxis, dims.size()));
  const size_t axis = static_cast<size_t>(resolved);
  layout.outer = productOf(dims, 0, axis);
  layout.length = dims[axis];
  layout.inner = productOf(dims, axis + 1, dims.size());
  layout.block = blockSize == 0 ? 1 : blockSize;
  layout.blocked = blockSize != 0;
  bool fits = blockSize >= 0;
  if (fits && blockSize == 0) {
    fits = scaleDims.size() == 1 && scaleDims[0] == layout.length;
  } else if (fits) {
    fits = scaleDims.size() == dims.size();
    for (size_t i = 0; fits && i < dims.size(); ++i)
      fits = scaleDims[i] == (i == axis ? layout.blocks() : dims[i]);
  }
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "a scale {} does not fit {} along axis {} in blocks of {}",
                dimsToText(scaleDims), dimsToText(dims), axis, blockSize);
  return layout;
}

}  // namespace cutaway::operators
