#include "engine/study/what_if/what_if.h"

#include <algorithm>
#include <exception>

#include "engine/base/clock.h"
#include "engine/base/exception_text.h"
#include "engine/profile/statistics.h"
#include "engine/report/within_noise.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/session/walk/later_stages.h"
#include "engine/session/walk/session_providers.h"
#include "engine/study/what_if/compare_plans.h"
#include "engine/study/what_if/estimate.h"
#include "engine/study/what_if/machine_speed.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::study {

struct WhatIf::State {
  ProviderTable table;
  std::map<std::string, std::optional<DeviceSpeed>> speeds;  // by provider name, of every provider seen so far

  void learnSpeeds(const std::vector<std::unique_ptr<ExecutionProvider>>& providers) {
    for (const auto& provider : providers)
      speeds[provider->name()] = provider->speed();
  }
};

namespace {

// Parts of a change that what-if, which starts behind the optimizer, cannot show.
std::vector<std::string> notShown(const session::SessionOptions& now, const session::Configuration& change) {
  std::vector<std::string> warnings;
  if (change.optimizationLevel && *change.optimizationLevel != now.optimizationLevel)
    warnings.emplace_back(
        "opt-level: the model is compared as it was optimised; another level shows once the configuration is applied");
  const bool dims = std::ranges::any_of(change.dims, [&](const auto& dim) {
    const auto found = now.dims.find(dim.first);
    return found == now.dims.end() || found->second != dim.second;
  });
  if (dims)
    warnings.emplace_back(
        "dims: shapes are those of the model in hand; other dimensions show once the configuration is applied");
  return warnings;
}

WalkReport startOf(const WalkReport& present) {
  WalkReport walk = present;
  for (size_t stage = static_cast<size_t>(Stage::kPartition); stage < static_cast<size_t>(kStageCount); ++stage)
    walk.stages[stage] = {};
  walk.error.reset();
  walk.partition = nullptr;
  walk.partitionedGraphs = nullptr;
  walk.schedule = nullptr;
  walk.allocate = nullptr;
  walk.pattern = nullptr;
  walk.run = nullptr;
  return walk;
}

Result<void> runStages(const session::LaterStages& stages, WalkReport& walk, Progress& progress) {
  for (const Stage which : {Stage::kPartition, Stage::kSchedule, Stage::kAllocate, Stage::kPattern}) {
    if (progress.cancelled()) return fail(cancelledError());
    progress.begin(stageTitle(which), "what if");
    const Stopwatch watch;
    try {
      CUTAWAY_CHECK(stages.run(which, walk));
    } catch (const std::exception& exception) {
      return fail(ErrorCode::kRuntimeException, "{}", exceptionText(exception));
    }
    walk.stages[static_cast<size_t>(which)] = {.state = StageState::kDone, .timeNs = watch.elapsedNs()};
  }
  return {};
}

// Really runs one side. What keeps it from running is a warning: the other side's time is still worth knowing.
std::vector<double> measureSide(const Model& optimized, session::SessionOptions options, const ProviderTable& table,
                                int runs, Progress& progress, PartitionFigures& figures) {
  options.prepareRun = true;
  options.keepOptimized = false;
  options.lastStage = Stage::kPattern;
  const std::shared_ptr<const Model> model(&optimized, [](const Model*) {});  // outlives the session
  const auto session = session::Session::create(load::ModelSource::loaded(model), options, table, progress);
  const auto without = [&](const Error& error) {
    figures.warnings.push_back("not measured: " + describe(error));
    return std::vector<double>();
  };
  if (!session) return without(session.error());
  const auto feeds = session::randomFeeds(**session, 0, options.dims, progress.token());
  if (!feeds) return without(feeds.error());
  const auto report = session::measure(**session, *feeds, {.runs = runs, .warmups = 1}, progress.token());
  if (!report) return without(report.error());
  figures.measuredNs = static_cast<int64_t>(report->medianMs * 1e6);
  return report->runMs;
}

void addBasis(const PartitionFigures& figures, const SpeedTable& speeds, const MachineSpeed& machine,
              const std::string& last, std::vector<std::string>& basis) {
  const auto add = [&](std::string line) {
    if (std::ranges::find(basis, line) == basis.end()) basis.push_back(std::move(line));
  };
  add(last + ": " + machine.basis);
  for (const ProviderFigures& provider : figures.providers) {
    if (provider.provider == last) continue;
    const auto found = speeds.providers.find(provider.provider);
    const bool declared = found != speeds.providers.end() && found->second;
    if (!declared) {
      add(fmt::format("{}: {}", provider.provider,
                      provider.simulated
                          ? "its profile declares no speeds"
                          : "computes on this CPU: " + last + "'s figures, a launch per compiled group"));
      continue;
    }
    const DeviceSpeed& speed = *found->second;
    const std::string link = speed.linkBytesPerSecond > 0
                                 ? fmt::format("link {:.1f} GB/s", speed.linkBytesPerSecond / 1e9)
                                 : std::string("link as this machine's memory");
    add(fmt::format("{}: {:.0f} GFLOP/s, {:.1f} GB/s, {}, {:.1f} µs a launch, {:.1f} µs a transfer, {}",
                    provider.provider, speed.flopsPerSecond / 1e9, speed.memoryBytesPerSecond / 1e9, link,
                    speed.launchNs / 1e3, speed.transferNs / 1e3,
                    provider.simulated ? "declared by its profile" : "given by the provider"));
  }
}

}  // namespace

