#include "app/cli/derived_lists.h"

#include <nlohmann/json.hpp>

#include "app/cli/console_progress.h"
#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/report/json.h"
#include "engine/study/derive/derive_lists.h"

namespace cutaway::cli {

namespace {

struct ListRow {
  const char* key;
  const char* title;
  std::vector<std::string> InputOutputLists::* names;
};
constexpr ListRow kLists[] = {{"inputs", "inputs including initializers", &InputOutputLists::inputs},
                              {"required_inputs", "inputs excluding initializers", &InputOutputLists::requiredInputs},
                              {"overridable", "overridable initializers", &InputOutputLists::overridable},
                              {"outputs", "outputs", &InputOutputLists::outputs},
                              {"intermediates", "value_info (intermediates)", &InputOutputLists::intermediates}};

std::string listText(const std::vector<std::string>& names) {
  return names.empty() ? "-" : fmt::format("{}: {}", names.size(), fmt::join(names, " "));
}

void printGraph(const DerivedLists& derived, bool trace) {
  TextTable lists({"list", "file", "nodes"});
  for (const ListRow& row : kLists)
    lists.add({row.title, listText(derived.declared.*row.names), listText(derived.derived.*row.names)});
  lists.print(0, 60);
  put("\n{}\n", derived.differences.empty() ? "no differences" : "differences");
  for (const ListDifference& each : derived.differences)
    put("  {}: {}\n", each.list, each.text);
  if (!trace) return;
  TextTable steps({">step", "rule", "list", "what"});
  int64_t number = 0;
  for (const ResolveStep& step : derived.steps)
    steps.add({fmt::format("{}", ++number), step.rule, step.list.empty() ? "" : (step.added ? "+ " : "- ") + step.list,
               step.text});
  put("\nstep by step over the nodes\n");
  steps.print(0, 110);
}

void printText(const DerivedInputsOutputs& derived, bool trace) {
  put("as the file lists them, and as the nodes give them (as if the graph had been built in memory)\n");
  printGraph(derived, trace);
  for (const DerivedLists& body : derived.bodies) {
    put("\n{}\n", body.title);
    printGraph(body, trace);
  }
}

nlohmann::json listsToJson(const InputOutputLists& lists) {
  nlohmann::json json;
  for (const ListRow& row : kLists)
    json[row.key] = lists.*row.names;
  return json;
}

nlohmann::json graphToJson(const DerivedLists& derived) {
  nlohmann::json differences = nlohmann::json::array(), steps = nlohmann::json::array();
  for (const ListDifference& each : derived.differences)
    differences.push_back({{"list", each.list}, {"value", each.value}, {"text", each.text}});
  for (const ResolveStep& step : derived.steps) {
    steps.push_back({{"node", step.node},
                     {"value", step.value},
                     {"rule", step.rule},
                     {"list", step.list},
                     {"added", step.added},
                     {"text", step.text}});
  }
  return {{"declared", listsToJson(derived.declared)},
          {"derived", listsToJson(derived.derived)},
          {"differences", std::move(differences)},
          {"steps", std::move(steps)}};
}

nlohmann::json derivedToJson(const DerivedInputsOutputs& derived) {
  nlohmann::json json = graphToJson(derived);
  json["schema_version"] = 1;
  nlohmann::json& bodies = json["bodies"] = nlohmann::json::array();
  for (const DerivedLists& body : derived.bodies) {
    bodies.push_back(graphToJson(body));
    bodies.back()["graph"] = body.graph;
    bodies.back()["title"] = body.title;
  }
  return json;
}

}  // namespace

int printDerived(SharedOptions& options, const resolve::ManualLists& manual, bool trace) {
  if (const Result<void> settled = options.settle(); !settled) return usageError(settled.error());
  Result<DerivedInputsOutputs> derived;
  {
    ConsoleProgress progress;
    derived = study::deriveLists(load::ModelSource::file(options.model), manual, progress);
  }
  if (!derived) return reportError(atFile(std::move(derived).error(), options.model));
  if (!options.json) {
    printText(*derived, trace);
    return kDone;
  }
  const Result<void> written = options.writeJson(dumpJson(derivedToJson(*derived), 2));
  return written ? kDone : reportError(written.error());
}

}  // namespace cutaway::cli
