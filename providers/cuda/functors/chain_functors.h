#pragma once
// Interpreter of chains: what runs a chain where nothing is compiled at run time (the emulator, a missing or
// failing NVRTC). Slow beside a compiled chain, but the same arithmetic.
//
// A step makes one value; steps name earlier ones. Row reductions make one value a row: the row is walked once for
// each, then once more to write the outputs. Thread rule: as shared.h. Example: ChainElements{parameters}(7);

#include "providers/cuda/functors/chain_arguments.h"
#include "providers/cuda/functors/chain_steps.h"
#include "providers/cuda/functors/conversion.h"

namespace cutaway::cuda {

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
