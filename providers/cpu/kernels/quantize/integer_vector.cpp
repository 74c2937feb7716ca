// The vector form of integer_vector.h. Tails shorter than a vector are copied to a padded buffer and go through the
// same code.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/quantize/integer_vector.cpp"
#include <hwy/foreach_target.h>  // before highway.h

#include "providers/cpu/kernels/quantize/integer_vector.h"

#include <cstring>
#include <limits>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cutaway::cpu {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DF = hn::ScalableTag<float>;
using DI = hn::ScalableTag<int32_t>;
using VF = hn::Vec<DF>;
using VI = hn::Vec<DI>;

// Calls whole(i) for full vectors, then rest(i, count) once.
template <typename Whole, typename Rest>
HWY_INLINE void forVectors(int64_t count, int64_t lanes, Whole&& whole, Rest&& rest) {
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes)
    whole(i);
  if (i < count) rest(i, static_cast<size_t>(count - i));
}

template <typename D, typename T>
HWY_INLINE hn::Vec<D> loadSome(D d, const T* from, size_t count) {
  HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
  std::memcpy(buffer, from, count * sizeof(T));
  return hn::LoadU(d, buffer);
}

template <typename D, typename T>
HWY_INLINE void storeSome(hn::Vec<D> v, D d, T* to, size_t count) {
  HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
  hn::StoreU(v, d, buffer);
  std::memcpy(to, buffer, count * sizeof(T));
}

void addScaled(int32_t* to, int32_t factor, const int32_t* terms, int64_t count) {
  const DI d;
  const VI f = hn::Set(d, factor);
  forVectors(
      count, static_cast<int64_t>(hn::Lanes(d)),
      [&](int64_t i) { hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::Mul(f, hn::LoadU(d, terms + i))), d, to + i); },
      [&](int64_t i, size_t n) {
        storeSome(hn::Add(loadSome(d, to + i, n), hn::Mul(f, loadSome(d, terms + i, n))), d, to + i, n);
      });
}

// Nearest whole number of a value that was clamped to the bounds; NaN becomes `low`.
HWY_INLINE VI roundWithin(VF value, VF low, VF high) {
  value = hn::IfThenElse(hn::Gt(value, low), value, low);
  return hn::NearestInt(hn::Min(value, high));
}

template <typename T>
void requantizeTo(const SumRow& row, int32_t zeroPoint, T* out) {
  const DF df;
  const DI di;
  const hn::Rebind<T, DF> dt;
  const VI zero = hn::Set(di, zeroPoint);
  const VF low = hn::Set(df, static_cast<float>(std::numeric_limits<T>::min() - zeroPoint));
  const VF high = hn::Set(df, static_cast<float>(std::numeric_limits<T>::max() - zeroPoint));
  const VF one = hn::Set(df, row.scales[0]);
  const auto finish = [&](VI sum, VF scale) HWY_ATTR {
    return hn::DemoteTo(dt, hn::Add(roundWithin(hn::Mul(hn::ConvertTo(df, sum), scale), low, high), zero));
  };
  forVectors(
      row.count, static_cast<int64_t>(hn::Lanes(df)),
      [&](int64_t i) HWY_ATTR {
        VI sum = hn::LoadU(di, row.sums + i);
        if (row.added != nullptr) sum = hn::Add(sum, hn::LoadU(di, row.added + i));
        hn::StoreU(finish(sum, row.scaleStep == 0 ? one : hn::LoadU(df, row.scales + i)), dt, out + i);
      },
      [&](int64_t i, size_t n) HWY_ATTR {
        VI sum = loadSome(di, row.sums + i, n);
        if (row.added != nullptr) sum = hn::Add(sum, loadSome(di, row.added + i, n));
        storeSome(finish(sum, row.scaleStep == 0 ? one : loadSome(df, row.scales + i, n)), dt, out + i, n);
      });
}

void requantize(const SumRow& row, const ByteFormat& format, uint8_t* out) {
  if (format.isSigned)
    requantizeTo<int8_t>(row, format.zeroPoint, reinterpret_cast<int8_t*>(out));
  else
    requantizeTo<uint8_t>(row, format.zeroPoint, out);
}

void scale(const SumRow& row, const float* bias, float* out) {
  const DF df;
  const DI di;
  const VF one = hn::Set(df, row.scales[0]);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(df));
  int64_t i = 0;
  for (; i + lanes <= row.count; i += lanes) {
    VI sum = hn::LoadU(di, row.sums + i);
    if (row.added != nullptr) sum = hn::Add(sum, hn::LoadU(di, row.added + i));
    VF value = hn::Mul(hn::ConvertTo(df, sum), row.scaleStep == 0 ? one : hn::LoadU(df, row.scales + i));
    if (bias != nullptr) value = hn::Add(value, hn::LoadU(df, bias + i));
    hn::StoreU(value, df, out + i);
  }
  for (; i < row.count; ++i) {
    const uint32_t sum =
        static_cast<uint32_t>(row.sums[i]) + (row.added != nullptr ? static_cast<uint32_t>(row.added[i]) : 0u);
    const float value = static_cast<float>(static_cast<int32_t>(sum)) * row.scales[i * row.scaleStep];
    out[i] = bias != nullptr ? value + bias[i] : value;
  }
}

