// The loops of bit_product.h, compiled once for each vector width by Highway.
//
// A register of packed numbers is taken as 32-bit lanes. The j-th number of every lane is masked where it stands and
// converted to float, which makes it 2^(bits * j) times too large; the left factor is stored in the order
// [chunk][j][lane] with that power of two (exactly) taken out. So one number costs an AND, a conversion and a
// multiply-add, a vector at a time.

#include "providers/cpu/kernels/weight_quantized/bit_product.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/weight_quantized/bit_product.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include <algorithm>
#include <bit>
#include <cstring>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using D = hn::ScalableTag<float>;
using DU = hn::RebindToUnsigned<D>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using Packed = hn::Vec<DU>;

int64_t laneCount() {
  return static_cast<int64_t>(hn::Lanes(D()));
}

template <int bits>
class Rows {
 public:
  static constexpr int kPerLane = 32 / bits;

  Rows(const BitMatrix& matrix, const PreparedRows& left)
      : m_matrix(matrix),
        m_left(left),
        m_lanes(laneCount()),
        m_chunk(m_lanes * kPerLane),
        m_blocks(matrix.blocks()),
        m_rowBytes(matrix.rowBytes()) {
    m_chunks = (m_rowBytes + 4 * m_lanes - 1) / (4 * m_lanes);
    m_blockShift = std::countr_zero(static_cast<uint64_t>(matrix.blockSize));
    for (int64_t lane = 0; lane < m_lanes; ++lane)
      m_laneBlock[lane] = static_cast<int32_t>((lane * kPerLane) >> m_blockShift);
  }

  template <int columns, int lines>
  HWY_NOINLINE void product(int64_t n, int64_t m, float* y, int64_t stride) const {
    const D d;
    V total[columns][lines];
    for (int c = 0; c < columns; ++c) {
      for (int l = 0; l < lines; ++l)
        total[c][l] = hn::Zero(d);
    }
    for (int64_t chunk = 0; chunk < m_chunks; ++chunk) {
      const int64_t left = std::min(m_lanes, (m_rowBytes - chunk * 4 * m_lanes) / 4);
      left == m_lanes ? step<columns, lines, true>(n, m, chunk, left, total)
                      : step<columns, lines, false>(n, m, chunk, left, total);
    }
    for (int c = 0; c < columns; ++c) {
      for (int l = 0; l < lines; ++l)
        y[(m + l) * stride + n + c] = hn::GetLane(hn::SumOfLanes(d, total[c][l]));
    }
  }

 private:
  template <int columns, int lines, bool whole>
  HWY_INLINE void step(int64_t n, int64_t m, int64_t chunk, int64_t lanesLeft, V (&total)[columns][lines]) const {
    const D d;
    Packed packed[columns];
    V sum[columns][lines];
    for (int c = 0; c < columns; ++c) {
      packed[c] = load<whole>(m_matrix.packed + (n + c) * m_rowBytes + chunk * 4 * m_lanes, lanesLeft);
      const V zero = m_matrix.zeros != nullptr ? spread<whole>(m_matrix.zeros + (n + c) * m_blocks, chunk, lanesLeft)
                                               : hn::Set(d, m_matrix.defaultZero);
      for (int l = 0; l < lines; ++l)
        sum[c][l] = hn::Mul(zero, hn::LoadU(d, m_left.sums(m + l) + chunk * m_lanes));
    }
    const float* values[lines];
    for (int l = 0; l < lines; ++l)
      values[l] = m_left.values(m + l) + chunk * m_chunk;
    position<columns, lines, 0>(packed, values, sum);
    for (int c = 0; c < columns; ++c) {
      const V scale = spread<whole>(m_matrix.scales + (n + c) * m_blocks, chunk, lanesLeft);
      for (int l = 0; l < lines; ++l)
        total[c][l] = hn::MulAdd(sum[c][l], scale, total[c][l]);
    }
  }

  template <int columns, int lines, int j>
  HWY_INLINE void position(const Packed (&packed)[columns], const float* const (&values)[lines],
                           V (&sum)[columns][lines]) const {
    if constexpr (j < kPerLane) {
      const D d;
      V left[lines];
      for (int l = 0; l < lines; ++l)
        left[l] = hn::LoadU(d, values[l] + j * m_lanes);
      for (int c = 0; c < columns; ++c) {
        Packed number;
        if constexpr (j == kPerLane - 1) {
          number = hn::ShiftRight<32 - bits>(packed[c]);
        } else {
          number = hn::And(packed[c], hn::Set(DU(), ((1u << bits) - 1) << (bits * j)));
        }
        const V value = hn::ConvertTo(d, hn::BitCast(DI(), number));
        for (int l = 0; l < lines; ++l)
          sum[c][l] = hn::MulAdd(value, left[l], sum[c][l]);
      }
      position<columns, lines, j + 1>(packed, values, sum);
    }
  }

