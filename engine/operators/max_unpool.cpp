#include "engine/operators/max_unpool.h"

#include "engine/base/checked_math.h"
#include "engine/operators/integer_list.h"

namespace cutaway::operators {
namespace {

Result<Dims> innerDims(const WindowAttributes& attributes, const Dims& x) {
  const size_t axes = attributes.kernel.size();
  if (x.size() != axes + 2)
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: kernel_shape with {} axes does not fit an input {}", axes,
                dimsToText(x));
  Dims dims = x;
  for (size_t axis = 0; axis < axes; ++axis) {
    const int64_t stride = attributes.strides.empty() ? 1 : attributes.strides[axis];
    const int64_t pads = attributes.pads.empty() ? 0 : attributes.pads[axis] + attributes.pads[axes + axis];
    CUTAWAY_TRY(const int64_t steps, checkedMultiply(x[axis + 2] - 1, stride));
    dims[axis + 2] = steps - pads + attributes.kernel[axis];
    if (dims[axis + 2] < 0)
      return fail(ErrorCode::kInvalidArgument, "MaxUnpool: axis {} would have {} cells", axis + 2, dims[axis + 2]);
  }
  return dims;
}

}  // namespace

Result<WindowAttributes> readMaxUnpoolAttributes(const Node& node) {
  CUTAWAY_TRY(WindowAttributes attributes, readWindowAttributes(node));
  const size_t axes = attributes.kernel.size();
  if (axes == 0) return fail(ErrorCode::kInvalidArgument, "MaxUnpool needs kernel_shape");
  if ((!attributes.strides.empty() && attributes.strides.size() != axes) ||
      (!attributes.pads.empty() && attributes.pads.size() != 2 * axes)) {
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: strides or pads do not fit {} axes", axes);
  }
  return attributes;
}

Result<UnpooledDims> unpooledDims(const WindowAttributes& attributes, const Tensor& x, const Tensor& indices,
                                  const Tensor* outputShape) {
  if (x.dims() != indices.dims())
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: input {} and indices {} differ in shape", dimsToText(x.dims()),
                dimsToText(indices.dims()));
  if (indices.type() != ElementType::kInt64)
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: indices are {}, not int64", elementTypeName(indices.type()));
  UnpooledDims dims;
  CUTAWAY_TRY(dims.inner, innerDims(attributes, x.dims()));
  if (outputShape == nullptr) {
    dims.outer = dims.inner;
    return dims;
  }
  CUTAWAY_TRY(dims.outer, readIntegers(*outputShape));
  bool fits = dims.outer.size() == dims.inner.size();
  for (size_t axis = 0; fits && axis < dims.inner.size(); ++axis)
    fits = dims.outer[axis] >= dims.inner[axis];
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "MaxUnpool: output_shape {} does not hold {}", dimsToText(dims.outer),
                dimsToText(dims.inner));
  return dims;
}

}  // namespace cutaway::operators
