#pragma once
// Discrete Fourier transforms of any length, in double, over the caller's memory.
//
// Powers of two by the radix-2 algorithm (Cooley and Tukey 1965); every other length by Bluestein's chirp transform
// (1970), a convolution of a power of two. Both take O(n log n). Thread rule: a transform is immutable; each concurrent
// caller gives its own work memory. Example: FourierTransform transform(n, false, tables);  transform.run(data, work);
// // unscaled; the inverse too

#include <complex>
#include <cstdint>
#include <span>

namespace cutaway::cpu {

class FourierTransform {
 public:
  using Complex = std::complex<double>;
  // Elements of `tables` (filled here, kept by the caller) and of the work memory of one run.
  static int64_t tableSize(int64_t length);
  static int64_t workSize(int64_t length);

  FourierTransform(int64_t length, bool inverse, std::span<Complex> tables);
  void run(Complex* data, Complex* work) const;

 private:
  void radix2(Complex* data, int64_t size, bool inverse) const;
  int64_t m_length;
  int64_t m_padded;  // power of two that is transformed
  bool m_inverse;
  Complex* m_roots;   // exp(-2 pi i k / m_padded), k < m_padded / 2
  Complex* m_chirp;   // Bluestein: exp(-+ pi i k^2 / n)
  Complex* m_filter;  // Bluestein: the transformed conjugate chirp
};

}  // namespace cutaway::cpu
