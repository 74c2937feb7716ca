#pragma once
// Programs of chains as numbers: operators, steps, and what a launch is given.

#include "engine/tensor/element_type.h"
#include "providers/cuda/functors/chain_arguments.h"
#include "providers/cuda/functors/element_math.h"
#include "providers/cuda/functors/integer_math.h"

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
  double first = 0, second = 0;                // parameters; a constant's value
  int64_t whole = 0;                           // a constant's value, of integers
  ElementType type = ElementType::kUndefined;  // of the value
  ElementType from = ElementType::kUndefined;  // of the first operand
  ChainOp op = ChainOp::kInput;
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

}  // namespace cutaway::cuda
