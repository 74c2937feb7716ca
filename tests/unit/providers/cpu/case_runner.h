#pragma once
// Runs an ONNX backend case (a folder with model.onnx and test_data_set_*) on kernels alone, and compares with what the
// case expects.
//
// Thread rule: each call stands alone.
// Example: const CaseOutcome outcome = runCase("build/test-data/backend/node/test_abs", cpuKernels());

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

namespace cutaway::testing {

struct CaseOutcome {
  enum class Verdict { kPassed, kFailed, kNoKernel } verdict = Verdict::kPassed;
  std::string message;
};

// set: what to change about the interpreter before it runs.
CaseOutcome runCase(const std::filesystem::path& folder, const KernelRegistry& kernels,
                    const std::function<void(GraphInterpreter&)>& set = {});

// The operators that a case's model uses, bodies included ("" when it cannot be read).
std::vector<std::string> operatorsOf(const std::filesystem::path& folder);

// Empty when equal within the tolerance, else what differs first.
std::string difference(const RuntimeValue& wanted, const RuntimeValue& given, double relative, double absolute);

}  // namespace cutaway::testing
