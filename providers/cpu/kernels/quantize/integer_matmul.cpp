// MatMulInteger and QLinearMatMul: products of 8-bit matrices in 32-bit sums.
//
// A reference: the right matrix is widened once a batch, then rows are accumulated. Zero points and scales may belong to rows of A and columns of B.

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/kernels/quantize/quantized_run.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

// Matrix product shapes with NumPy's rules: leading axes broadcast, vectors get an axis that the result loses again.
struct ProductShape {
  int64_t m = 1, k = 1, n = 1;
  Dims batch;           // broadcast leading axes
  Dims aSteps, bSteps;  // per batch axis: matrices to move on, 0 where broadcast
  Dims output;
};

// Leading axes of an operand, right-aligned to `rank`, and the steps of its matrices along them.
Result<void> alignBatch(std::span<const int64_t> leading, Dims& batch, Dims& steps) {
  const size_t added = batch.size() - leading.size();
  int64_t stride = 1;
  for (size_t i = leading.size(); i-- > 0;) {
    int64_t& wanted = batch[added + i];
    if (leading[i] != 1 && wanted != 1 && leading[i] != wanted) return fail(ErrorCode::kInvalidArgument, "batch axes {} cannot be broadcast", dimsToText(leading));
    if (leading[i] != 1) {
      wanted = leading[i];
      steps[added + i] = stride;
    }
    stride *= leading[i];
  }
  return {};
}

Result<ProductShape> productShape(const Tensor& a, const Tensor& b) {
  const size_t aRank = a.rank();
  const size_t bRank = b.rank();
  if (aRank == 0 || bRank == 0) return fail(ErrorCode::kInvalidArgument, "a scalar cannot be multiplied as a matrix");
  ProductShape s;
  s.k = a.dims()[aRank - 1];
  s.m = aRank > 1 ? a.dims()[aRank - 2] : 1;
  s.n = bRank > 1 ? b.dims()[bRank - 1] : 1;
  if (b.dims()[bRank > 1 ? bRank - 2 : 0] != s.k) return fail(ErrorCode::kInvalidArgument, "{} and {} cannot be multiplied", dimsToText(a.dims()), dimsToText(b.dims()));
  const std::span<const int64_t> aLeading(a.dims().data(), aRank > 2 ? aRank - 2 : 0);
  const std::span<const int64_t> bLeading(b.dims().data(), bRank > 2 ? bRank - 2 : 0);
  const size_t rank = std::max(aLeading.size(), bLeading.size());
  s.batch = filledList(rank, 1);
  s.aSteps = filledList(rank, 0);
  s.bSteps = filledList(rank, 0);
  CUTAWAY_CHECK(alignBatch(aLeading, s.batch, s.aSteps));
  CUTAWAY_CHECK(alignBatch(bLeading, s.batch, s.bSteps));
  s.output = filledList(rank + (aRank > 1) + (bRank > 1), 0);
  for (size_t i = 0; i < rank; ++i) s.output[i] = s.batch[i];
  if (aRank > 1) s.output[rank] = s.m;
  if (bRank > 1) s.output[s.output.size() - 1] = s.n;
  return s;
}

int64_t matrixOf(int64_t index, const Dims& batch, const Dims& steps) {
  int64_t matrix = 0;
  for (size_t i = batch.size(); i-- > 0;) {
    matrix += index % batch[i] * steps[i];
    index /= batch[i];
  }
  return matrix;
}

struct ProductOperands {
  const Tensor& a;
  const Tensor& b;
  const Tensor* aZero;
  const Tensor* bZero;
};

