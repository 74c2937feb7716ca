#pragma once
// A provider whose compiled groups can be kept in context binaries, around the test provider: says what a test wants
// about versions and hardware, fails and throws where it is told, and counts.
//
// Groups are kept as graphs and restored by interpreting them on the plain kernels (plain_cpu.h), so that results can
// be compared bit for bit. Thread rule: one test at a time; the plans are global, because a provider table holds plain
// functions. Example: keeperPlan() = {};  keeperPlan().test.groups = {{"a", "b"}};  options.providers = {"keeper"};
// Session::create(..., keeperTable(), ...);

#include <functional>
#include <string>

#include "engine/provider/execution_provider.h"
#include "tests/provider/test_provider.h"

namespace cutaway {

struct KeepingPlan {
  TestProviderPlan test{};
  ContextKind kind = ContextKind::kCompiled;
  std::string reason{};
  std::string sdkVersion = "1.0", hardware = "bench";
  std::string information{};  // compatibilityInfo()
  std::function<CompatibilityVerdict(std::string_view)> judge{};
  std::function<Result<void>(const std::string& node)> onExport{};  // may fail or throw; otherwise the group is kept
  std::function<Result<void>(const ContextRestore&)> onRestore{};   // likewise
  int compiled = 0, restored = 0;                                   // counted by the provider
  std::function<void()> onCompile{};
};

// Providers "keeper" and "other", and cpu behind them.
KeepingPlan& keeperPlan();
KeepingPlan& otherPlan();
ProviderTable keeperTable();

}  // namespace cutaway
