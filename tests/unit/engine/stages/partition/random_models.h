#pragma once
// Random models as text, and providers that answer at random about them: sensible groups, or nonsense.
//
// Thread rule: pure; everything follows from the seed.
// Example: const std::string text = randomModelText({.seed = 7, .nodes = 20, .bodies = true});

#include <cstdint>
#include <random>
#include <string>

#include "tests/provider/test_provider.h"

namespace cutaway {

struct RandomModelOptions {
  uint32_t seed = 0;
  int nodes = 12;
  bool bodies = false;
  bool quantized = false;
};
// Floats of [2,3] in and out, a few operators of one and two inputs, Split and Concat; with If nodes that capture
// values, with Q/DQ around operators.
std::string randomModelText(const RandomModelOptions& options);

struct RandomAnswerOptions {
  uint32_t seed = 0;
  bool nonsense = false;    // claims are bent out of shape
  bool takesBodies = true;  // nodes that hold bodies may be claimed
};
// A provider that answers the same when it is asked the same.
TestProviderPlan randomProvider(std::string name, const RandomAnswerOptions& options, const KernelRegistry* kernels);

}  // namespace cutaway
