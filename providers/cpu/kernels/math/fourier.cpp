#include "providers/cpu/kernels/math/fourier.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace cutaway::cpu {

namespace {

using Complex = FourierTransform::Complex;

bool isPowerOfTwo(int64_t n) {
  return std::has_single_bit(static_cast<uint64_t>(n));
}
int64_t paddedLength(int64_t n) {
  return isPowerOfTwo(n) ? n : static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * n - 1)));
}
Complex rotation(double turns) {
  return {std::cos(2 * M_PI * turns), std::sin(2 * M_PI * turns)};
}

}  // namespace

int64_t FourierTransform::tableSize(int64_t length) {
  const int64_t padded = paddedLength(length);
  return padded / 2 + 1 + (isPowerOfTwo(length) ? 0 : length + padded);
}

int64_t FourierTransform::workSize(int64_t length) {
  return isPowerOfTwo(length) ? 0 : paddedLength(length);
}

FourierTransform::FourierTransform(int64_t length, bool inverse, std::span<Complex> tables)
    : m_length(length),
      m_padded(paddedLength(length)),
      m_inverse(inverse),
      m_roots(tables.data()),
      m_chirp(m_roots + m_padded / 2 + 1),
      m_filter(m_chirp + length) {
  for (int64_t k = 0; k < m_padded / 2; ++k)
    m_roots[k] = rotation(-static_cast<double>(k) / static_cast<double>(m_padded));
  if (isPowerOfTwo(length)) return;
  for (int64_t k = 0; k < length; ++k) {
    // k^2 modulo 2n keeps the angle exact for long transforms.
    const auto square = static_cast<int64_t>(static_cast<unsigned __int128>(k) * static_cast<unsigned __int128>(k) %
                                             static_cast<unsigned __int128>(2 * length));
    m_chirp[k] = rotation((inverse ? 0.5 : -0.5) * static_cast<double>(square) / static_cast<double>(length));
  }
  std::fill_n(m_filter, m_padded, Complex{});
  m_filter[0] = std::conj(m_chirp[0]);
  for (int64_t k = 1; k < length; ++k)
    m_filter[k] = m_filter[m_padded - k] = std::conj(m_chirp[k]);
  radix2(m_filter, m_padded, false);
}

void FourierTransform::radix2(Complex* data, int64_t size, bool inverse) const {
  for (int64_t i = 1, j = 0; i < size; ++i) {  // bit reversal
    int64_t bit = size >> 1;
    for (; (j & bit) != 0; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j) std::swap(data[i], data[j]);
  }
  for (int64_t width = 2; width <= size; width *= 2) {
    const int64_t step = size / width;
    for (int64_t begin = 0; begin < size; begin += width) {
      for (int64_t k = 0; k < width / 2; ++k) {
        const Complex root = inverse ? std::conj(m_roots[k * step]) : m_roots[k * step];
        const Complex odd = data[begin + k + width / 2];
        const Complex turned{odd.real() * root.real() - odd.imag() * root.imag(),
                             odd.real() * root.imag() + odd.imag() * root.real()};
        data[begin + k + width / 2] = data[begin + k] - turned;
        data[begin + k] += turned;
      }
    }
  }
}

void FourierTransform::run(Complex* data, Complex* work) const {
  if (isPowerOfTwo(m_length)) return radix2(data, m_length, m_inverse);
  for (int64_t k = 0; k < m_length; ++k)
    work[k] = data[k] * m_chirp[k];
  std::fill(work + m_length, work + m_padded, Complex{});
  radix2(work, m_padded, false);
  for (int64_t k = 0; k < m_padded; ++k)
    work[k] *= m_filter[k];
  radix2(work, m_padded, true);
  for (int64_t k = 0; k < m_length; ++k)
    data[k] = work[k] * m_chirp[k] / static_cast<double>(m_padded);
}

}  // namespace cutaway::cpu
