// cutaway-check-plans [--order NAME]... [--plan RULES]... [--workers N]... [--edges] [--opt-level N] MODEL...: walks
// each model to its partition once, plans it anew for every order, set of rules and number of workers, and has the
// independent plan checker judge every plan, bodies included. --edges: kernels are made, too, and the edges of the
// dataflow executor are judged. A line a violation; last `N passed, N failed, N skipped`, where skipped are models that
// a stage refused before there was a plan.

#include <cstdio>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/providers/provider_table.h"
#include "engine/base/log.h"
#include "engine/execute/dataflow/dataflow_plan.h"
#include "engine/plan/graph_hints.h"
#include "engine/session/walk/walk.h"
#include "tests/checker/plan_checker.h"

namespace {

using namespace cutaway;

struct Wanted {
  std::vector<std::string> orders = {"default"};
  std::vector<std::string> rules = {"cutaway"};
  std::vector<int> workers = {1};
  bool edges = false;
};

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

constexpr size_t kMostProvenSteps = 3000;  // the proof takes a bit for every pair of steps

bool isLoopBody(const plan::PlannedGraph& planned) {
  return planned.parent != nullptr && planned.parent->node(planned.parentNode).opType == "Loop";
}

// What the patterns of the bodies of each step need, where the pattern around them has room for bodies at all.
std::vector<std::pair<int32_t, pattern::BodyNeed>> bodyNeedsOf(const plan::PlannedGraph& around,
                                                               const std::vector<plan::PlannedGraph>& all) {
  std::vector<std::pair<int32_t, pattern::BodyNeed>> needs;
  if (around.pattern == nullptr || around.pattern->bodies.empty()) return needs;
  for (const plan::PlannedGraph& body : all) {
    if (body.parent != around.graph || body.pattern == nullptr) continue;
    for (const pattern::MemoryPattern& each : body.pattern->patterns)
      needs.emplace_back(around.order.stepOfNode[body.parentNode.index()],
                         pattern::BodyNeed{each.device, each.peakBytes});
  }
  return needs;
}

// The executor's edges between steps; its joins stand for all edges through them.
std::vector<StepEdge> edgesOf(const execute::DataflowPlan& plan) {
  std::vector<std::vector<int32_t>> before(plan.nodes - plan.steps);
  std::vector<StepEdge> edges;
  for (size_t node = 0; node < plan.steps; ++node) {
    for (const uint32_t next : plan.successors.row(node)) {
      if (next < plan.steps) {
        edges.push_back({static_cast<int32_t>(node), static_cast<int32_t>(next)});
      } else {
        before[next - plan.steps].push_back(static_cast<int32_t>(node));
      }
    }
  }
  for (size_t join = 0; join < before.size(); ++join) {
    for (const uint32_t next : plan.successors.row(plan.steps + join)) {
      for (const int32_t from : before[join])
        edges.push_back({from, static_cast<int32_t>(next)});
    }
  }
  return edges;
}

// What is wrong with these plans, a line each; empty when nothing is.
Result<std::string> violationsOf(const session::Walk& walk, const plan::PlanOptions& options, bool edges,
                                 const Progress& progress) {
  plan::PlanWalk plans(*walk.model);
  CUTAWAY_TRY(const ScheduleReport schedules, plans.schedule(options, walk.providers, walk.compiled, progress));
  CUTAWAY_TRY(const AllocateReport allocated, plans.allocate(options, progress));
  CUTAWAY_TRY(const PatternReport patterns, plans.pattern(options, progress));
  execute::Program program;
  if (edges) {
    // A model that a kernel refuses has plans, and no edges to judge.
    Result<execute::Program> built = execute::buildProgram(
        {.graphs = plans.graphs(), .providers = walk.providers, .compiled = &walk.compiled}, progress);
    edges = built.has_value();
    if (built) program = *std::move(built);
  }
  std::string text;
  for (size_t i = 0; i < plans.graphs().size(); ++i) {
    const plan::PlannedGraph& planned = plans.graphs()[i];
    const MemoryHints hints = plan::memoryHintsOf(*planned.graph, walk.providers, walk.compiled);
    const PlanToCheck plan{.graph = *planned.graph,
                           .order = planned.order,
                           .allocation = planned.allocation,
                           .hints = hints,
                           .pattern = planned.pattern.get(),
                           .isLoopBody = isLoopBody(planned),
                           .rules = options.rules,
                           .workers = planned.parent == nullptr ? options.workers : 1,
                           .bodyNeeds = bodyNeedsOf(planned, plans.graphs())};
    text += describeViolations(checkPlan(plan));
    for (const GraphSchedule& schedule : schedules.graphs) {
      if (schedule.graph == planned.graphIndex)
        text += describeViolations(checkStreams(*planned.graph, planned.order, schedule));
    }
    if (!edges || planned.order.steps.size() > kMostProvenSteps) continue;
    CUTAWAY_TRY(const execute::DataflowPlan dataflow,
                execute::planDataflow(*program.graphs[i], planned.pattern.get(), {}));
    text += describeViolations(checkEdges(plan, edgesOf(dataflow)));
  }
  return text;
}

void checkModel(const std::string& path, const session::SessionOptions& options, const Wanted& wanted,
                const ProviderTable& table, Tally& tally) {
  const load::ModelSource source = load::ModelSource::file(path);
  const session::WalkListener nobody;
  Progress progress;
  session::Walk walk(source, options, table, progress, nobody);
  if (const Result<void> walked = walk.run(); !walked) {
    ++tally.skipped;
    return;
  }
  bool good = true;
  for (const std::string& order : wanted.orders) {
    for (const std::string& rules : wanted.rules) {
      for (const int workers : wanted.workers) {
        plan::PlanOptions planning;
        planning.order = order;
        if (const Result<void> known = planning.followRules(rules); !known) {
          good = false;
          std::printf("%s\n", known.error().message.c_str());
          continue;
        }
        planning.workers = workers;
        const bool edges = wanted.edges && workers > 1;  // the dataflow executor runs plans for several workers only
        const Result<std::string> found = violationsOf(walk, planning, edges, progress);
        const std::string violations = found ? *found
                                       : found.error().code == ErrorCode::kNotImplemented
                                           ? std::string()
                                           : found.error().message + "\n";
        if (violations.empty()) continue;
        good = false;
        std::printf("%s, %s order, %s rules, %d workers:\n%s\n", path.c_str(), order.c_str(), rules.c_str(), workers,
                    violations.c_str());
      }
    }
  }
  ++(good ? tally.passed : tally.failed);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Judges the plans of models with the independent plan checker"};
  std::vector<std::string> models;
  Wanted wanted;
  session::SessionOptions options;
  options.prepareRun = false;
  options.lastStage = Stage::kPartition;
  app.add_option("models", models, "model files")->required();
  app.add_option("--order", wanted.orders, "order policies")->delimiter(',')->allow_extra_args(false);
  app.add_option("--plan", wanted.rules, "rules: cutaway, onnxruntime, onnxruntime-counters")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--workers", wanted.workers, "numbers of workers")->delimiter(',')->allow_extra_args(false);
  app.add_flag("--edges", wanted.edges, "judge the edges of the dataflow executor, too");
  app.add_option("--opt-level", options.optimizationLevel, "optimisation level");
  CLI11_PARSE(app, argc, argv);

  if (const Result<void> quiet = log::setLevel("off"); !quiet) return 2;
  const ProviderTable table = builtProviders();
  Tally tally;
  for (const std::string& path : models)
    checkModel(path, options, wanted, table, tally);
  std::printf("%d passed, %d failed, %d skipped\n", tally.passed, tally.failed, tally.skipped);
  return tally.failed == 0 ? 0 : 1;
}