  template <bool whole>
  HWY_INLINE Packed load(const uint8_t* from, int64_t lanesLeft) const {
    const DU d;
    if constexpr (whole && HWY_TARGET != HWY_SCALAR)
      return hn::LoadU(d, reinterpret_cast<const uint32_t*>(from));  // an unaligned load, of any address
    HWY_ALIGN uint32_t numbers[HWY_MAX_BYTES / sizeof(uint32_t)] = {};
    std::memcpy(numbers, from, static_cast<size_t>(4 * lanesLeft));
    return hn::Load(d, numbers);
  }

  // table: of one row, a number a block. Lanes behind the end of the row get 0.
  template <bool whole>
  HWY_INLINE V spread(const float* table, int64_t chunk, int64_t lanesLeft) const {
    const D d;
    const float* at = table + ((chunk * m_chunk) >> m_blockShift);
    if (m_chunk <= m_matrix.blockSize) return hn::Set(d, *at);
    const V found = hn::TableLookupLanes(hn::LoadU(d, at), hn::IndicesFromVec(d, hn::Load(DI(), m_laneBlock)));
    if constexpr (whole) return found;
    return hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(lanesLeft)), found);
  }

  const BitMatrix& m_matrix;
  const PreparedRows& m_left;
  int64_t m_lanes, m_chunk, m_blocks, m_rowBytes, m_chunks = 0;
  int m_blockShift = 0;
  HWY_ALIGN int32_t m_laneBlock[HWY_MAX_BYTES / sizeof(int32_t)] = {};
};

// Lines of the left factor share the unpacking of a column; columns give the processor independent sums, as many as its
// registers hold.
template <int bits>
void productLoop(const BitMatrix& matrix, const PreparedRows& left, int64_t begin, int64_t end, float* y,
                 int64_t stride) {
  const Rows<bits> rows(matrix, left);
  const bool manyRegisters = laneCount() >= 16;
  int64_t n = begin;
  for (; n + 4 <= end; n += 4) {
    int64_t m = 0;
    for (; m + 4 <= left.count(); m += 4) {
      if (manyRegisters) {
        rows.template product<4, 4>(n, m, y, stride);
      } else {
        rows.template product<2, 4>(n, m, y, stride);
        rows.template product<2, 4>(n + 2, m, y, stride);
      }
    }
    for (; m < left.count(); ++m)
      rows.template product<4, 1>(n, m, y, stride);
  }
  for (; n < end; ++n) {
    for (int64_t m = 0; m < left.count(); ++m)
      rows.template product<1, 1>(n, m, y, stride);
  }
}

void dispatchProduct(const BitMatrix& matrix, const PreparedRows& left, int64_t begin, int64_t end, float* y,
                     int64_t stride) {
  if (matrix.bits == 2) return productLoop<2>(matrix, left, begin, end, y, stride);
  if (matrix.bits == 4) return productLoop<4>(matrix, left, begin, end, y, stride);
  productLoop<8>(matrix, left, begin, end, y, stride);
}

// Bytes, one number each, to floats.
HWY_INLINE void expandBytes(const uint8_t* numbers, int64_t count, float zero, float scale, float* to) {
  const D d;
  const hn::Rebind<uint8_t, D> bytes;
  const int64_t lanes = laneCount();
  const V offset = hn::Set(d, zero), factor = hn::Set(d, scale);
  for (int64_t i = 0; i < count; i += lanes) {
    const V value = hn::ConvertTo(d, hn::PromoteTo(DI(), hn::LoadU(bytes, numbers + i)));
    hn::StoreU(hn::Mul(hn::Sub(value, offset), factor), d, to + i);
  }
}

#if HWY_TARGET == HWY_SCALAR
void expandLoop(const BitMatrix& matrix, int64_t n, float* to) {
  expandRowReference(matrix, n, to);
}
#else
// Two fields of `width` bits in every byte to a byte each, the low one first. count: of the bytes read.
template <int width>
HWY_INLINE void splitPairs(const uint8_t* from, int64_t count, uint8_t* to) {
  const hn::FixedTag<uint8_t, 16> d;
  const auto mask = hn::Set(d, uint8_t{(1 << width) - 1});
  for (int64_t i = 0; i < count; i += 16) {
    HWY_ALIGN uint8_t few[16] = {};
    if (count - i < 16) std::memcpy(few, from + i, static_cast<size_t>(count - i));
    const auto pair = count - i < 16 ? hn::Load(d, few) : hn::LoadU(d, from + i);
    const auto low = hn::And(pair, mask),
               high =
                   hn::And(hn::BitCast(d, hn::ShiftRight<width>(hn::BitCast(hn::FixedTag<uint16_t, 8>(), pair))), mask);
    hn::StoreU(hn::InterleaveLower(d, low, high), d, to + 2 * i);
    hn::StoreU(hn::InterleaveUpper(d, low, high), d, to + 2 * i + 16);
  }
}

