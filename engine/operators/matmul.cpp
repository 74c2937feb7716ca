#include "engine/operators/matmul.h"

#include <algorithm>

#include "engine/tensor/shape.h"

namespace cutaway::operators {
namespace {

// One operand seen as [batch..., stored rows, stored columns].
struct Operand {
  std::array<int64_t, kMaxMatMulRank> batch{}, batchStride{};
  size_t batchRank = 0;
  int64_t storedRows = 1, storedColumns = 1, rowStride = 1;
};

Operand view(std::span<const int64_t> dims, bool rowVector, bool batchTransposed) {
  std::array<int64_t, kMaxMatMulRank> extended{};
  size_t rank = dims.size();
  std::copy(dims.begin(), dims.end(), extended.begin());
  if (rank == 1) {
    extended =
        rowVector ? std::array<int64_t, kMaxMatMulRank>{1, dims[0]} : std::array<int64_t, kMaxMatMulRank>{dims[0], 1};
    rank = 2;
  }
  std::array<int64_t, kMaxMatMulRank> strides{};
  int64_t stride = 1;
  for (size_t axis = rank; axis-- > 0;) {
    strides[axis] = stride;
    stride *= std::max<int64_t>(extended[axis], 1);
  }
  // The batch form stores [rows, batch..., columns].
  Operand operand;
  const size_t rowAxis = batchTransposed && rank > 2 ? 0 : rank - 2;
  const size_t firstBatch = batchTransposed && rank > 2 ? 1 : 0;
  operand.batchRank = rank - 2;
  for (size_t axis = 0; axis < operand.batchRank; ++axis) {
    operand.batch[axis] = extended[axis + firstBatch];
    operand.batchStride[axis] = strides[axis + firstBatch];
  }
  operand.storedRows = extended[rowAxis];
  operand.storedColumns = extended[rank - 1];
  operand.rowStride = strides[rowAxis];
  return operand;
}

}  // namespace

int64_t MatMulShape::batchCount() const {
  int64_t count = 1;
  for (size_t axis = 0; axis < batchRank; ++axis)
    count *= batch[axis];
  return count;
}

void MatMulShape::offsets(int64_t index, int64_t& a, int64_t& b) const {
  a = b = 0;
  for (size_t axis = batchRank; axis-- > 0;) {
    const int64_t position = index % batch[axis];
    index /= batch[axis];
    a += position * strideA[axis];
    b += position * strideB[axis];
  }
}

Result<MatMulShape> matMulShape(std::span<const int64_t> a, std::span<const int64_t> b, MatMulTransposes transposes) {
  if (a.empty() || b.empty() || a.size() > kMaxMatMulRank || b.size() > kMaxMatMulRank) {
    return fail(ErrorCode::kInvalidArgument, "MatMul needs operands of rank 1 to {}, not {} and {}", kMaxMatMulRank,
                dimsToText(a), dimsToText(b));
  }
  const Operand left = view(a, true, transposes.batchA), right = view(b, false, transposes.batchB);
  const bool swapA = transposes.a && a.size() > 1, swapB = transposes.b && b.size() > 1;
  MatMulShape shape;
  shape.rows = swapA ? left.storedColumns : left.storedRows;
  shape.depth = swapA ? left.storedRows : left.storedColumns;
  shape.columns = swapB ? right.storedRows : right.storedColumns;
  shape.transposeA = swapA;
  shape.transposeB = swapB;
  shape.rowStrideA = left.rowStride;
  shape.rowStrideB = right.rowStride;
  const int64_t depthB = swapB ? right.storedColumns : right.storedRows;
  if (depthB != shape.depth)
    return fail(ErrorCode::kInvalidArgument, "MatMul: {} and {} do not fit together", dimsToText(a), dimsToText(b));
  shape.batchRank = std::max(left.batchRank, right.batchRank);
  for (size_t axis = 0; axis < shape.batchRank; ++axis) {
    const bool inA = axis + left.batchRank >= shape.batchRank, inB = axis + right.batchRank >= shape.batchRank;
    const size_t axisA = axis + left.batchRank - shape.batchRank, axisB = axis + right.batchRank - shape.batchRank;
    const int64_t sizeA = inA ? left.batch[axisA] : 1, sizeB = inB ? right.batch[axisB] : 1;
    if (sizeA != sizeB && sizeA != 1 && sizeB != 1)
      return fail(ErrorCode::kInvalidArgument, "MatMul: {} and {} do not broadcast", dimsToText(a), dimsToText(b));
    shape.batch[axis] = sizeA == 1 ? sizeB : sizeA;
    shape.strideA[axis] = sizeA == 1 ? 0 : left.batchStride[axisA];
    shape.strideB[axis] = sizeB == 1 ? 0 : right.batchStride[axisB];
    shape.outputDims[shape.outputRank++] = shape.batch[axis];
  }
  if (a.size() > 1) shape.outputDims[shape.outputRank++] = shape.rows;
  if (b.size() > 1) shape.outputDims[shape.outputRank++] = shape.columns;
  return shape;
}

MatMulTransposes readTransposes(const Node& node) {
  const auto flag = [&](std::string_view name) { return node.attributeOr<int64_t>(name, 0) != 0; };
  return {.a = flag("transA"), .b = flag("transB"), .batchA = flag("transBatchA"), .batchB = flag("transBatchB")};
}

GemmSettings readGemm(const Node& node) {
  return {.transposeA = node.attributeOr<int64_t>("transA", 0) != 0,
          .transposeB = node.attributeOr<int64_t>("transB", 0) != 0,
          .alpha = node.attributeOr<float>("alpha", 1.0f),
          .beta = node.attributeOr<float>("beta", 1.0f)};
}

Result<GemmShape> gemmShape(const GemmSettings& settings, std::span<const int64_t> a, std::span<const int64_t> b,
                            std::optional<std::span<const int64_t>> c) {
  if (a.size() != 2 || b.size() != 2)
    return fail(ErrorCode::kInvalidArgument, "Gemm needs two matrices, not {} and {}", dimsToText(a), dimsToText(b));
  GemmShape shape{.rows = settings.transposeA ? a[1] : a[0],
                  .columns = settings.transposeB ? b[0] : b[1],
                  .depth = settings.transposeA ? a[0] : a[1]};
  if ((settings.transposeB ? b[1] : b[0]) != shape.depth)
    return fail(ErrorCode::kInvalidArgument, "Gemm: {} and {} do not fit together", dimsToText(a), dimsToText(b));
  if (!c) return shape;
  const size_t rank = c->size();
  const int64_t columns = rank > 0 ? (*c)[rank - 1] : 1, rows = rank > 1 ? (*c)[rank - 2] : 1;
  const bool fits = rank <= 2 && (columns == shape.columns || columns == 1) && (rows == shape.rows || rows == 1);
  if (!fits)
    return fail(ErrorCode::kInvalidArgument, "Gemm: C is {}, which does not broadcast to [{},{}]", dimsToText(*c),
                shape.rows, shape.columns);
  shape.columnStrideC = columns == 1 ? 0 : 1;
  shape.rowStrideC = rows == 1 ? 0 : columns;
  return shape;
}

}  // namespace cutaway::operators
