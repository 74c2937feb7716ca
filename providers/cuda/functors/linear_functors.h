#pragma once
// Arithmetic on 8-bit integers with a scale and a zero point of the whole tensor: the QLinear operators of
// com.microsoft. Scales and zero points are read on the device.
//
// Thread rule: as shared.h. Example: LinearBinary{parameters}(7);

#include "providers/cuda/functors/quantize_functors.h"
#include "providers/cuda/functors/word.h"

namespace cutaway::cuda {

struct LinearScale {
  const float* scale = nullptr;
  const uint8_t* zero = nullptr;  // nullptr: 0
};

// The numbers behind a LinearScale.
struct LinearNumbers {
  float scale;
  int32_t zero;
  bool isSigned;
  CUTAWAY_SHARED LinearNumbers(const LinearScale& from, bool isSignedType)
      : scale(*from.scale), zero(0), isSigned(isSignedType) {
    if (from.zero != nullptr) zero = isSigned ? static_cast<int8_t>(*from.zero) : static_cast<int32_t>(*from.zero);
  }
  CUTAWAY_SHARED int32_t distance(uint8_t byte) const {
    return (isSigned ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte)) - zero;
  }
  CUTAWAY_SHARED float toFloat(uint8_t byte) const { return static_cast<float>(distance(byte)) * scale; }
  CUTAWAY_SHARED uint8_t fromUnits(float units) const { return rounded(units, static_cast<float>(zero)); }
  // The zero point before rounding, as onnxruntime has it in sums, products and means of windows.
  CUTAWAY_SHARED uint8_t fromUnitsAndZero(float units) const { return rounded(units + static_cast<float>(zero), 0.0f); }
  CUTAWAY_SHARED uint8_t fromFloat(float value) const { return fromUnits(value / scale); }

 private:
  CUTAWAY_SHARED uint8_t rounded(float units, float shift) const {
    return static_cast<uint8_t>(
        static_cast<int32_t>(quantizedUnits(units, shift, isSigned ? -128.0f : 0.0f, isSigned ? 127.0f : 255.0f)));
  }
};

struct LinearBinaryParameters {
  const uint8_t* a = nullptr;
  const uint8_t* b = nullptr;
  uint8_t* y = nullptr;
  int64_t count = 0;
  LinearScale scaleA, scaleB, scaleY;
  int32_t isSigned = 0, isProduct = 0;
  IndexMap<2> map;
};

// Four neighbours a thread: scales and zero points are read once for them.
struct LinearBinary {
  LinearBinaryParameters p;
  CUTAWAY_SHARED void operator()(int64_t group) const {
    const bool isSigned = p.isSigned != 0;
    const LinearNumbers a(p.scaleA, isSigned), b(p.scaleB, isSigned), y(p.scaleY, isSigned);
    const float factorA = p.isProduct != 0 ? a.scale * b.scale / y.scale : a.scale / y.scale,
                factorB = b.scale / y.scale;
    for (int64_t i = group * kQuantGroup; i < (group + 1) * kQuantGroup && i < p.count; ++i) {
      int64_t at[2];
      if (i < kNarrowCount)
        offsetsOf(p.map, static_cast<uint32_t>(i), at);
      else
        p.map.offsets(i, at);
      const int32_t left = a.distance(p.a[at[0]]), right = b.distance(p.b[at[1]]);
      const float units = p.isProduct != 0 ? static_cast<float>(left * right) * factorA
                                           : static_cast<float>(left) * factorA + static_cast<float>(right) * factorB;
      p.y[i] = y.fromUnitsAndZero(units);
    }
  }
};

enum class LinearFunction : int32_t { kSame, kSigmoid, kLeakyRelu };
// Rows of `run` bytes, `yRun` apart in y (QLinearConcat puts parts beside each other).
struct LinearUnaryParameters {
  const uint8_t* x = nullptr;
  uint8_t* y = nullptr;
  int64_t count = 0, run = 0, yRun = 0;
  LinearScale scaleX, scaleY;
  int32_t isSigned = 0;
  LinearFunction function = LinearFunction::kSame;
  float alpha = 0;
};

CUTAWAY_SHARED float expOf(float x) {
#ifdef __CUDA_ARCH__
  return expf(x);
#else
  return __builtin_expf(x);
#endif
}

struct LinearUnary {
  LinearUnaryParameters p;
  CUTAWAY_SHARED void operator()(int64_t group) const {
    const bool isSigned = p.isSigned != 0;
    const LinearNumbers from(p.scaleX, isSigned), to(p.scaleY, isSigned);
    for (int64_t i = group * kQuantGroup; i < (group + 1) * kQuantGroup && i < p.count; ++i) {
      float value = from.toFloat(p.x[i]);
      if (p.function == LinearFunction::kSigmoid)
        value = 1.0f / (1.0f + expOf(-value));
      else if (p.function == LinearFunction::kLeakyRelu)
        value = value < 0 ? p.alpha * value : value;
      const int64_t row = p.run == p.count ? 0 : i / p.run;
      p.y[row * p.yRun + (i - row * p.run)] = to.fromFloat(value);
    }
  }
};

