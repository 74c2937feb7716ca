#pragma once
// A provider that does what a test tells it: claims these nodes, compiles these groups, fails to compile those, keeps
// contexts of them or not.
//
// Compiled groups run node by node on the kernels given by the test, so that results can be checked.
// Thread rule: as any provider.
// Example:
//   auto provider = makeTestProvider({.name = "npu", .groups = {{"conv", "relu"}}, .innerKernels = &cpuKernels});

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

// How often a provider was called; shared with the test, as the provider moves into a session.
struct TestProviderCounts {
  std::atomic<int64_t> compiled{0}, exported{0}, restored{0};
  std::atomic<int64_t> contextNodesOffered{0};  // must stay 0: capability() never sees EPContext nodes
};

// Contexts: a group is kept as its graph, weights in sections of their own, and restored by interpreting it on
// `innerKernels`.
struct TestContexts {
  ContextKind kind = ContextKind::kNone;
  std::string reason, sdkVersion, hardware;
  std::string compatibility;  // compatibilityInfo(); the same text is OPTIMAL
  // Instead of the above, or in front of it where they return nothing. They may throw and hang.
  std::function<std::optional<Error>(const ContextExport&, const Progress&)> onExport{};
  std::function<std::optional<Error>(const ContextRestore&, const Progress&)> onRestore{};
  std::function<CompatibilityVerdict(std::string_view)> onCompatibility{};
  std::vector<InplaceHint> inplace{};   // of restored kernels, by port
  bool withoutKernel = false;           // restores nothing and says that all is well
  std::vector<Attribute> attributes{};  // of its own, on the nodes of what it exports
};

struct TestProviderPlan {
  std::string name = "test";
  bool ownDevice = false;                        // values live on a device of its own (host memory under another name)
  std::vector<std::vector<std::string>> groups;  // node names; each list is one group with a MetaDef
  std::set<std::string> singles;                 // node names claimed one by one, without MetaDef
  std::set<std::string> groupOperators;          // operators: every free node of these, each as a group of its own
  std::set<std::string> failing;                 // a group that contains one of these nodes fails to compile
  const KernelRegistry* innerKernels = nullptr;  // runs the nodes of compiled groups
  const KernelRegistry* kernels = nullptr;       // runs single nodes
  // Instead of the above: whatever these say, nonsense included. They may throw and hang.
  std::function<Result<CapabilityAnswer>(const CapabilityRequest&)> answer{};
  std::function<Result<std::vector<CompiledNode>>(std::span<const FusedSubGraph>, const Progress&)> onCompile{};
  std::function<void()> onEnd{};  // called when the provider is destroyed
  bool simulated = false;
  std::vector<std::string> deviceWords{};
  TestContexts contexts{};
  std::shared_ptr<TestProviderCounts> counts{};
};

std::unique_ptr<ExecutionProvider> makeTestProvider(TestProviderPlan plan);

}  // namespace cutaway