WhatIf::WhatIf(const ProviderTable& table) : m_state(std::make_unique<State>(State{.table = table, .speeds = {}})) {}
WhatIf::~WhatIf() = default;

Result<WhatIfResult> WhatIf::evaluate(const Model& optimized, const session::SessionOptions& asked,
                                      const session::Configuration& change, const WalkReport& present,
                                      Progress& progress, int measureRuns) {
  if (present.partition == nullptr)
    return fail(ErrorCode::kInvalidArgument, "what-if needs a partition to compare with, and this session has none");
  const HeapLimit limit(asked.memoryLimitBytes);
  const session::SessionOptions options = session::settled(asked, present);
  const bool isAuto = present.choice != nullptr && present.choice->basis != ChoiceBasis::kNamed;
  session::SessionOptions changed = options;
  CUTAWAY_CHECK(change.applyTo(changed, m_state->table));
  changed.prepareRun = false;
  CUTAWAY_TRY(const session::SessionConfig config, session::readSessionConfig(changed, m_state->table));
  session::HeldProviders held;
  CUTAWAY_TRY(held.providers, session::createProviders(changed, m_state->table));
  m_state->learnSpeeds(held.providers);
  const bool allKnown = std::ranges::all_of(
      present.partition->providers, [&](const ProviderSummary& each) { return m_state->speeds.contains(each.name); });
  if (!allKnown) {
    if (const auto before = session::createProviders(options, m_state->table)) m_state->learnSpeeds(*before);
  }

  Model model = optimized;
  std::map<std::string, CompiledNode> compiled;
  std::unique_ptr<plan::PlanWalk> plans;
  WalkReport walk = startOf(present);
  const session::LaterStages stages{
      .model = model,
      .providers = held.providers,
      .options = changed,
      .config = config,
      .progress = progress,
      .compiled = compiled,
      .plans = plans,
      .choice = isAuto && changed.providers == options.providers ? present.choice.get() : nullptr,
      .compile = false};
  CUTAWAY_CHECK(runStages(stages, walk, progress));

  PlanComparison planned = comparePlans(present, walk);
  PartitionComparison comparison = comparePartitions(present, walk);
  const MachineSpeed machine = machineSpeed(m_state->table, options.threads);
  const std::string last = lastResort(m_state->table);
  const SpeedTable speeds{.cpu = machine.speed, .providers = m_state->speeds};
  estimateTimes(present, speeds, comparison.a);
  estimateTimes(walk, speeds, comparison.b);
  addBasis(comparison.a, speeds, machine, last, comparison.estimateBasis);
  addBasis(comparison.b, speeds, machine, last, comparison.estimateBasis);
  for (std::string& warning : notShown(options, change))
    comparison.b.warnings.push_back(std::move(warning));
  if (measureRuns > 0) {
    const std::vector<double> before =
        measureSide(optimized, options, m_state->table, measureRuns, progress, comparison.a);
    const std::vector<double> after =
        measureSide(optimized, changed, m_state->table, measureRuns, progress, comparison.b);
    // What is not told apart by more than chance is not called faster or slower.
    if (!before.empty() && !after.empty() && !comparison.a.simulated && !comparison.b.simulated &&
        !profile::differBeyondChance(before, after))
      comparison.b.warnings.emplace_back(kWithinNoise);
    if (progress.cancelled()) return fail(cancelledError());
  }
  return WhatIfResult{.walk = std::make_shared<const WalkReport>(std::move(walk)),
                      .comparison = std::make_shared<const PartitionComparison>(std::move(comparison)),
                      .plans = std::make_shared<const PlanComparison>(std::move(planned)),
                      .configuration = session::configurationOf(changed)};
}

}  // namespace cutaway::study
