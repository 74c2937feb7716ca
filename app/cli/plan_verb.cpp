#include "app/cli/plan_verb.h"

#include <charconv>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/plan_print.h"
#include "app/providers/provider_table.h"
#include "engine/report/json.h"
#include "engine/session/choice/auto_choice.h"
#include "engine/study/what_if/compare_plans.h"
#include "engine/study/what_if/what_if.h"

namespace cutaway::cli {
namespace {

constexpr size_t kShownDifferences = 40;

struct PlanVerb {
  SharedOptions shared;
  bool orders = false;
  std::string change;
  std::string sweep;
};

struct Sweep {
  std::string dimension;
  std::vector<int64_t> values;
};

// "batch=1,2,4".
Result<Sweep> parseSweep(const std::string& text) {
  CUTAWAY_TRY(const auto pair, splitPair(text, "--sweep"));
  Sweep sweep{pair.first, {}};
  std::string_view rest = pair.second;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(','), rest.size());
    int64_t value = 0;
    const auto [at, error] = std::from_chars(rest.data(), rest.data() + end, value);
    if (error != std::errc() || at != rest.data() + end || value < 1)
      return fail(ErrorCode::kInvalidArgument, "--sweep {}: '{}' is not a number of 1 or more", text,
                  rest.substr(0, end));
    sweep.values.push_back(value);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (sweep.values.empty())
    return fail(ErrorCode::kInvalidArgument, "--sweep {}: no values; write --sweep {}=1,2,4,8", text, sweep.dimension);
  return sweep;
}

Result<void> writeReport(const PlanVerb& verb, nlohmann::json json) {
  json["schema_version"] = kReportSchemaVersion;
  return verb.shared.writeJson(dumpJson(json, 2));
}

Result<void> show(const PlanVerb& verb, const PlanTable& table) {
  if (verb.shared.json) return writeReport(verb, toJson(table));
  printPlanTable(table);
  return {};
}

Result<void> compare(const PlanVerb& verb, const session::Session& session, const session::SessionOptions& options,
                     Progress& progress) {
  const std::shared_ptr<const Model> kept = session.optimizedModel();
  const Model& optimized = *kept;
  const session::SessionOptions planned = session::settled(options, *session.report());
  if (verb.orders) {
    CUTAWAY_TRY(const PlanTable table, study::compareOrders(optimized, planned, builtProviders(), progress));
    return show(verb, table);
  }
  if (!verb.sweep.empty()) {
    CUTAWAY_TRY(const Sweep sweep, parseSweep(verb.sweep));
    CUTAWAY_TRY(const PlanTable table,
                study::sweepDimension(optimized, planned, builtProviders(), sweep.dimension, sweep.values, progress));
    return show(verb, table);
  }
  CUTAWAY_TRY(const session::Configuration change, session::readConfiguration(verb.change));
  study::WhatIf whatIf(builtProviders());
  CUTAWAY_TRY(const study::WhatIfResult result,
              whatIf.evaluate(optimized, options, change, *session.report(), progress));
  if (verb.shared.json) return writeReport(verb, toJson(*result.plans));
  printPlanComparison(*result.plans, kShownDifferences);
  return {};
}

// What the command line itself gets wrong is found before the model is read.
Result<void> checkQuestion(const PlanVerb& verb) {
  if (!verb.sweep.empty()) CUTAWAY_CHECK(parseSweep(verb.sweep));
  if (!verb.change.empty()) CUTAWAY_CHECK(session::readConfiguration(verb.change));
  return {};
}

int ask(PlanVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  if (const Result<void> checked = checkQuestion(verb); !checked) return usageError(checked.error());
  Result<session::SessionOptions> options = verb.shared.sessionOptions(Stage::kPattern, false);
  if (!options) return usageError(options.error());
  options->keepOptimized = true;
  ConsoleProgress progress;
  const auto session =
      session::Session::create(load::ModelSource::file(verb.shared.model), *options, builtProviders(), progress);
  if (!session) return reportError(session.error());
  const Result<void> done = compare(verb, **session, *options, progress);
  return done ? kDone : reportError(done.error());
}

}  // namespace

std::function<int()> declarePlanVerb(CLI::App& command, Stage lastStage, PrintWalk print, ExtendJson extend,
                                     AfterPlan after) {
  auto verb = std::make_shared<PlanVerb>();
  verb->shared.declare(command);
  verb->shared.declareJson(command);
  auto* orders = command.add_flag("--compare-orders", verb->orders,
                                  "plan with every order and show peak, bound and buffers side by side");
  auto* change =
      command.add_option("--what-if", verb->change,
                         "plan again with this configuration and show what changes, value by value: a file that ends "
                         "in .json, or a line such as \"plan=onnxruntime\" or \"order=memory; in-place=0\"");
  auto* sweep =
      command
          .add_option("--sweep", verb->sweep, "plan for several sizes of one symbolic dimension, such as batch=1,2,4,8")
          ->type_name("NAME=N,N,...");
  change->type_name("FILE|LINE")->excludes(orders)->excludes(sweep);
  sweep->excludes(orders);
  return [verb, lastStage, print = std::move(print), extend = std::move(extend), after = std::move(after)] {
    if (verb->orders || !verb->change.empty() || !verb->sweep.empty()) return ask(*verb);
    const AfterWalk text = [&](session::Session& session, const CancelToken& cancel) {
      return verb->shared.json || !after ? Result<void>() : after(verb->shared, *session.report(), cancel);
    };
    return runStageVerb(verb->shared, lastStage, print, text, extend);
  };
}

}  // namespace cutaway::cli
