// Matrix products of the emulator: floats through engine/math, double and 8-bit integers by plain loops.
#include <spdlog/fmt/fmt.h>

#include "engine/math/matrix_product.h"
#include "providers/cuda/emulator/emulated_numbers.h"
#include "providers/cuda/emulator/emulated_work.h"

namespace cutaway::cuda {
namespace {

struct Operands {
  const void* a = nullptr;
  const void* b = nullptr;
  void* y = nullptr;
  const void* bias = nullptr;
  const void* residual = nullptr;
};

struct Rows {
  int64_t a = 0, b = 0, y = 0;
};

Rows rowsOf(const MatmulDescription& d) {
  return {d.rowStrideA != 0 ? d.rowStrideA
          : d.transposeA    ? d.m
                            : d.k,
          d.rowStrideB != 0 ? d.rowStrideB
          : d.transposeB    ? d.k
                            : d.n,
          d.rowStrideY != 0 ? d.rowStrideY : d.n};
}

bool isByte(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8;
}

int32_t byteAt(ElementType type, const void* from, int64_t at) {
  return type == ElementType::kInt8 ? static_cast<const int8_t*>(from)[at] : static_cast<const uint8_t*>(from)[at];
}

void multiplyBytes(const MatmulDescription& d, const Operands& o) {
  const Rows rows = rowsOf(d);
  std::vector<int32_t> sums(static_cast<size_t>(d.n));
  for (int64_t batch = 0; batch < d.batch; ++batch) {
    for (int64_t i = 0; i < d.m; ++i) {
      for (int64_t j = 0; j < d.n; ++j)
        sums[static_cast<size_t>(j)] = d.epilogue.bias ? static_cast<const int32_t*>(o.bias)[j] : 0;
      for (int64_t k = 0; k < d.k; ++k) {
        const int32_t left =
            byteAt(d.a, o.a, batch * d.batchStrideA + (d.transposeA ? k * rows.a + i : i * rows.a + k));
        for (int64_t j = 0; j < d.n; ++j)
          sums[static_cast<size_t>(j)] +=
              left * byteAt(d.b, o.b, batch * d.batchStrideB + (d.transposeB ? j * rows.b + k : k * rows.b + j));
      }
      auto* y = static_cast<int32_t*>(o.y) + batch * d.batchStrideY + i * rows.y;
      for (int64_t j = 0; j < d.n; ++j)
        y[j] = sums[static_cast<size_t>(j)];
    }
  }
}

void finish(const MatmulDescription& d, const Operands& o, int64_t at, int64_t column, double product) {
  double value = d.alpha * product;
  if (d.epilogue.bias) value += readNumber(d.bias, o.bias, column);
  if (d.epilogue.residual) value += readNumber(d.y, o.residual, at);
  writeNumber(d.y, afterwards(d.epilogue, value), o.y, at);
}

void multiplyDoubles(const MatmulDescription& d, const Operands& o) {
  const Rows rows = rowsOf(d);
  for (int64_t batch = 0; batch < d.batch; ++batch) {
    for (int64_t i = 0; i < d.m; ++i) {
      for (int64_t j = 0; j < d.n; ++j) {
        double sum = 0;
        for (int64_t k = 0; k < d.k; ++k) {
          sum += readNumber(d.a, o.a, batch * d.batchStrideA + (d.transposeA ? k * rows.a + i : i * rows.a + k)) *
                 readNumber(d.b, o.b, batch * d.batchStrideB + (d.transposeB ? j * rows.b + k : k * rows.b + j));
        }
        finish(d, o, batch * d.batchStrideY + i * rows.y + j, j, sum);
      }
    }
  }
}

// The stored rows of one matrix as floats; of floats, the matrix itself.
const float* asFloats(ElementType type, const void* from, int64_t elements, std::vector<float>& buffer) {
  if (type == ElementType::kFloat) return static_cast<const float*>(from);
  buffer.resize(static_cast<size_t>(elements));
  readFloats(type, from, elements, buffer.data());
  return buffer.data();
}

void multiplyFloats(const MatmulDescription& d, const Operands& o) {
  const Rows rows = rowsOf(d);
  const int64_t storedA = d.transposeA ? d.k : d.m, storedB = d.transposeB ? d.n : d.k;
  const int64_t elementsA = storedA == 0 ? 0 : (storedA - 1) * rows.a + (d.transposeA ? d.m : d.k),
                elementsB = storedB == 0 ? 0 : (storedB - 1) * rows.b + (d.transposeB ? d.k : d.n);
  std::vector<float> bufferA, bufferB, product(static_cast<size_t>(d.m * d.n));
  const math::MultiplyShape shape{.rows = d.m,
                                  .columns = d.n,
                                  .depth = d.k,
                                  .transposeA = d.transposeA,
                                  .transposeB = d.transposeB,
                                  .strideA = rows.a,
                                  .strideB = rows.b};
  const float* b = nullptr;
  for (int64_t batch = 0; batch < d.batch; ++batch) {
    const float* a = asFloats(d.a, advanced(d.a, o.a, batch * d.batchStrideA), elementsA, bufferA);
    if (b == nullptr || d.batchStrideB != 0)
      b = asFloats(d.b, advanced(d.b, o.b, batch * d.batchStrideB), elementsB, bufferB);
    if (!math::multiply(shape, a, b, product.data()))
      std::fill(product.begin(), product.end(), std::numeric_limits<float>::quiet_NaN());
    for (int64_t i = 0; i < d.m; ++i) {
      for (int64_t j = 0; j < d.n; ++j)
        finish(d, o, batch * d.batchStrideY + i * rows.y + j, j, product[static_cast<size_t>(i * d.n + j)]);
    }
  }
}

class EmulatedMatmul final : public Operation {
 public:
  EmulatedMatmul(WorkQueue& queue, const MatmulDescription& description) : m_queue(queue), m_description(description) {}
  size_t workspaceBytes() const override { return 0; }
  std::string_view variant() const override { return "host product"; }
  Status run(const OperationCall& call, Stream stream) const override {
    const size_t wanted = size_t{3} + m_description.epilogue.bias + m_description.epilogue.residual;
    if (call.pointers.size() != wanted)
      return {StatusCode::kOther,
              fmt::format("a product with {} operands instead of {}", call.pointers.size(), wanted)};
    Operands operands{call.pointers[0], call.pointers[1], call.pointers[2], nullptr, nullptr};
    if (m_description.epilogue.bias) operands.bias = call.pointers[3];
    if (m_description.epilogue.residual) operands.residual = call.pointers[wanted - 1];
    return m_queue.enqueue(stream, [d = m_description, operands] {
      if (isByte(d.a))
        multiplyBytes(d, operands);
      else if (d.a == ElementType::kDouble)
        multiplyDoubles(d, operands);
      else
        multiplyFloats(d, operands);
    });
  }

 private:
  WorkQueue& m_queue;
  MatmulDescription m_description;
};

}  // namespace

// The types that cublasLt multiplies.
Status makeEmulatedMatmul(WorkQueue& queue, const MatmulDescription& d, std::unique_ptr<Operation>& operation) {
  const bool bytes = d.a == ElementType::kInt8 && d.b == ElementType::kInt8 && d.y == ElementType::kInt32 &&
                     d.alpha == 1 && d.epilogue.activation == Activation::kNone && !d.epilogue.residual;
  const bool floats = isFloatOperand(d.a) && d.a == d.b && isFloatOperand(d.y);
  if (!bytes && !floats)
    return Status::unsupported(
        fmt::format("no product of {} and {} to {}", elementTypeName(d.a), elementTypeName(d.b), elementTypeName(d.y)));
  if (d.batch < 1 || d.m < 1 || d.n < 1 || d.k < 1) return Status::unsupported("a product with an empty side");
  operation = std::make_unique<EmulatedMatmul>(queue, d);
  return {};
}

}  // namespace cutaway::cuda