// Runs finish(batch, row, sums) for every row of the result.
template <typename Finish>
Result<void> multiply(KernelContext& context, const ProductOperands& operands, const ProductShape& s, Finish&& finish) {
  if (elementCount(s.output) == 0) return {};
  const ElementType aType = operands.a.type();
  const ElementType bType = operands.b.type();
  const int threads = currentThreads();
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(s.k * s.n) * sizeof(int32_t)));
  CUTAWAY_TRY(const std::span<std::byte> rowMemory, context.scratch(static_cast<size_t>(s.m * s.n) * sizeof(int32_t)));
  int32_t* right = reinterpret_cast<int32_t*>(memory.data());
  int32_t* sums = reinterpret_cast<int32_t*>(rowMemory.data());
  const int64_t batches = elementCount(s.batch);
  for (int64_t batch = 0; batch < batches; ++batch) {
    if (context.cancelled()) return fail(cancelledError());
    const int64_t bMatrix = matrixOf(batch, s.batch, s.bSteps);
    const int64_t aMatrix = matrixOf(batch, s.batch, s.aSteps);
    for (int64_t i = 0; i < s.k * s.n; ++i) right[i] = byteAt(bType, operands.b.data(), bMatrix * s.k * s.n + i) - zeroPointAt(operands.bZero, i % s.n);
    const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 15) / std::max<int64_t>(1, s.k * s.n * threads));
    parallelFor(s.m, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        int32_t* to = sums + row * s.n;
        std::fill_n(to, s.n, 0);
        const int32_t zero = zeroPointAt(operands.aZero, row);
        for (int64_t k = 0; k < s.k; ++k) {
          const int32_t left = byteAt(aType, operands.a.data(), (aMatrix * s.m + row) * s.k + k) - zero;
          const int32_t* from = right + k * s.n;
          for (int64_t column = 0; column < s.n; ++column) to[column] += left * from[column];
        }
        finish(batch, row, to);
      }
    });
  }
  return {};
}

Result<void> checkOperands(const Tensor& a, const Tensor& b) {
  for (const Tensor* tensor : {&a, &b}) {
    if (!isByteInteger(tensor->type())) return fail(ErrorCode::kNotImplemented, "integer products of {} are not covered", elementTypeName(tensor->type()));
  }
  return {};
}

class MatMulIntegerKernel final : public Kernel {
 public:
  explicit MatMulIntegerKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* b, requireTensor(context, 1));
    CUTAWAY_CHECK(checkOperands(*a, *b));
    const ProductOperands operands{*a, *b, optionalTensor(context, 2), optionalTensor(context, 3)};
    CUTAWAY_TRY(const ProductShape s, productShape(*a, *b));
    CUTAWAY_CHECK(checkZeroPoint(operands.aZero, s.m, 2));
    CUTAWAY_CHECK(checkZeroPoint(operands.bZero, s.n, 3));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt32, s.output));
    int32_t* to = output->span<int32_t>().data();
    return multiply(context, operands, s, [&](int64_t batch, int64_t row, const int32_t* sums) { std::copy_n(sums, s.n, to + (batch * s.m + row) * s.n); });
  }
};

class QLinearMatMulKernel final : public Kernel {
 public:
  explicit QLinearMatMulKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor* in[8];
    for (size_t i = 0; i < std::size(in); ++i) {
      CUTAWAY_TRY(in[i], requireTensor(context, i));
    }
    CUTAWAY_CHECK(checkOperands(*in[0], *in[3]));
    CUTAWAY_TRY(const ProductShape s, productShape(*in[0], *in[3]));
    CUTAWAY_CHECK(checkScale(*in[1], s.m, 1));
    CUTAWAY_CHECK(checkZeroPoint(in[2], s.m, 2));
    CUTAWAY_CHECK(checkScale(*in[4], s.n, 4));
    CUTAWAY_CHECK(checkZeroPoint(in[5], s.n, 5));
    CUTAWAY_CHECK(checkScale(*in[6], s.m, 6));
    CUTAWAY_CHECK(checkZeroPoint(in[7], s.m, 7));
    const ElementType type = in[7]->type();
    const QuantRange range = quantRange(type);
    CUTAWAY_TRY(Tensor * output, context.output(0, type, s.output));
    return multiply(context, {*in[0], *in[3], in[2], in[5]}, s, [&](int64_t batch, int64_t row, const int32_t* sums) {
      const float rowScale = scaleAt(*in[1], row) / scaleAt(*in[6], row);
      const float zeroPoint = static_cast<float>(zeroPointAt(in[7], row));
      for (int64_t column = 0; column < s.n; ++column) {
        const float value = requantize(static_cast<float>(sums[column]) * (rowScale * scaleAt(*in[4], column)), zeroPoint, range);
        storeRun(type, &value, output->mutableData(), (batch * s.m + row) * s.n + column, 1, true);
      }
    });
  }
};

constexpr KernelRow kRows[] = {
    {.opType = "MatMulInteger", .versions = {10}, .create = makeKernel<MatMulIntegerKernel>},
    {.opType = "QLinearMatMul", .versions = {10}, .create = makeKernel<QLinearMatMulKernel>},
};

}  // namespace

KernelRows kernel_integer_matmul() { return kRows; }

}  // namespace cutaway
