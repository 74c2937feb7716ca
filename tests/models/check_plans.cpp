// cutaway-check-plans [--order NAME] [--opt-level N] MODEL...: walks each model to its plans and has the independent plan
// checker judge every one of them, bodies included. A line a violation; last `N passed, N failed, N skipped`, where skipped
// are models that a stage refused before there was a plan.

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/providers/provider_table.h"
#include "engine/base/log.h"
#include "engine/runtime/walk.h"
#include "tests/checker/plan_checker.h"

namespace {

using namespace cutaway;

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

bool isLoopBody(const PlannedGraph& planned) { return planned.parent != nullptr && planned.parent->node(planned.parentNode).opType == "Loop"; }

// What is wrong with the plans of one walk, a line each; empty when nothing is.
std::string violationsOf(const Walk& walk) {
  std::string text;
  for (const PlannedGraph& planned : walk.plans->graphs()) {
    const MemoryHints hints = memoryHintsOf(*planned.graph, walk.providers, walk.compiled);
    const PlanToCheck plan{*planned.graph, planned.order, planned.allocation, hints, planned.pattern.get(), isLoopBody(planned)};
    text += describeViolations(checkPlan(plan));
  }
  return text;
}

void checkModel(const std::string& path, const SessionOptions& options, const ProviderTable& table, Tally& tally) {
  const ModelSource source = ModelSource::file(path);
  const WalkListener nobody;
  Progress progress;
  Walk walk(source, options, table, progress, nobody);
  if (const Result<void> walked = walk.run(); !walked) {
    ++tally.skipped;
    return;
  }
  const std::string violations = violationsOf(walk);
  if (violations.empty()) {
    ++tally.passed;
    return;
  }
  ++tally.failed;
  std::printf("%s:\n%s\n", path.c_str(), violations.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Judges the plans of models with the independent plan checker"};
  std::vector<std::string> models;
  SessionOptions options;
  options.prepareRun = false;
  app.add_option("models", models, "model files")->required();
  app.add_option("--order", options.order, "order policy");
  app.add_option("--opt-level", options.optimizationLevel, "optimisation level");
  CLI11_PARSE(app, argc, argv);

  if (const Result<void> quiet = log::setLevel("off"); !quiet) return 2;
  const ProviderTable table = builtProviders();
  Tally tally;
  for (const std::string& path : models) checkModel(path, options, table, tally);
  std::printf("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally.failed == 0 ? 0 : 1;
}
