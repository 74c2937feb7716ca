#pragma once
// Interpreter of chains: what runs a chain where nothing is compiled at run time (the emulator, a missing or
// failing NVRTC). Slow beside a compiled chain, but the same arithmetic.
//
// A step makes one value; steps name earlier ones. Row reductions make one value a row: the row is walked once for
// each, then once more to write the outputs. Thread rule: as shared.h. Example: ChainElements{parameters}(7);

#include "providers/cuda/functors/chain_arguments.h"
#include "providers/cuda/functors/conversion.h"

namespace cutaway::cuda {

// What a step does. Names are those of element_math.h; the text form of programs spells them out
// (providers/cuda/chain/chain_program.h).
#define CUTAWAY_CHAIN_PLAIN(F) \
  F(Input)                     \
  F(Constant)                  \
  F(Cast)                      \
  F(Where)                     \
  F(Not)                       \
  F(And)                       \
  F(Or) F(Xor) F(Equal) F(Less) F(LessOrEqual) F(Greater) F(GreaterOrEqual) F(IsNaN) F(RowSum) F(RowMean) F(RowMax)
enum class ChainOp : uint8_t {
#define CUTAWAY_CODE(name) k##name,
  CUTAWAY_CHAIN_PLAIN(CUTAWAY_CODE) CUTAWAY_FLOAT_MATH(CUTAWAY_CODE) CUTAWAY_FLOAT_ACTIVATIONS(CUTAWAY_CODE)
      CUTAWAY_FLOAT_PAIRS(CUTAWAY_CODE)
#undef CUTAWAY_CODE
          kCount
};

inline constexpr int kMostChainSteps = 48;

struct ChainCode {
  double first = 0, second = 0;  // parameters; a constant's value
  int64_t whole = 0;             // a constant's value, of integers
  ChainOp op = ChainOp::kInput;
  uint8_t type = 0;             // ElementType of the value
  uint8_t from = 0;             // ElementType of the first operand
  uint8_t a = 0, b = 0, c = 0;  // steps; of kInput: a is the operand's number
};

struct ChainParameters {
  ChainArguments arguments;
  ChainCode code[kMostChainSteps];
  int32_t steps = 0, inputs = 0, outputs = 0;
  uint8_t output[kMostChainOutputs] = {};  // steps
  uint64_t rowValues = 0;                  // bit k: step k has one value a row
  uint64_t constants = 0;                  // bit k: step k is the same everywhere
};
static_assert(sizeof(ChainParameters) <= 4000);

union ChainSlot {
  float f;
  double d;
  int64_t i;
};

CUTAWAY_SHARED bool chainIsFloat(int type) {
  return type == 1 || type == 10 || type == 16;
}

CUTAWAY_SHARED int64_t chainWrapped(int type, int64_t value) {
  switch (type) {
    case 2:
      return static_cast<uint8_t>(value);
    case 3:
      return static_cast<int8_t>(value);
    case 6:
      return static_cast<int32_t>(value);
    case 9:
      return value != 0;
    default:
      return value;
  }
}

CUTAWAY_SHARED ChainSlot chainRead(int type, const void* base, int64_t at) {
  ChainSlot slot;
  slot.i = 0;
  switch (type) {
    case 1:
      slot.f = static_cast<const float*>(base)[at];
      break;
    case 2:
      slot.i = static_cast<const uint8_t*>(base)[at];
      break;
    case 3:
      slot.i = static_cast<const int8_t*>(base)[at];
      break;
    case 6:
      slot.i = static_cast<const int32_t*>(base)[at];
      break;
    case 7:
      slot.i = static_cast<const int64_t*>(base)[at];
      break;
    case 9:
      slot.i = static_cast<const uint8_t*>(base)[at] != 0;
      break;
    case 10:
      slot.f = load(static_cast<const Half*>(base)[at]);
      break;
    case 11:
      slot.d = static_cast<const double*>(base)[at];
      break;
    default:
      slot.f = load(static_cast<const Brain*>(base)[at]);
      break;
  }
  return slot;
}

CUTAWAY_SHARED void chainWrite(int type, void* base, int64_t at, ChainSlot slot) {
  switch (type) {
    case 1:
      static_cast<float*>(base)[at] = slot.f;
      break;
    case 2:
      static_cast<uint8_t*>(base)[at] = static_cast<uint8_t>(slot.i);
      break;
    case 3:
      static_cast<int8_t*>(base)[at] = static_cast<int8_t>(slot.i);
      break;
    case 6:
      static_cast<int32_t*>(base)[at] = static_cast<int32_t>(slot.i);
      break;
    case 7:
      static_cast<int64_t*>(base)[at] = slot.i;
      break;
    case 9:
      static_cast<bool*>(base)[at] = slot.i != 0;
      break;
    case 10:
      static_cast<Half*>(base)[at] = store<Half>(slot.f);
      break;
    case 11:
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
CUTAWAY_SHARED ChainSlot chainCastFrom(int type, From x) {
  ChainSlot slot;
  slot.i = 0;
  switch (type) {
    case 1:
      slot.f = converted<From, float>(x);
      break;
    case 9:
      slot.i = converted<From, bool>(x);
      break;
    case 10:
      slot.f = load(converted<From, Half>(x));
      break;
    case 11:
      slot.d = converted<From, double>(x);
      break;
    case 16:
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
  return code.from == 11 ? element::compared(how, x.d, y.d) : element::compared(how, x.i, y.i);
}

CUTAWAY_SHARED ChainSlot chainStep(const ChainCode& code, const ChainSlot* values) {
  const ChainSlot x = values[code.a], y = values[code.b];
  ChainSlot result;
  result.i = 0;
  if (code.op == ChainOp::kConstant) {
    if (chainIsFloat(code.type))
      result.f = static_cast<float>(code.first);
    else if (code.type == 11)
      result.d = code.first;
    else
      result.i = code.whole;
  } else if (code.op == ChainOp::kWhere) {
    result = x.i != 0 ? y : values[code.c];
  } else if (code.op == ChainOp::kCast) {
    result = chainIsFloat(code.from) ? chainCastFrom(code.type, x.f)
             : code.from == 11       ? chainCastFrom(code.type, x.d)
                                     : chainCastFrom(code.type, x.i);
  } else if (code.op >= ChainOp::kEqual && code.op <= ChainOp::kGreaterOrEqual) {
    result.i = chainCompared(code, x, y);
  } else if (code.op == ChainOp::kIsNaN) {
    result.i = chainIsFloat(code.from) ? x.f != x.f : x.d != x.d;
  } else if (chainIsFloat(code.type)) {
    result.f = chainFloatStep<float>(code, x.f, y.f);
  } else if (code.type == 11) {
    result.d = chainFloatStep<double>(code, x.d, y.d);
  } else {
    result.i = chainWrapped(code.type, chainIntegerStep(code.op, x.i, y.i));
  }
  return result;
}

// Steps [0, end) at one place; row values are in `values` already.
CUTAWAY_SHARED void chainEvaluate(const ChainParameters& p, const int64_t (&at)[kMostChainInputs], int64_t k, int end,
                                  ChainSlot* values) {
  for (int i = 0; i < end; ++i) {
    const ChainCode& code = p.code[i];
    if ((p.rowValues >> i & 1) != 0) continue;
    values[i] = code.op == ChainOp::kInput
                    ? chainRead(code.type, p.arguments.from[code.a], at[code.a] + k * p.arguments.step[code.a])
                    : chainStep(code, values);
  }
}

struct ChainElements {
  ChainParameters p;
  CUTAWAY_SHARED void operator()(int64_t index) const {
    int64_t at[kMostChainInputs];
    chainOffsets<kMostChainInputs>(p.arguments, index, at);
    ChainSlot values[kMostChainSteps];
    chainEvaluate(p, at, 0, p.steps, values);
    for (int o = 0; o < p.outputs; ++o)
      chainWrite(p.code[p.output[o]].type, p.arguments.to[o], index, values[p.output[o]]);
  }
};

struct ChainRows {
  ChainParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    const int64_t length = p.arguments.rowLength;
    int64_t at[kMostChainInputs];
    chainOffsets<kMostChainInputs>(p.arguments, row, at);
    ChainSlot values[kMostChainSteps];
    for (int i = 0; i < p.steps; ++i) {
      const ChainCode& code = p.code[i];
      if ((p.constants >> i & 1) != 0)
        values[i] = chainStep(code, values);  // a row's value may be made of it before any element is
      if ((p.rowValues >> i & 1) == 0) continue;
      if (code.op == ChainOp::kRowSum || code.op == ChainOp::kRowMean || code.op == ChainOp::kRowMax)
        values[i] = reduced(block, at, i, values);
      else
        values[i] = chainStep(code, values);
    }
    for (int64_t k = block.thread(); k < length; k += block.threads()) {
      chainEvaluate(p, at, k, p.steps, values);
      for (int o = 0; o < p.outputs; ++o) {
        if ((p.rowValues >> p.output[o] & 1) == 0)
          chainWrite(p.code[p.output[o]].type, p.arguments.to[o], row * length + k, values[p.output[o]]);
      }
    }
    block.sync();  // a row's value may lie over an input of one value a row, which slower threads still read
    for (int o = 0; o < p.outputs; ++o) {
      if (block.thread() == 0 && (p.rowValues >> p.output[o] & 1) != 0)
        chainWrite(p.code[p.output[o]].type, p.arguments.to[o], row, values[p.output[o]]);
    }
  }

 private:
  template <typename Block>
  CUTAWAY_SHARED ChainSlot reduced(Block& block, const int64_t (&at)[kMostChainInputs], int i,
                                   ChainSlot* values) const {
    const ChainCode& code = p.code[i];
    const bool maximum = code.op == ChainOp::kRowMax;
    float total = maximum ? floatOfBits(0xFF800000u) : 0.0f;
    for (int64_t k = block.thread(); k < p.arguments.rowLength; k += block.threads()) {
      chainEvaluate(p, at, k, i, values);
      total = maximum ? element::Max::apply<float>(total, values[code.a].f) : total + values[code.a].f;
    }
    total = maximum ? block.reduce(total, [](float x, float y) { return element::Max::apply<float>(x, y); })
                    : block.sum(total);
    ChainSlot result;
    result.i = 0;
    result.f = code.op == ChainOp::kRowMean ? total / static_cast<float>(p.arguments.rowLength) : total;
    return result;
  }
};

}  // namespace cutaway::cuda
