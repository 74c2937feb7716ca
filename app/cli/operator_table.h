#pragma once
// What a provider's kernels cover: one row for every version of every operator, from the schemas and the kernel
// registry.
//
// Thread rule: pure. Example: for (const OperatorCoverage& row : operatorCoverage(*provider.kernels())) ...

#include <cstdint>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cli {

struct OperatorCoverage {
  std::string domain, opType;
  int32_t firstVersion = 0, lastVersion = 0;  // of the schema; lastVersion 0: up to the newest
  enum class How { kKernel, kFunctionBody, kRewritten, kNone } how = How::kNone;
  std::vector<std::string> types;    // element types of the first input (the first output without inputs) that run
  std::vector<std::string> leftOut;  // those that the schema allows beside them
  std::string fastPath;              // empty: the reference loop
  std::vector<std::string> inPlace;  // "0 -> 0", "alias 0 -> 0"
  std::vector<int> hostInputs, shapeOnlyInputs;
};

// Sorted by domain, operator and version; withdrawn versions only where there is a kernel for them.
std::vector<OperatorCoverage> operatorCoverage(const KernelRegistry& registry);

// "int8-64 uint8-64 float16 float": complete groups of types in one word.
std::string typesText(const std::vector<std::string>& types);
std::string_view howText(OperatorCoverage::How how);

}  // namespace cutaway::cli
