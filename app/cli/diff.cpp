// diff: two models compared by names, structure and weights.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/node_label.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"
#include "engine/base/node_name.h"
#include "engine/base/printable.h"
#include "engine/report/json.h"
#include "engine/report/json_diff.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/study/difference/diff_models.h"

namespace cutaway::cli {

namespace {

struct DiffVerb {
  SharedOptions shared;
  std::string other;
  bool all = false;
  bool ignoreNames = false;
};

struct Sides {
  ModelGraphs a, b;
  ModelDiff diff;
};

bool isName(const std::string& change) {
  return change.starts_with("name ");
}

// Names of nodes and values alone make no difference then.
void forgetNames(ModelDiff& diff) {
  for (NodeDiff& node : diff.nodes) {
    std::erase_if(node.changes, isName);
    if (node.kind != DiffKind::kChanged || !node.changes.empty()) continue;
    node.kind = DiffKind::kSame;
    --diff.changed;
    ++diff.same;
  }
  for (ValueDiff& value : diff.values) {
    std::erase_if(value.changes, isName);
    if (value.kind != DiffKind::kChanged || !value.changes.empty()) continue;
    value.kind = DiffKind::kSame;
    --diff.valuesDiffer;
  }
}

Result<Sides> compare(const DiffVerb& verb, Progress& progress) {
  CUTAWAY_TRY(const load::LoadResult a,
              load::load(load::ModelSource::file(verb.shared.model), {.allowMissingExternalData = true}, progress));
  CUTAWAY_TRY(const load::LoadResult b,
              load::load(load::ModelSource::file(verb.other), {.allowMissingExternalData = true}, progress));
  progress.begin("Compare", "matching nodes");
  CUTAWAY_TRY(ModelDiff diff, study::diffModels(a.model, b.model, progress.token()));
  return Sides{resolve::describeGraphs(a.model), resolve::describeGraphs(b.model), std::move(diff)};
}

std::string nameOf(const ModelGraphs& graphs, int32_t graph, int32_t node) {
  if (node == kNone) return "-";
  const NodeReport& report = graphs.graphs[static_cast<size_t>(graph)].nodes[static_cast<size_t>(node)];
  return nodeName(report.name, report.opType, static_cast<size_t>(node));
}

std::string operatorOf(const Sides& sides, const NodeDiff& node) {
  const bool inA = node.nodeA != kNone;
  return (inA ? sides.a.graphs[static_cast<size_t>(node.graphA)].nodes[static_cast<size_t>(node.nodeA)]
              : sides.b.graphs[static_cast<size_t>(node.graphB)].nodes[static_cast<size_t>(node.nodeB)])
      .opType;
}

void printDiff(const Sides& sides, bool all) {
  const ModelDiff& diff = sides.diff;
  for (const std::string& fact : diff.facts)
    put("{}\n", printable(fact));
  TextTable nodes({"", "operator", "A", "B", "by", "changes"});
  for (const NodeDiff& node : diff.nodes) {
    if (node.kind == DiffKind::kSame) continue;
    nodes.add({diffKindName(node.kind), operatorOf(sides, node), nameOf(sides.a, node.graphA, node.nodeA),
               nameOf(sides.b, node.graphB, node.nodeB), node.matchedBy,
               fmt::format("{}", fmt::join(node.changes, "; "))});
  }
  if (!nodes.empty()) nodes.print(all ? 0 : 40, all ? 400 : 60);
  TextTable values({"", "value", "A", "B", "changes"});
  for (const ValueDiff& value : diff.values)
    if (value.kind != DiffKind::kSame)
      values.add({diffKindName(value.kind), value.what, value.nameA.empty() ? "-" : value.nameA,
                  value.nameB.empty() ? "-" : value.nameB, fmt::format("{}", fmt::join(value.changes, "; "))});
  if (!values.empty()) {
    put("\n");
    values.print(all ? 0 : 40, all ? 400 : 60);
  }
  if (!diff.identical()) put("\n");
  put("nodes: {} same, {} changed, {} only in A, {} only in B; {} inputs, outputs and weights differ\n",
      formatCount(diff.same), formatCount(diff.changed), formatCount(diff.onlyA), formatCount(diff.onlyB),
      formatCount(diff.valuesDiffer));
}

nlohmann::json toJson(const Sides& sides, bool all) {
  nlohmann::json json = diffToJson(sides.diff, all);
  json["schema_version"] = kReportSchemaVersion;
  for (nlohmann::json& node : json["nodes"]) {
    node["name_a"] = nameOf(sides.a, node["graph_a"], node["node_a"]);
    node["name_b"] = nameOf(sides.b, node["graph_b"], node["node_b"]);
  }
  return json;
}

int runDiff(DiffVerb& verb) {
  if (const Result<void> settled = verb.shared.settle(); !settled) return usageError(settled.error());
  Result<Sides> sides;
  {
    ConsoleProgress progress;
    sides = compare(verb, progress);
  }
  if (!sides) return reportError(sides.error());
  if (verb.ignoreNames) forgetNames(sides->diff);
  if (verb.shared.json) {
    if (const Result<void> written = verb.shared.writeJson(dumpJson(toJson(*sides, verb.all), 2)); !written)
      return reportError(written.error());
  } else {
    printDiff(*sides, verb.all);
  }
  return sides->diff.identical() ? kDone : kCheckFailed;
}

}  // namespace

Verb verb_diff() {
  return {.name = "diff",
          .help =
              "two models compared node by node: by names, by structure, and weights byte by byte; exit code 1 when "
              "they differ",
          .example = "cutaway-cli diff before.onnx after.onnx --ignore-names",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto verb = std::make_shared<DiffVerb>();
            command.add_option("A", verb->shared.model, "one model")->required();
            command.add_option("B", verb->other, "the other one")->required();
            command.add_flag("--ignore-names", verb->ignoreNames, "other names of nodes and values are no difference");
            command.add_flag("--all", verb->all,
                             "every difference, not the first 40, and uncut; in JSON what is the same, too");
            verb->shared.declareJson(command);
            return [verb] { return runDiff(*verb); };
          }};
}

}  // namespace cutaway::cli
