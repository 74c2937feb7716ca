#include "providers/cuda/emulator/emulated_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/tensor/narrow_float.h"

namespace cutaway::cuda {

bool isFloatOperand(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kDouble;
}

size_t bytesOf(ElementType type) {
  return static_cast<size_t>(bitsOf(type)) / 8;
}

void readFloats(ElementType type, const void* from, int64_t count, float* to) {
  if (type == ElementType::kFloat) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (type == ElementType::kFloat16) {
    halfToFloat(static_cast<const Float16*>(from), to, count);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<float>(readNumber(type, from, i));
  }
}

void writeFloats(ElementType type, const float* from, int64_t count, void* to) {
  if (type == ElementType::kFloat) {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(float));
  } else if (type == ElementType::kFloat16) {
    floatToHalf(from, static_cast<Float16*>(to), count);
  } else {
    for (int64_t i = 0; i < count; ++i)
      writeNumber(type, from[i], to, i);
  }
}

double readNumber(ElementType type, const void* from, int64_t at) {
  switch (type) {
    case ElementType::kFloat:
      return static_cast<const float*>(from)[at];
    case ElementType::kDouble:
      return static_cast<const double*>(from)[at];
    case ElementType::kFloat16:
      return static_cast<const Float16*>(from)[at].toFloat();
    case ElementType::kBfloat16:
      return static_cast<const Bfloat16*>(from)[at].toFloat();
    case ElementType::kInt32:
      return static_cast<const int32_t*>(from)[at];
    case ElementType::kBool:
      return static_cast<const bool*>(from)[at] ? 1 : 0;
    default:
      return 0;
  }
}

void writeNumber(ElementType type, double value, void* to, int64_t at) {
  switch (type) {
    case ElementType::kFloat:
      static_cast<float*>(to)[at] = static_cast<float>(value);
      break;
    case ElementType::kDouble:
      static_cast<double*>(to)[at] = value;
      break;
    case ElementType::kFloat16:
      static_cast<Float16*>(to)[at] = Float16::fromFloat(static_cast<float>(value));
      break;
    case ElementType::kBfloat16:
      static_cast<Bfloat16*>(to)[at] = Bfloat16::fromFloat(static_cast<float>(value));
      break;
    default:
      break;
  }
}

double afterwards(const Epilogue& epilogue, double x) {
  const double first = epilogue.first, second = epilogue.second;
  switch (epilogue.activation) {
    case Activation::kNone:
      return x;
    case Activation::kRelu:
      return x < 0 ? 0 : x;
    case Activation::kClip:
      return x < first ? first : x > second ? second : x;
    case Activation::kLeakyRelu:
      return x < 0 ? first * x : x;
    case Activation::kSigmoid:
      return 1 / (1 + std::exp(-x));
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kHardSigmoid:
      return std::clamp(first * x + second, 0.0, 1.0);
    case Activation::kHardSwish:
      return x * std::clamp(x / 6 + 0.5, 0.0, 1.0);
    case Activation::kGeluErf:
      return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0)));
    case Activation::kGeluTanh:
      return x * 0.5 * (1 + std::tanh(std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    case Activation::kSilu:
      return x / (1 + std::exp(-x));
    case Activation::kElu:
      return x < 0 ? first * std::expm1(x) : x;
  }
  return x;
}

}  // namespace cutaway::cuda
