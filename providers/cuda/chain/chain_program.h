#pragma once
// Chain programs: elementwise operators with broadcasting, and reductions of rows, that run as one kernel. Read from
// and written as text, which is the attribute of the node that stands for them.
//
// One step a line; step k makes value vk. A line is the operation, the element type of its value, its operands, and
// after a bar its parameters:
//   Input float16         (the node's next input)
//   Constant float16 | 0.5
//   Mul float16 v0 v1
//   Clip float16 v2 | 0 6
//   Cast float v3
//   RowMean float v4      (one value a row: over the last axis)
//   Output v5             (the node's next output)
// 16-bit values are held as float between steps; only Cast and outputs round. Text is hostile input: parse() checks
// everything that running relies on. Thread rule: plain values. Example: CUTAWAY_TRY(const ChainProgram program,
// ChainProgram::parse("Input float\nRelu float v0\nOutput v1"));

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/tensor/element_type.h"
#include "providers/cuda/functors/chain_functors.h"

namespace cutaway::cuda {

// How many operands an operation has.
int operandsOf(ChainOp op);
const char* nameOf(ChainOp op);
// ChainOp::kCount: there is none of that name.
ChainOp chainOpOf(std::string_view name);
bool isChainType(ElementType type);
bool isRowReduction(ChainOp op);

struct ChainProgram {
  std::vector<ChainCode> steps;
  std::vector<int> outputs;  // steps
  int inputs = 0;

  static Result<ChainProgram> parse(std::string_view text);
  std::string text() const;
  // INVALID_GRAPH naming the step: counts, operands that come later, types that do not fit.
  Result<void> check();
  bool hasRows() const;
  // Bit k: value k is one a row.
  uint64_t rowValues() const;
  // Bit k: value k is a constant, or made of constants alone.
  uint64_t constantValues() const;
  ElementType inputType(int input) const;
  ElementType outputType(size_t output) const { return steps[static_cast<size_t>(outputs[output])].type; }
};

}  // namespace cutaway::cuda