void copyFlipped(const uint8_t* from, uint8_t mask, uint8_t* to, int64_t count) {
  const hn::ScalableTag<uint8_t> d;
  const auto flip = hn::Set(d, mask);
  forVectors(
      count, static_cast<int64_t>(hn::Lanes(d)),
      [&](int64_t i) HWY_ATTR { hn::StoreU(hn::Xor(hn::LoadU(d, from + i), flip), d, to + i); },
      [&](int64_t i, size_t n) HWY_ATTR {
        for (size_t k = static_cast<size_t>(i); k < static_cast<size_t>(i) + n; ++k)
          to[k] = from[k] ^ mask;
      });
}

#if HWY_TARGET == HWY_SCALAR

HWY_INLINE void transposeBlock(const uint8_t* from, int64_t fromStride, uint8_t mask, uint8_t* to, int64_t toStride) {
  for (int64_t r = 0; r < 16; ++r) {
    for (int64_t c = 0; c < 16; ++c)
      to[c * toStride + r] = from[r * fromStride + c] ^ mask;
  }
}

uint32_t sum(const uint8_t* bytes, int64_t count) {
  uint32_t total = 0;
  for (int64_t i = 0; i < count; ++i)
    total += bytes[i];
  return total;
}

// None: the plain loop does them.
int64_t interleavePlanes(const uint8_t*, int64_t, int64_t, int64_t, uint8_t, uint8_t*, int64_t) {
  return 0;
}

#else

// 16 rows of 16 bytes, by four rounds of interleaving rows that lie half the block apart.
HWY_INLINE void transposeBlock(const uint8_t* from, int64_t fromStride, uint8_t mask, uint8_t* to, int64_t toStride) {
  const hn::FixedTag<uint8_t, 16> d;
  using V = hn::Vec<decltype(d)>;
  V a[16], b[16];
  const V flip = hn::Set(d, mask);
  for (int64_t r = 0; r < 16; ++r)
    a[r] = hn::Xor(hn::LoadU(d, from + r * fromStride), flip);
  const auto round = [&](const V* in, V* out) HWY_ATTR {
    for (size_t k = 0; k < 8; ++k) {
      out[2 * k] = hn::InterleaveLower(d, in[k], in[k + 8]);
      out[2 * k + 1] = hn::InterleaveUpper(d, in[k], in[k + 8]);
    }
  };
  round(a, b);
  round(b, a);
  round(a, b);
  round(b, a);
  for (int64_t c = 0; c < 16; ++c)
    hn::StoreU(a[c], d, to + c * toStride);
}

// Three or four planes to cells of four bytes (the fourth of three is 0), or three: images. How many columns are done.
int64_t interleavePlanes(const uint8_t* from, int64_t rows, int64_t columns, int64_t fromStride, uint8_t mask,
                         uint8_t* to, int64_t toStride) {
  if (rows < 3 || rows > 4 || toStride < rows || toStride > 4) return 0;
  const hn::ScalableTag<uint8_t> d;
  const auto flip = hn::Set(d, mask);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto plane = [&](int64_t row, int64_t column)
                         HWY_ATTR { return hn::Xor(hn::LoadU(d, from + row * fromStride + column), flip); };
  int64_t column = 0;
  for (; column + lanes <= columns; column += lanes) {
    uint8_t* const at = to + column * toStride;
    if (toStride == 3)
      hn::StoreInterleaved3(plane(0, column), plane(1, column), plane(2, column), d, at);
    else
      hn::StoreInterleaved4(plane(0, column), plane(1, column), plane(2, column),
                            rows == 4 ? plane(3, column) : hn::Zero(d), d, at);
  }
  return column;
}

uint32_t sum(const uint8_t* bytes, int64_t count) {
  const hn::ScalableTag<uint8_t> d8;
  const hn::Repartition<uint64_t, decltype(d8)> d64;
  auto total = hn::Zero(d64);
  uint64_t rest = 0;
  forVectors(
      count, static_cast<int64_t>(hn::Lanes(d8)),
      [&](int64_t i) HWY_ATTR { total = hn::Add(total, hn::SumsOf8(hn::LoadU(d8, bytes + i))); },
      [&](int64_t i, size_t n) HWY_ATTR {
        for (size_t k = 0; k < n; ++k)
          rest += bytes[static_cast<size_t>(i) + k];
      });
  HWY_ALIGN uint64_t lanes[HWY_MAX_BYTES / sizeof(uint64_t)];
  hn::Store(total, d64, lanes);
  for (size_t k = 0; k < hn::Lanes(d64); ++k)
    rest += lanes[k];
  return static_cast<uint32_t>(rest);
}

#endif

