// inputs: what every value of the model is, and the rule that decided it.
#include <CLI/CLI.hpp>

#include "app/cli/derived_lists.h"
#include "app/cli/output.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/base/format.h"

namespace cutaway::cli {

namespace {

bool isOfInterest(const ValueRule& rule) {
  return rule.role != ValueRole::kIntermediate && rule.role != ValueRole::kConstant;
}

void printRules(const WalkReport& walk, bool all) {
  for (size_t graph = 0; graph < walk.loadedGraphs->graphs.size(); ++graph) {
    const GraphReport& report = walk.loadedGraphs->graphs[graph];
    TextTable table({"value", "role", "type", ">size", "rule"});
    for (const ValueRule& rule : walk.resolve->values) {
      if (static_cast<size_t>(rule.graph) != graph || (!all && !isOfInterest(rule))) continue;
      const ValueReport& value = report.values[static_cast<size_t>(rule.value)];
      table.add({value.name, valueRoleName(rule.role), value.type,
                 value.sizeBytes < 0 ? "open" : formatBytes(value.sizeBytes), rule.text});
    }
    if (table.empty()) continue;
    put("\n{}\n", report.title.empty() ? "main graph" : report.title);
    table.print();
  }
}

void printSummary(const ResolveReport& resolve) {
  put("\nshapes: {} known, {} with symbols, {} unknown", formatCount(resolve.knownShapes),
      formatCount(resolve.symbolicShapes), formatCount(resolve.unknownShapes));
  if (!resolve.openSymbols.empty())
    put("; open symbols: {} (bind them with --dim NAME=VALUE)", fmt::join(resolve.openSymbols, ", "));
  put("\n");
  for (const ModelWarning& warning : resolve.warnings)
    put("warning: {}{}{}\n", warning.message, warning.node.empty() ? "" : " at node ", warning.node);
}

void printSteps(const WalkReport& walk) {
  TextTable table({">step", "graph", "rule", "list", "what"});
  int64_t number = 0;
  for (const ResolveStep& step : walk.resolve->steps) {
    table.add({fmt::format("{}", ++number), walk.loadedGraphs->graphs[static_cast<size_t>(step.graph)].name, step.rule,
               step.list.empty() ? "" : (step.added ? "+ " : "- ") + step.list, step.text});
  }
  put("\nhow the lists came to be\n");
  table.print(0, 110);
}

}  // namespace

Verb verb_inputs() {
  return {.name = "inputs",
          .help = "what every value is (input, constant, output ...) and the rule that decided it",
          .example =
              "cutaway-cli inputs model.onnx --derive --trace\n"
              "cutaway-cli inputs model.onnx --derive --set-inputs image,mask --set-outputs scores",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto shared = std::make_shared<SharedOptions>();
            auto all = std::make_shared<bool>(false);
            auto trace = std::make_shared<bool>(false);
            shared->declare(command);
            shared->declareJson(command);
            command.add_flag("--all", *all, "constants and intermediates too");
            command.add_flag("--trace", *trace, "every step of the inputs-and-outputs rule");
            auto derive = std::make_shared<bool>(false);
            CLI::Option* const derived = command.add_flag(
                "--derive", *derive,
                "the lists that the nodes alone give, as if the graph had been built in memory, beside "
                "those of the file");
            auto inputs = std::make_shared<std::vector<std::string>>();
            auto outputs = std::make_shared<std::vector<std::string>>();
            CLI::Option* const setInputs =
                command.add_option("--set-inputs", *inputs,
                                   "with --derive: the list of inputs as code that builds the graph sets it, in place "
                                   "of the rule's");
            setInputs->delimiter(',')->type_name("NAME,...")->needs(derived);
            CLI::Option* const setOutputs =
                command.add_option("--set-outputs", *outputs, "with --derive: the list of outputs, likewise");
            setOutputs->delimiter(',')->type_name("NAME,...")->needs(derived);
            return [=] {
              resolve::ManualLists manual;
              if (!setInputs->empty()) manual.inputs = *inputs;
              if (!setOutputs->empty()) manual.outputs = *outputs;
              if (*derive) return printDerived(*shared, manual, *trace);
              return runStageVerb(*shared, Stage::kResolve, [&](const WalkReport& walk) {
                printRules(walk, *all);
                if (*trace) printSteps(walk);
                printSummary(*walk.resolve);
              });
            };
          }};
}

}  // namespace cutaway::cli