// Rows of [outer, length, inner]; one block each.
struct LinearRowParameters {
  const uint8_t* x = nullptr;
  uint8_t* y = nullptr;
  int64_t outer = 0, length = 0, inner = 0;
  LinearScale scaleX, scaleY;
  int32_t isSigned = 0;
};

struct LinearSoftmax {
  LinearRowParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    const bool isSigned = p.isSigned != 0;
    const LinearNumbers from(p.scaleX, isSigned), to(p.scaleY, isSigned);
    const int64_t first = row / p.inner * p.length * p.inner + row % p.inner;
    int32_t largest = -1024;
    for (int64_t i = block.thread(); i < p.length; i += block.threads()) {
      const int32_t distance = from.distance(p.x[first + i * p.inner]);
      largest = distance > largest ? distance : largest;
    }
    largest = block.maximum(largest);
    float sum = 0;
    for (int64_t i = block.thread(); i < p.length; i += block.threads())
      sum += expOf(static_cast<float>(from.distance(p.x[first + i * p.inner]) - largest) * from.scale);
    sum = block.sum(sum);
    for (int64_t i = block.thread(); i < p.length; i += block.threads()) {
      const float power = expOf(static_cast<float>(from.distance(p.x[first + i * p.inner]) - largest) * from.scale);
      p.y[first + i * p.inner] = to.fromFloat(power / sum);
    }
  }
};

// The mean of `count` numbers of which `given` bytes have this sum; the others are real zeros.
// In units of `to`.
CUTAWAY_SHARED float linearMean(const LinearNumbers& from, const LinearNumbers& to, int64_t sum, int64_t given,
                                int64_t count) {
  if (count == 0) return 0;
  return static_cast<float>(sum - given * from.zero) * (from.scale / (to.scale * static_cast<float>(count)));
}

struct LinearMean {
  LinearRowParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    const bool isSigned = p.isSigned != 0;
    const LinearNumbers from(p.scaleX, isSigned), to(p.scaleY, isSigned);
    const int64_t first = row / p.inner * p.length * p.inner + row % p.inner;
    int64_t sum = 0;
    for (int64_t i = block.thread(); i < p.length; i += block.threads()) {
      const uint8_t byte = p.x[first + i * p.inner];
      sum += isSigned ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte);
    }
    sum = block.sum(sum);
    if (block.thread() == 0) p.y[row] = to.fromUnits(linearMean(from, to, sum, p.length, p.length));
  }
};

// Windows over up to three spatial axes; x is [items, channels, input] by the strides.
struct LinearPoolParameters {
  const uint8_t* x = nullptr;
  uint8_t* y = nullptr;
  int64_t count = 0;  // elements of y
  int64_t channels = 0;
  int32_t channelsLast = 0, includesPadding = 0, isSigned = 0;
  int64_t input[3] = {1, 1, 1}, output[3] = {1, 1, 1}, kernel[3] = {1, 1, 1}, stride[3] = {1, 1, 1},
          dilation[3] = {1, 1, 1}, padBegin[3] = {0, 0, 0};
  LinearScale scaleX, scaleY;
};

struct LinearPool {
  LinearPoolParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const bool isSigned = p.isSigned != 0;
    const LinearNumbers from(p.scaleX, isSigned), to(p.scaleY, isSigned);
    int64_t rest = i, channel = 0;
    if (p.channelsLast != 0) {
      channel = rest % p.channels;
      rest /= p.channels;
    }
    int64_t start[3];
    for (int axis = 2; axis >= 0; --axis) {
      start[axis] = rest % p.output[axis] * p.stride[axis] - p.padBegin[axis];
      rest /= p.output[axis];
    }
    if (p.channelsLast == 0) {
      channel = rest % p.channels;
      rest /= p.channels;
    }
    const int64_t cells = p.input[0] * p.input[1] * p.input[2];
    const int64_t base =
                      p.channelsLast != 0 ? rest * cells * p.channels + channel : (rest * p.channels + channel) * cells,
                  step = p.channelsLast != 0 ? p.channels : 1;
    int64_t sum = 0, given = 0;
    for (int64_t a = 0; a < p.kernel[0]; ++a) {
      const int64_t d = start[0] + a * p.dilation[0];
      if (d < 0 || d >= p.input[0]) continue;
      for (int64_t b = 0; b < p.kernel[1]; ++b) {
        const int64_t h = start[1] + b * p.dilation[1];
        if (h < 0 || h >= p.input[1]) continue;
        for (int64_t c = 0; c < p.kernel[2]; ++c) {
          const int64_t w = start[2] + c * p.dilation[2];
          if (w < 0 || w >= p.input[2]) continue;
          const uint8_t byte = p.x[base + ((d * p.input[1] + h) * p.input[2] + w) * step];
          sum += isSigned ? static_cast<int8_t>(byte) : static_cast<int32_t>(byte);
          ++given;
        }
      }
    }
    const int64_t divisor = p.includesPadding != 0 ? p.kernel[0] * p.kernel[1] * p.kernel[2] : given;
    p.y[i] = to.fromUnitsAndZero(linearMean(from, to, sum, given, divisor));
  }
};

}  // namespace cutaway::cuda