void expandLoop(const BitMatrix& matrix, int64_t n, float* to) {
  const int64_t blocks = matrix.blocks();
  const uint8_t* packed = matrix.packed + n * matrix.rowBytes();
  HWY_ALIGN uint8_t numbers[256 + 32], fields[128 + 32];
  HWY_ALIGN float last[256];
  for (int64_t block = 0; block < blocks; ++block) {
    const float scale = matrix.scales[n * blocks + block],
                zero = matrix.zeros != nullptr ? matrix.zeros[n * blocks + block] : matrix.defaultZero;
    const int64_t blockEnd = std::min((block + 1) * matrix.blockSize, matrix.depth);
    for (int64_t at = block * matrix.blockSize; at < blockEnd; at += 256) {
      const int64_t stored = std::min<int64_t>(256, (block + 1) * matrix.blockSize - at),
                    wanted = std::min(stored, blockEnd - at);
      const uint8_t* from = packed + at * matrix.bits / 8;
      if (matrix.bits == 4) {
        splitPairs<4>(from, stored / 2, numbers);
        from = numbers;
      } else if (matrix.bits == 2) {
        splitPairs<4>(from, stored / 4, fields);
        splitPairs<2>(fields, stored / 2, numbers);
        from = numbers;
      }
      expandBytes(from, stored, zero, scale, wanted == stored ? to + at : last);
      if (wanted != stored) std::copy_n(last, wanted, to + at);
    }
  }
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(laneCount);
HWY_EXPORT(dispatchProduct);
HWY_EXPORT(expandLoop);

void bitProduct(const BitMatrix& matrix, const PreparedRows& rows, int64_t begin, int64_t end, float* y,
                int64_t stride) {
  HWY_DYNAMIC_DISPATCH(dispatchProduct)(matrix, rows, begin, end, y, stride);
}
void expandRow(const BitMatrix& matrix, int64_t n, float* to) {
  HWY_DYNAMIC_DISPATCH(expandLoop)(matrix, n, to);
}

void expandRowReference(const BitMatrix& matrix, int64_t n, float* to) {
  const uint8_t* packed = matrix.packed + n * matrix.rowBytes();
  const int64_t blocks = matrix.blocks(), perByte = 8 / matrix.bits;
  const unsigned mask = (1u << matrix.bits) - 1;
  for (int64_t k = 0; k < matrix.depth; ++k) {
    const int64_t at = n * blocks + k / matrix.blockSize;
    const unsigned number = packed[k / perByte] >> (k % perByte * matrix.bits) & mask;
    to[k] = (static_cast<float>(number) - (matrix.zeros != nullptr ? matrix.zeros[at] : matrix.defaultZero)) *
            matrix.scales[at];
  }
}

int64_t PreparedRows::floats(const BitMatrix& matrix, int64_t count) {
  const PreparedRows one(matrix, 1, nullptr);
  return count * (one.m_valueFloats + one.m_sumFloats);
}

PreparedRows::PreparedRows(const BitMatrix& matrix, int64_t count, float* memory)
    : m_matrix(matrix), m_count(count), m_memory(memory) {
  const int64_t lanes = HWY_DYNAMIC_DISPATCH(laneCount)(), chunks = (matrix.rowBytes() + 4 * lanes - 1) / (4 * lanes);
  m_valueFloats = chunks * lanes * (32 / matrix.bits);
  m_sumFloats = chunks * lanes;
}

void PreparedRows::fill(int64_t row, const float* a) {
  const int64_t perLane = 32 / m_matrix.bits, lanes = HWY_DYNAMIC_DISPATCH(laneCount)(), depth = m_matrix.depth;
  float* to = m_memory + row * (m_valueFloats + m_sumFloats);
  float* sums = to + m_valueFloats;
  for (int64_t group = 0; group < m_sumFloats; ++group) {
    const int64_t chunk = group / lanes, lane = group % lanes;
    float sum = 0, power = 1;
    for (int64_t j = 0; j < perLane; ++j, power /= static_cast<float>(1 << m_matrix.bits)) {
      const int64_t k = group * perLane + j;
      const float value = k < depth ? a[k] : 0.0f;
      sum += value;
      to[(chunk * perLane + j) * lanes + lane] = j == perLane - 1 ? value : value * power;
    }
    sums[group] = -sum;
  }
}

}  // namespace cutaway::cpu
#endif
