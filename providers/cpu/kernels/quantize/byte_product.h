#pragma once
// Products of 8-bit matrices with zero points, in exact 32-bit sums, batched as numpy's matmul pairs them.
//
// Both factors are moved to what the library multiplies (unsigned times signed) by flipping top bits, which shifts the
// zero points too. The sums S of the raw bytes then become sum((a - za)(b - zb)) = S - za * (sum(b) - depth * zb) - zb
// * sum(a), all modulo 2^32; what does not depend on the row is handed on as a summand a column. Thread rule:
// ConstantBytes is immutable; ByteProductState belongs to one frame; a ByteProduct to one run. Example:
//   ByteProduct product(context, state, constant, operands, pairing);
//   CUTAWAY_CHECK(product.forRows(nullptr, [&](int64_t outputRow, const cpu::SumRow& row) { ... }));

#include <vector>

#include "engine/base/parallel.h"
#include "engine/math/integer_product.h"
#include "providers/cpu/kernels/prepared_calls.h"
#include "providers/cpu/kernels/quantize/integer_operand.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"

namespace cutaway::cpu {

// Matrix product shapes with numpy's rules: leading axes broadcast, vectors get an axis that the result loses again.
struct BytePairing {
  int64_t m = 1, k = 1, n = 1;
  Dims batch;           // broadcast leading axes
  Dims aSteps, bSteps;  // per batch axis: matrices to move on, 0 where broadcast
  Dims output;
  int64_t aMatrices = 1, bMatrices = 1;

  int64_t batches() const { return elementCount(batch); }
  int64_t aMatrix(int64_t index) const { return matrixOf(index, aSteps); }
  int64_t bMatrix(int64_t index) const { return matrixOf(index, bSteps); }
  // Which of `count` values (one, one a row, one a row of every matrix) belongs to a row of the result.
  int64_t rowPlace(int64_t count, int64_t outputRow) const {
    return count == 1 ? 0 : count == m ? outputRow % m : aMatrix(outputRow / m) * m + outputRow % m;
  }
  // First of the values (one, one a column, one a column of every matrix) for the columns of a batch entry.
  int64_t columnPlace(int64_t count, int64_t index) const { return count == 1 || count == n ? 0 : bMatrix(index) * n; }

 private:
  int64_t matrixOf(int64_t index, const Dims& steps) const;
};
Result<BytePairing> pairBytes(std::span<const int64_t> a, std::span<const int64_t> b);
// A value of A must be one, one a row, or one a row of every matrix of A; of B the same with columns.
bool fitsRows(const BytePairing& pairing, int64_t count);
bool fitsColumns(const BytePairing& pairing, int64_t count);

// A right factor that does not change: signed bytes [matrices, k, n] and the sum of each column. Empty when it may
// change.
struct ConstantBytes {
  Tensor bytes;
  std::vector<int32_t> sums;
  std::shared_ptr<const math::IntegerProduct> product;  // for the rows that were known when it was made; may be empty
  std::shared_ptr<const PackedOnUse<math::IntegerProduct, math::PackedBytes, int8_t>> packed;
  bool valid() const { return bytes.valid(); }
};
// b: nullptr or the constant. transposed: stored [..., n, k].
Result<ConstantBytes> prepareBytes(const Tensor* b, bool transposed = false);
struct FactorSlots {
  size_t a = 0, b = 1;
  bool transposeA = false, transposeB = false;  // stored [..., k, m], [..., n, k]
};
// The right factor of a node, packed where the shape of A is known; empty where it is not constant.
Result<ConstantBytes> prepareBytes(const KernelInfo& info, const FactorSlots& slots);

class ByteProductState final : public KernelState {
 public:
  using Calls = PreparedCalls<math::IntegerProduct, math::IntegerProductShape, math::PackedBytes>;
  using Entry = Calls::Entry;
  Result<Entry*> find(const ConstantBytes& constant, const math::IntegerProductShape& shape);

 private:
  Calls m_calls;
};

struct ByteOperands {
  ElementType aType = ElementType::kUint8;
  const void* a = nullptr;
  const Tensor* aZero = nullptr;
  ElementType bType = ElementType::kInt8;
  const void* b = nullptr;  // not read when the factor is constant
  const Tensor* bZero = nullptr;
};

class ByteProduct {
 public:
  ByteProduct(KernelContext& context, const ConstantBytes& constant, const ByteOperands& operands,
              const BytePairing& pairing);

  // Calls finish(outputRow, row) for every row of the result, from several threads. `direct`: where the sums may be
  // written (the whole result), or nullptr.
  template <typename Finish>
  Result<void> forRows(int32_t* direct, Finish&& finish) {
    CUTAWAY_CHECK(start(direct));
    for (int64_t step = 0; step < m_steps; ++step) {
      if (m_context.cancelled()) return fail(cancelledError());
      CUTAWAY_CHECK(multiply(step));
      const int64_t grain = std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, m_pairing.n));
      parallelFor(m_rows, grain, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
          finish(step * m_rows + row, correctedRow(step, row));
      });
    }
    return {};
  }

 private:
  static constexpr int64_t kGrainElements = 1 << 14;
  Result<void> start(int32_t* direct);
  Result<void> multiply(int64_t step);
  void prepareColumns(int64_t step, const int8_t* b);
  cpu::SumRow correctedRow(int64_t step, int64_t row) const;

  KernelContext& m_context;
  const ConstantBytes& m_constant;
  const ByteOperands& m_operands;
  const BytePairing& m_pairing;
  int64_t m_steps = 0,
          m_rows = 0;  // products to make and the rows of each; batches are folded into rows where B is one matrix
  ByteProductState::Entry* m_entry = nullptr;
  std::span<std::byte> m_libraryScratch;
  uint8_t* m_a = nullptr;  // flipped copy of one step's rows, when A is signed
  const uint8_t* m_left = nullptr;
  int8_t* m_b = nullptr;      // flipped copy of one matrix, when B is unsigned and not constant
  int32_t* m_sums = nullptr;  // of this step
  int32_t* m_direct = nullptr;
  int32_t* m_columnTerms = nullptr;
  int32_t* m_added = nullptr;
  int32_t* m_bZeros = nullptr;
  bool m_anyBZero = false;
};

// The same product by plain loops: c[i, j] = sum over d of a[i, d] * b[d, j], modulo 2^32.
void multiplyBytesReference(const uint8_t* a, const int8_t* b, int32_t* c, int64_t rows, int64_t columns,
                            int64_t depth);

}  // namespace cutaway::cpu
