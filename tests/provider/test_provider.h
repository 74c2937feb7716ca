#pragma once
// A provider that does what a test tells it: claims these nodes, compiles these groups, fails to compile those.
//
// Compiled groups run node by node on the kernels given by the test, so that results can be checked.
// Thread rule: as any provider.
// Example:
//   auto provider = makeTestProvider({.name = "npu", .groups = {{"conv", "relu"}}, .innerKernels = &cpuKernels});

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

struct TestProviderPlan {
  std::string name = "test";
  bool ownDevice = false;                         // values live on a device of its own (host memory under another name)
  std::vector<std::vector<std::string>> groups;   // node names; each list is one group with a MetaDef
  std::set<std::string> singles;                  // node names claimed one by one, without MetaDef
  std::set<std::string> groupOperators;           // operators: every free node of these, each as a group of its own
  std::set<std::string> failing;                  // a group that contains one of these nodes fails to compile
  const KernelRegistry* innerKernels = nullptr;   // runs the nodes of compiled groups
  const KernelRegistry* kernels = nullptr;        // runs single nodes
  // Instead of the above: whatever these say, nonsense included. They may throw and hang.
  std::function<Result<CapabilityAnswer>(const CapabilityRequest&)> answer{};
  std::function<Result<std::vector<CompiledNode>>(std::span<const FusedSubGraph>, const Progress&)> onCompile{};
  std::function<void()> onEnd{};                  // called when the provider is destroyed
  bool simulated = false;
};

std::unique_ptr<ExecutionProvider> makeTestProvider(TestProviderPlan plan);

}  // namespace cutaway
