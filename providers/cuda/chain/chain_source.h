#pragma once
// CUDA C++ of a chain: one extern "C" kernel that takes ChainArguments by value. Constants stand in the code; sizes and
// strides come with the arguments, so one kernel serves open dimensions.
//
// Flat chains: a thread takes packs of 16 bytes in a grid-stride loop. Row chains: a block takes a row; each row
// reduction walks the row once (the later walks hit the caches). Thread rule: pure. Example: const ChainSource source =
// chainSource(program);  backend.compile(source.text, source.name, store, compiled);

#include <string>

#include "providers/cuda/chain/chain_program.h"

namespace cutaway::cuda {

struct ChainSource {
  std::string name;  // "chain_" and the hash of the program
  std::string text;
  int width = 1;  // elements a thread takes at once where operands lie well
};

ChainSource chainSource(const ChainProgram& program);
// Elements of a pack: 16 bytes of the widest input or output, at most eight.
int chainWidth(const ChainProgram& program);

}  // namespace cutaway::cuda
