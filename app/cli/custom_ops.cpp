// custom-ops: what libraries of custom operators bring, as they tell ONNX Runtime.
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/exit_code.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "engine/report/json.h"
#include "engine/tensor/element_type.h"
#include "providers/onnxruntime/custom/custom_libraries.h"

namespace cutaway::cli {

namespace {

using onnxruntime::CustomLibrary;
using onnxruntime::CustomOperator;
using onnxruntime::CustomParameter;
using onnxruntime::CustomRole;

struct CustomVerb {
  SharedOptions shared;
  std::vector<std::string> libraries;
};

const char* roleText(CustomRole role) {
  switch (role) {
    case CustomRole::kRequired:
      return "required";
    case CustomRole::kOptional:
      return "optional";
    case CustomRole::kVariadic:
      return "variadic";
  }
  return "required";
}

nlohmann::json parameterJson(const std::vector<CustomParameter>& parameters) {
  nlohmann::json list = nlohmann::json::array();
  for (const CustomParameter& each : parameters) {
    nlohmann::json row = {{"role", roleText(each.role)}};
    row["type"] = each.element == 0 ? "any" : std::string(elementTypeName(static_cast<ElementType>(each.element)));
    if (each.role == CustomRole::kVariadic) {
      row["least"] = each.least;
      row["homogeneous"] = each.homogeneous;
    }
    list.push_back(std::move(row));
  }
  return list;
}

nlohmann::json operatorJson(const CustomOperator& each) {
  nlohmann::json json = {{"domain", each.domain},
                         {"operator", each.name},
                         {"first_version", each.sinceVersion},
                         {"provider", each.provider},
                         {"interface_version", each.interfaceVersion},
                         {"infers_shapes", each.infersShapes},
                         {"inputs", parameterJson(each.inputs)},
                         {"outputs", parameterJson(each.outputs)}};
  json["last_version"] = each.lastVersion == 0 ? nlohmann::json() : nlohmann::json(each.lastVersion);
  return json;
}

void printLibrary(const CustomLibrary& library) {
  put("{}\n", library.path.string());
  TextTable table({"domain", "operator", "versions", "inputs -> outputs", "shapes", "runs on"});
  for (const CustomOperator& each : library.operators) {
    const std::string versions = each.lastVersion == 0 ? fmt::format("{}+", each.sinceVersion)
                                                       : fmt::format("{}-{}", each.sinceVersion, each.lastVersion);
    table.add({each.domain, each.name, versions, onnxruntime::signatureOf(each),
               each.infersShapes ? "inferred" : "when it has run", each.provider.empty() ? "CPU" : each.provider});
  }
  table.print(0, 90);
  for (const std::string& note : library.notes)
    put("note: {}\n", note);
}

int show(const CustomVerb& verb) {
  for (const std::string& path : verb.libraries) {
    if (const Result<void> added = onnxruntime::addCustomLibrary(path); !added) return usageError(added.error());
  }
  nlohmann::json list = nlohmann::json::array();
  for (const CustomLibrary& library : onnxruntime::customLibraries()) {
    if (!verb.shared.json) printLibrary(library);
    nlohmann::json operators = nlohmann::json::array();
    for (const CustomOperator& each : library.operators)
      operators.push_back(operatorJson(each));
    list.push_back({{"path", library.path.string()}, {"operators", operators}, {"notes", library.notes}});
  }
  if (!verb.shared.json) return kDone;
  const Result<void> written =
      verb.shared.writeJson(dumpJson({{"schema_version", kReportSchemaVersion}, {"libraries", list}}, 2));
  return written ? kDone : reportError(written.error());
}

}  // namespace

Verb verb_custom_ops() {
  return {
      .name = "custom-ops",
      .help = "what libraries of custom operators written for ONNX Runtime bring",
      .example = "cutaway-cli custom-ops libmyops.so --json",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto verb = std::make_shared<CustomVerb>();
        command.add_option("LIBRARY", verb->libraries, "shared libraries that export RegisterCustomOps")->required();
        CLI::Option* const json =
            command.add_option("--json", verb->shared.jsonFile, "print as JSON, to FILE or standard output")
                ->type_name("[FILE]")
                ->expected(0, 1);
        return [verb, json] {
          verb->shared.json = json->count() > 0;
          return show(*verb);
        };
      }};
}

}  // namespace cutaway::cli
