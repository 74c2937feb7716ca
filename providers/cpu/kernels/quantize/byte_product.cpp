#include "providers/cpu/kernels/quantize/byte_product.h"

namespace cutaway::cpu {
namespace {

int32_t wrap(uint32_t value) {
  return static_cast<int32_t>(value);
}

template <typename T>
Result<T*> scratchOf(KernelContext& context, int64_t count) {
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(T)));
  return reinterpret_cast<T*>(memory.data());
}

// Signed bytes become unsigned by a flip of the top bit, which adds 128 to the zero point too; unsigned ones become
// signed and lose 128.
constexpr uint8_t kTopBit = 0x80;
constexpr int32_t kShift = 128;

int32_t shiftedAZero(const ByteOperands& operands, int64_t place) {
  const int32_t zero = operands.aZero == nullptr ? 0 : byteAt(operands.aZero->type(), operands.aZero->data(), place);
  return zero + (operands.aType == ElementType::kInt8 ? kShift : 0);
}

int32_t shiftedBZero(const ByteOperands& operands, int64_t place) {
  const int32_t zero = operands.bZero == nullptr ? 0 : byteAt(operands.bZero->type(), operands.bZero->data(), place);
  return zero - (operands.bType == ElementType::kUint8 ? kShift : 0);
}

}  // namespace

void multiplyBytesReference(const uint8_t* a, const int8_t* b, int32_t* c, int64_t rows, int64_t columns,
                            int64_t depth) {
  parallelFor(rows, 1, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      int32_t* to = c + row * columns;
      std::fill_n(to, columns, 0);
      for (int64_t d = 0; d < depth; ++d) {
        const int32_t left = a[row * depth + d];
        const int8_t* from = b + d * columns;
        for (int64_t j = 0; j < columns; ++j)
          to[j] = wrap(static_cast<uint32_t>(to[j]) + static_cast<uint32_t>(left * from[j]));
      }
    }
  });
}

Result<ByteProductState::Entry*> ByteProductState::find(const ConstantBytes& constant,
                                                        const math::IntegerProductShape& shape) {
  return m_calls.find(shape, constant.product, constant.packed, shape.packed ? &constant.bytes : nullptr);
}

ByteProduct::ByteProduct(KernelContext& context, const ConstantBytes& constant, const ByteOperands& operands,
                         const BytePairing& pairing)
    : m_context(context), m_constant(constant), m_operands(operands), m_pairing(pairing) {}

Result<void> ByteProduct::start(int32_t* direct) {
  const BytePairing& s = m_pairing;
  if (elementCount(s.output) == 0) return {};
  const bool fold = s.bMatrices == 1 && s.aMatrices == s.batches();
  m_steps = fold ? 1 : s.batches();
  m_rows = fold ? s.m * s.batches() : s.m;
  m_direct = direct;
  if (direct == nullptr) {
    CUTAWAY_TRY(m_sums, scratchOf<int32_t>(m_context, m_rows * s.n));
  }
  CUTAWAY_TRY(m_columnTerms, scratchOf<int32_t>(m_context, 3 * s.n));
  m_added = m_columnTerms + s.n;
  m_bZeros = m_added + s.n;
  if (m_operands.aType == ElementType::kInt8) {
    CUTAWAY_TRY(m_a, scratchOf<uint8_t>(m_context, m_rows * s.k));
  }
  if (!m_constant.valid() && m_operands.bType == ElementType::kUint8) {
    CUTAWAY_TRY(m_b, scratchOf<int8_t>(m_context, s.k * s.n));
  }
  if (s.k == 0) return {};
  auto& state = static_cast<ByteProductState&>(*m_context.state());
  const bool packed = m_constant.valid() && s.bMatrices == 1;
  CUTAWAY_TRY(m_entry, state.find(m_constant, {.rows = m_rows, .columns = s.n, .depth = s.k, .packed = packed}));
  if (!m_entry->call) return {};
  CUTAWAY_TRY(m_libraryScratch, m_context.scratch(m_entry->call->product().scratchBytes()));
  return {};
}

