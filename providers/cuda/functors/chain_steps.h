#pragma once
// One step of a chain's program: values read and written by type, and the arithmetic of every operator.

#include "providers/cuda/functors/chain_code.h"
#include "providers/cuda/functors/conversion.h"
#include "providers/cuda/functors/integer_math.h"

namespace cutaway::cuda {

union ChainSlot {
  float f;
  double d;
  int64_t i;
};

CUTAWAY_SHARED bool chainIsFloat(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

CUTAWAY_SHARED int64_t chainWrapped(ElementType type, int64_t value) {
  switch (type) {
    case ElementType::kUint8:
      return static_cast<uint8_t>(value);
    case ElementType::kInt8:
      return static_cast<int8_t>(value);
    case ElementType::kInt32:
      return static_cast<int32_t>(value);
    case ElementType::kBool:
      return value != 0;
    default:
      return value;
  }
}

CUTAWAY_SHARED ChainSlot chainRead(ElementType type, const void* base, int64_t at) {
  ChainSlot slot;
  slot.i = 0;
  switch (type) {
    case ElementType::kFloat:
      slot.f = static_cast<const float*>(base)[at];
      break;
    case ElementType::kUint8:
      slot.i = static_cast<const uint8_t*>(base)[at];
      break;
    case ElementType::kInt8:
      slot.i = static_cast<const int8_t*>(base)[at];
      break;
    case ElementType::kInt32:
      slot.i = static_cast<const int32_t*>(base)[at];
      break;
    case ElementType::kInt64:
      slot.i = static_cast<const int64_t*>(base)[at];
      break;
    case ElementType::kBool:
      slot.i = static_cast<const uint8_t*>(base)[at] != 0;
      break;
    case ElementType::kFloat16:
      slot.f = load(static_cast<const Half*>(base)[at]);
      break;
    case ElementType::kDouble:
      slot.d = static_cast<const double*>(base)[at];
      break;
    default:
      slot.f = load(static_cast<const Brain*>(base)[at]);
      break;
  }
  return slot;
}

CUTAWAY_SHARED void chainWrite(ElementType type, void* base, int64_t at, ChainSlot slot) {
  switch (type) {
    case ElementType::kFloat:
      static_cast<float*>(base)[at] = slot.f;
      break;
    case ElementType::kUint8:
      static_cast<uint8_t*>(base)[at] = static_cast<uint8_t>(slot.i);
      break;
    case ElementType::kInt8:
      static_cast<int8_t*>(base)[at] = static_cast<int8_t>(slot.i);
      break;
    case ElementType::kInt32:
      static_cast<int32_t*>(base)[at] = static_cast<int32_t>(slot.i);
      break;
    case ElementType::kInt64:
      static_cast<int64_t*>(base)[at] = slot.i;
      break;
    case ElementType::kBool:
      static_cast<bool*>(base)[at] = slot.i != 0;
      break;
    case ElementType::kFloat16:
      static_cast<Half*>(base)[at] = store<Half>(slot.f);
      break;
    case ElementType::kDouble:
      static_cast<double*>(base)[at] = slot.d;
      break;
    default:
      static_cast<Brain*>(base)[at] = store<Brain>(slot.f);
      break;
  }
}

template <typename C>
CUTAWAY_SHARED C chainFloatStep(const ChainCode& code, C x, C y) {
  switch (code.op) {
#define CUTAWAY_CASE(name) \
  case ChainOp::k##name:   \
    return element::name::apply<C>(x, static_cast<C>(code.first), static_cast<C>(code.second));
    CUTAWAY_FLOAT_MATH(CUTAWAY_CASE)
    CUTAWAY_FLOAT_ACTIVATIONS(CUTAWAY_CASE)
#undef CUTAWAY_CASE
#define CUTAWAY_CASE(name) \
  case ChainOp::k##name:   \
    return element::name::apply<C>(x, y);
    CUTAWAY_FLOAT_PAIRS(CUTAWAY_CASE)
#undef CUTAWAY_CASE
    default:
      return x;
  }
}

// The integer arithmetic that chains have.
CUTAWAY_SHARED int64_t chainIntegerStep(ChainOp op, int64_t x, int64_t y) {
  using element::IntegerPair;
  switch (op) {
    case ChainOp::kAdd:
      return element::integerPair(IntegerPair::kAdd, x, y);
    case ChainOp::kSub:
      return element::integerPair(IntegerPair::kSub, x, y);
    case ChainOp::kMul:
      return element::integerPair(IntegerPair::kMul, x, y);
    case ChainOp::kDiv:
      return element::integerPair(IntegerPair::kDiv, x, y);
    case ChainOp::kMax:
      return element::integerPair(IntegerPair::kMax, x, y);
    case ChainOp::kMin:
      return element::integerPair(IntegerPair::kMin, x, y);
    case ChainOp::kTruncMod:
      return element::integerPair(IntegerPair::kTruncMod, x, y);
    case ChainOp::kFloorMod:
      return element::integerPair(IntegerPair::kFloorMod, x, y);
    case ChainOp::kNeg:
      return element::integerPair(IntegerPair::kSub, int64_t(0), x);
    case ChainOp::kAnd:
      return x & y;
    case ChainOp::kOr:
      return x | y;
    case ChainOp::kXor:
      return x ^ y;
    case ChainOp::kNot:
      return x == 0;
    default:
      return x;
  }
}

template <typename From>
CUTAWAY_SHARED ChainSlot chainCastFrom(ElementType type, From x) {
  ChainSlot slot;
  slot.i = 0;
  switch (type) {
    case ElementType::kFloat:
      slot.f = converted<From, float>(x);
      break;
    case ElementType::kBool:
      slot.i = converted<From, bool>(x);
      break;
    case ElementType::kFloat16:
      slot.f = load(converted<From, Half>(x));
      break;
    case ElementType::kDouble:
      slot.d = converted<From, double>(x);
      break;
    case ElementType::kBfloat16:
      slot.f = load(converted<From, Brain>(x));
      break;
    default:
      slot.i = chainWrapped(type, converted<From, int64_t>(x));
      break;
  }
  return slot;
}

CUTAWAY_SHARED bool chainCompared(const ChainCode& code, ChainSlot x, ChainSlot y) {
  const auto how = static_cast<element::Comparison>(static_cast<int>(code.op) - static_cast<int>(ChainOp::kEqual));
  if (chainIsFloat(code.from)) return element::compared(how, x.f, y.f);
  return code.from == ElementType::kDouble ? element::compared(how, x.d, y.d) : element::compared(how, x.i, y.i);
}

CUTAWAY_SHARED ChainSlot chainStep(const ChainCode& code, const ChainSlot* values) {
  const ChainSlot x = values[code.a], y = values[code.b];
  ChainSlot result;
  result.i = 0;
  if (code.op == ChainOp::kConstant) {
    if (chainIsFloat(code.type))
      result.f = static_cast<float>(code.first);
    else if (code.type == ElementType::kDouble)
      result.d = code.first;
    else
      result.i = code.whole;
  } else if (code.op == ChainOp::kWhere) {
    result = x.i != 0 ? y : values[code.c];
  } else if (code.op == ChainOp::kCast) {
    result = chainIsFloat(code.from)             ? chainCastFrom(code.type, x.f)
             : code.from == ElementType::kDouble ? chainCastFrom(code.type, x.d)
                                                 : chainCastFrom(code.type, x.i);
  } else if (code.op >= ChainOp::kEqual && code.op <= ChainOp::kGreaterOrEqual) {
    result.i = chainCompared(code, x, y);
  } else if (code.op == ChainOp::kIsNaN) {
    result.i = chainIsFloat(code.from) ? x.f != x.f : x.d != x.d;
  } else if (chainIsFloat(code.type)) {
    result.f = chainFloatStep<float>(code, x.f, y.f);
  } else if (code.type == ElementType::kDouble) {
    result.d = chainFloatStep<double>(code, x.d, y.d);
  } else {
    result.i = chainWrapped(code.type, chainIntegerStep(code.op, x.i, y.i));
  }
  return result;
}

}  // namespace cutaway::cuda