void transpose(const uint8_t* from, int64_t rows, int64_t columns, int64_t fromStride, uint8_t mask, uint8_t* to,
               int64_t toStride) {
  const int64_t done = interleavePlanes(from, rows, columns, fromStride, mask, to, toStride);
  from += done;
  to += done * toStride;
  columns -= done;
  const int64_t wholeRows = rows / 16 * 16, wholeColumns = columns / 16 * 16;
  for (int64_t r = 0; r < wholeRows; r += 16) {
    for (int64_t c = 0; c < wholeColumns; c += 16)
      transposeBlock(from + r * fromStride + c, fromStride, mask, to + c * toStride + r, toStride);
    for (int64_t c = wholeColumns; c < columns; ++c) {
      for (int64_t k = r; k < r + 16; ++k)
        to[c * toStride + k] = from[k * fromStride + c] ^ mask;
    }
  }
  for (int64_t r = wholeRows; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c)
      to[c * toStride + r] = from[r * fromStride + c] ^ mask;
  }
}

template <typename T>
void quantizeTo(const float* x, const LinearRun& run, T* out) {
  const DF df;
  const DI di;
  const hn::Rebind<T, DF> dt;
  const VF least = hn::Set(df, static_cast<float>(std::numeric_limits<T>::min())),
           most = hn::Set(df, static_cast<float>(std::numeric_limits<T>::max()));
  const VF oneScale = hn::Set(df, run.scales[0]), oneZero = hn::Set(df, run.zeroPoints[0]);
  const auto finish = [&](VF value, VF scale, VF zero) HWY_ATTR {
    return hn::DemoteTo(dt, hn::Add(roundWithin(hn::Div(value, scale), hn::Sub(least, zero), hn::Sub(most, zero)),
                                    hn::ConvertTo(di, zero)));
  };
  forVectors(
      run.count, static_cast<int64_t>(hn::Lanes(df)),
      [&](int64_t i) HWY_ATTR {
        const bool one = run.step == 0;
        hn::StoreU(finish(hn::LoadU(df, x + i), one ? oneScale : hn::LoadU(df, run.scales + i),
                          one ? oneZero : hn::LoadU(df, run.zeroPoints + i)),
                   dt, out + i);
      },
      [&](int64_t i, size_t n) HWY_ATTR {
        const bool one = run.step == 0;
        storeSome(finish(loadSome(df, x + i, n), one ? oneScale : loadSome(df, run.scales + i, n),
                         one ? oneZero : loadSome(df, run.zeroPoints + i, n)),
                  dt, out + i, n);
      });
}

template <typename T>
void dequantizeFrom(const T* x, const LinearRun& run, float* out) {
  const DF df;
  const DI di;
  const hn::Rebind<T, DF> dt;
  const VF oneScale = hn::Set(df, run.scales[0]), oneZero = hn::Set(df, run.zeroPoints[0]);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(df));
  int64_t i = 0;
  for (; i + lanes <= run.count; i += lanes) {
    const VF value = hn::ConvertTo(df, hn::PromoteTo(di, hn::LoadU(dt, x + i)));
    const bool one = run.step == 0;
    hn::StoreU(hn::Mul(hn::Sub(value, one ? oneZero : hn::LoadU(df, run.zeroPoints + i)),
                       one ? oneScale : hn::LoadU(df, run.scales + i)),
               df, out + i);
  }
  for (; i < run.count; ++i)
    out[i] = (static_cast<float>(x[i]) - run.zeroPoints[i * run.step]) * run.scales[i * run.step];
}

FloatRange range(const float* x, int64_t count, FloatRange start) {
  const DF d;
  VF low = hn::Set(d, start.low), high = hn::Set(d, start.high);
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const VF value = hn::LoadU(d, x + i);
    low = hn::IfThenElse(hn::Lt(value, low), value, low);
    high = hn::IfThenElse(hn::Gt(value, high), value, high);
  }
  HWY_ALIGN float lows[HWY_MAX_BYTES / sizeof(float)], highs[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(low, d, lows);
  hn::Store(high, d, highs);
  FloatRange result = start;
  for (int64_t k = 0; k < lanes; ++k) {
    result.low = lows[k] < result.low ? lows[k] : result.low;
    result.high = highs[k] > result.high ? highs[k] : result.high;
  }
  for (; i < count; ++i) {
    result.low = x[i] < result.low ? x[i] : result.low;
    result.high = x[i] > result.high ? x[i] : result.high;
  }
  return result;
}

const IntegerLoops* loops() {
  static constexpr IntegerLoops kLoops = {&addScaled,
                                          &requantize,
                                          &scale,
                                          &sum,
                                          &copyFlipped,
                                          &transpose,
                                          &quantizeTo<uint8_t>,
                                          &quantizeTo<int8_t>,
                                          &quantizeTo<uint16_t>,
                                          &quantizeTo<int16_t>,
                                          &dequantizeFrom<uint8_t>,
                                          &dequantizeFrom<int8_t>,
                                          &dequantizeFrom<uint16_t>,
                                          &dequantizeFrom<int16_t>,
                                          &range};
  return &kLoops;
}

}  // namespace HWY_NAMESPACE
}  // namespace cutaway::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cutaway::cpu {

HWY_EXPORT(loops);

const IntegerLoops& integerLoops() {
  static const IntegerLoops* const chosen = HWY_DYNAMIC_DISPATCH(loops)();
  return *chosen;
}

}  // namespace cutaway::cpu
#endif