Result<void> ByteProduct::multiply(int64_t step) {
  const BytePairing& s = m_pairing;
  const cpu::IntegerLoops& loops = cpu::integerLoops();
  if (m_direct != nullptr) m_sums = m_direct + step * m_rows * s.n;
  if (s.k == 0) {
    std::fill_n(m_sums, m_rows * s.n, 0);
    std::fill_n(m_columnTerms, 3 * s.n, 0);
    return {};
  }
  m_left = static_cast<const uint8_t*>(m_operands.a) + s.aMatrix(step) * s.m * s.k;
  if (m_a != nullptr) {
    loops.copyFlipped(m_left, kTopBit, m_a, m_rows * s.k);
    m_left = m_a;
  }
  const int64_t matrix = s.bMatrix(step) * s.k * s.n;
  const int8_t* b = m_constant.valid() ? m_constant.bytes.span<int8_t>().data() + matrix
                                       : static_cast<const int8_t*>(m_operands.b) + matrix;
  if (m_b != nullptr) {
    loops.copyFlipped(reinterpret_cast<const uint8_t*>(b), kTopBit, reinterpret_cast<uint8_t*>(m_b), s.k * s.n);
    b = m_b;
  }
  prepareColumns(step, b);
  if (!m_entry->call) {
    multiplyBytesReference(m_left, b, m_sums, m_rows, s.n, s.k);
    return {};
  }
  return m_entry->call->run(
      {.a = m_left, .packed = m_entry->packed.get(), .b = b, .c = m_sums, .scratch = m_libraryScratch});
}

void ByteProduct::prepareColumns(int64_t step, const int8_t* b) {
  const BytePairing& s = m_pairing;
  if (m_constant.valid()) {
    std::copy_n(m_constant.sums.data() + s.bMatrix(step) * s.n, s.n, m_columnTerms);
  } else {
    std::fill_n(m_columnTerms, s.n, 0);
    for (int64_t d = 0; d < s.k; ++d) {
      for (int64_t j = 0; j < s.n; ++j)
        m_columnTerms[j] =
            wrap(static_cast<uint32_t>(m_columnTerms[j]) + static_cast<uint32_t>(static_cast<int32_t>(b[d * s.n + j])));
    }
  }
  const int64_t zeros = m_operands.bZero == nullptr ? 1 : m_operands.bZero->elementCount();
  const int64_t first = s.columnPlace(zeros, step);
  m_anyBZero = false;
  for (int64_t j = 0; j < s.n; ++j) {
    m_bZeros[j] = shiftedBZero(m_operands, zeros == 1 ? 0 : first + j);
    m_anyBZero = m_anyBZero || m_bZeros[j] != 0;
  }
  if (m_anyBZero) cpu::integerLoops().addScaled(m_columnTerms, wrap(static_cast<uint32_t>(-s.k)), m_bZeros, s.n);
  std::fill_n(m_added, s.n, 0);
  if (m_operands.aZero == nullptr || m_operands.aZero->elementCount() == 1)
    cpu::integerLoops().addScaled(m_added, -shiftedAZero(m_operands, 0), m_columnTerms, s.n);
}

cpu::SumRow ByteProduct::correctedRow(int64_t step, int64_t row) const {
  const BytePairing& s = m_pairing;
  const cpu::IntegerLoops& loops = cpu::integerLoops();
  int32_t* sums = m_sums + row * s.n;
  if (s.k > 0) {
    const int64_t zeros = m_operands.aZero == nullptr ? 1 : m_operands.aZero->elementCount();
    if (zeros != 1)
      loops.addScaled(sums, -shiftedAZero(m_operands, s.rowPlace(zeros, step * m_rows + row)), m_columnTerms, s.n);
    if (m_anyBZero) loops.addScaled(sums, wrap(0u - loops.sum(m_left + row * s.k, s.k)), m_bZeros, s.n);
  }
  return {.sums = sums, .count = s.n, .added = m_added};
}

}  // namespace cutaway::cpu
