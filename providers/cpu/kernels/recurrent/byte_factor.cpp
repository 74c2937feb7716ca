#include "providers/cpu/kernels/recurrent/byte_factor.h"

#include <algorithm>

namespace cutaway::cpu {
namespace {

// Unsigned weights become signed by a flip of the top bit, which takes 128 off their zero points too.
constexpr uint8_t kTopBit = 0x80;
constexpr int32_t kShift = 128;

void columnSums(const int8_t* b, int64_t depth, int64_t columns, int32_t* sums) {
  std::fill_n(sums, columns, 0);
  for (int64_t d = 0; d < depth; ++d) {
    for (int64_t j = 0; j < columns; ++j)
      sums[j] = static_cast<int32_t>(static_cast<uint32_t>(sums[j]) +
                                     static_cast<uint32_t>(static_cast<int32_t>(b[d * columns + j])));
  }
}

}  // namespace

Result<ByteFactor> ByteFactor::make(const ByteFactorSource& source, std::span<const int64_t> rowCounts,
                                    ByteProductState& state, KernelContext& context) {
  ByteFactor factor;
  factor.m_source = source;
  factor.m_state = &state;
  const int64_t columns = source.columns;
  const bool flip = source.constant == nullptr && source.type == ElementType::kUint8;
  const size_t countBytes = static_cast<size_t>(columns) * sizeof(int32_t);
  CUTAWAY_TRY(const std::span<std::byte> memory,
              context.scratch(4 * countBytes + (flip ? static_cast<size_t>(source.depth * columns) : 0)));
  factor.m_columnTerms = reinterpret_cast<int32_t*>(memory.data());
  factor.m_zeros = factor.m_columnTerms + columns;
  factor.m_added = factor.m_zeros + columns;
  factor.m_scales = reinterpret_cast<float*>(factor.m_added + columns);
  factor.m_signed = static_cast<const int8_t*>(source.bytes);
  if (flip) {
    uint8_t* flipped = reinterpret_cast<uint8_t*>(memory.data() + 4 * countBytes);
    cpu::integerLoops().copyFlipped(static_cast<const uint8_t*>(source.bytes), kTopBit, flipped,
                                    source.depth * columns);
    factor.m_signed = reinterpret_cast<const int8_t*>(flipped);
  }
  if (source.constant != nullptr) {
    factor.m_signed = source.constant->bytes.span<int8_t>().data();
    std::ranges::copy(source.constant->sums, factor.m_columnTerms);
  } else {
    columnSums(factor.m_signed, source.depth, columns, factor.m_columnTerms);
  }
  for (int64_t j = 0; j < columns; ++j) {
    const int32_t zero = source.zeros == nullptr ? 0 : byteAt(source.type, source.zeros, source.zeroPerColumn ? j : 0);
    factor.m_zeros[j] = zero - (source.type == ElementType::kUint8 ? kShift : 0);
    factor.m_anyZero = factor.m_anyZero || factor.m_zeros[j] != 0;
  }
  if (factor.m_anyZero)
    cpu::integerLoops().addScaled(factor.m_columnTerms, static_cast<int32_t>(-static_cast<uint32_t>(source.depth)),
                                  factor.m_zeros, columns);
  size_t mostBytes = 0;
  for (const int64_t rows : rowCounts) {
    if (rows == 0 || source.depth == 0 || columns == 0) continue;
    CUTAWAY_TRY(ByteProductState::Entry * entry,
                state.find(source.constant != nullptr ? *source.constant : ConstantBytes{},
                           {rows, columns, source.depth, source.constant != nullptr}));
    if (entry->call) mostBytes = std::max(mostBytes, entry->call->product().scratchBytes());
  }
  CUTAWAY_TRY(factor.m_libraryScratch, context.scratch(mostBytes));
  return factor;
}

void ByteFactor::setScale(const cpu::DynamicScale& scale) {
  const int64_t columns = m_source.columns;
  std::fill_n(m_added, columns, 0);
  cpu::integerLoops().addScaled(m_added, -static_cast<int32_t>(scale.zeroPoint), m_columnTerms, columns);
  const int64_t count = m_source.scalePerColumn ? columns : 1;
  for (int64_t j = 0; j < count; ++j)
    m_scales[j] = scale.scale * m_source.scales[j];
}

Result<void> ByteFactor::multiply(int64_t rows, const uint8_t* a, int32_t* sums) const {
  const int64_t columns = m_source.columns, depth = m_source.depth;
  if (depth == 0) {
    std::fill_n(sums, rows * columns, 0);
    return {};
  }
  const ConstantBytes none;
  CUTAWAY_TRY(ByteProductState::Entry * entry, m_state->find(m_source.constant != nullptr ? *m_source.constant : none,
                                                             {rows, columns, depth, m_source.constant != nullptr}));
  if (!entry->call) {
    multiplyBytesReference(a, m_signed, sums, rows, columns, depth);
    return {};
  }
  return entry->call->run(
      {.a = a, .packed = entry->packed.get(), .b = m_signed, .c = sums, .scratch = m_libraryScratch});
}

void ByteFactor::finish(const uint8_t* a, int32_t* sums, int64_t units, int64_t padded, const float* start,
                        float* out) const {
  const cpu::IntegerLoops& loops = cpu::integerLoops();
  if (m_anyZero)
    loops.addScaled(sums, static_cast<int32_t>(0u - loops.sum(a, m_source.depth)), m_zeros, m_source.columns);
  for (int64_t column = 0; column < m_source.columns; column += units) {
    const cpu::SumRow row{.sums = sums + column,
                          .count = units,
                          .added = m_added + column,
                          .scales = m_scales + (m_source.scalePerColumn ? column : 0),
                          .scaleStep = m_source.scalePerColumn ? 1 : 0};
    loops.scale(row, start, out);
    start += padded;
    out += padded;
  }
}

}  // namespace cutaway::cpu
