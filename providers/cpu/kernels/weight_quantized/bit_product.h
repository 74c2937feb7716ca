#pragma once
// Products with a matrix whose rows are stored in 2, 4 or 8 bits a number, in blocks of numbers that share a scale and
// a zero point.
//
// y[m, n] = sum over k of a[m, k] * (stored[n, k] - zero[n, block of k]) * scale[n, block of k]. The packed rows are
// read as they are: no second copy of the weights. Thread rule: pure functions over a plan that does not change.
// Example:
//   BitMatrix matrix{.packed = b, .scales = scales, .rows = 4096, .depth = 4096, .blockSize = 32, .bits = 4,
//   .defaultZero = 8}; PreparedRows rows(matrix, m, memory);  rows.fill(0, a);  bitProduct(matrix, rows, 0, 4096, y,
//   4096);

#include <cstddef>
#include <cstdint>

namespace cutaway::cpu {

// Floats that may be read behind the last scale and zero point.
inline constexpr int64_t kScalePadding = 64;

struct BitMatrix {
  const uint8_t* packed = nullptr;  // [rows, blocks, blockSize * bits / 8], low bits first
  const float* scales = nullptr;    // [rows, blocks], kScalePadding readable floats behind
  const float* zeros = nullptr;     // like scales; nullptr: defaultZero everywhere
  int64_t rows = 0, depth = 0, blockSize = 32;
  int bits = 4;
  float defaultZero = 8.0f;

  int64_t blocks() const { return (depth + blockSize - 1) / blockSize; }
  int64_t rowBytes() const { return blocks() * (blockSize * bits / 8); }
};

// Rows of the left factor in the order in which packed numbers come out of a vector register.
class PreparedRows {
 public:
  // Floats needed for `count` rows.
  static int64_t floats(const BitMatrix& matrix, int64_t count);
  PreparedRows(const BitMatrix& matrix, int64_t count, float* memory);
  void fill(int64_t row, const float* a);
  int64_t count() const { return m_count; }
  const float* values(int64_t row) const { return m_memory + row * (m_valueFloats + m_sumFloats); }
  // Minus the sum of the values that meet each lane: what a zero point is multiplied with.
  const float* sums(int64_t row) const { return values(row) + m_valueFloats; }

 private:
  const BitMatrix& m_matrix;
  int64_t m_count, m_valueFloats = 0, m_sumFloats = 0;
  float* m_memory;
};

// y[m * stride + n] for n in [begin, end) and all rows m.
void bitProduct(const BitMatrix& matrix, const PreparedRows& rows, int64_t begin, int64_t end, float* y,
                int64_t stride);

// The numbers of row n as floats, depth of them.
void expandRow(const BitMatrix& matrix, int64_t n, float* to);
// The same in plain words: the definition that the other two are tested against.
void expandRowReference(const BitMatrix& matrix, int64_t n, float* to);

}  // namespace cutaway::cpu
