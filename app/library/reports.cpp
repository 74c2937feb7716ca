#include <cutaway/reports.h>
#include <nlohmann/json.hpp>

#include "app/about/build_facts.h"
#include "app/library/border.h"
#include "app/providers/provider_json.h"
#include "app/providers/provider_table.h"
#include "engine/compile/compile.h"
#include "engine/report/json.h"
#include "engine/study/accuracy/accuracy.h"

namespace cutaway::api {

static_assert(static_cast<int>(Stage::kLoad) == static_cast<int>(cutaway::Stage::kLoad) &&
              static_cast<int>(Stage::kPartition) == static_cast<int>(cutaway::Stage::kPartition) &&
              static_cast<int>(Stage::kPattern) == static_cast<int>(cutaway::Stage::kPattern));

std::string walkReport(const Model& model, const std::string& configuration, Stage last) {
  const auto stage = static_cast<cutaway::Stage>(last);
  Progress progress;
  const auto session = orThrow(session::Session::create(sourceOf(model), sessionOptions(configuration, stage, false),
                                                        builtProviders(), progress));
  return dumpJson(walkToJson(*session->report(), {.lastStage = stage}), -1);
}

std::string compare(const Model& model, const std::string& configurationA, const std::string& configurationB,
                    const CompareOptions& options) {
  study::AccuracyRequest request{.source = sourceOf(model),
                                 .a = sessionOptions(configurationA, cutaway::Stage::kPattern, true),
                                 .b = sessionOptions(configurationB, cutaway::Stage::kPattern, true)};
  const ProviderTable table = builtProviders();
  request.titleA = session::configurationLine(configurationFrom(configurationA), table);
  request.titleB = session::configurationLine(configurationFrom(configurationB), table);
  for (std::string* title : {&request.titleA, &request.titleB})
    if (title->empty()) *title = "as given";
  request.tolerance = {.relative = options.relativeTolerance, .absolute = options.absoluteTolerance};
  request.seed = options.seed;
  request.feeds = feedsOf(options.feeds);
  request.everyLayer = options.everyLayer;
  request.failingFolder = options.failingFolder;
  Progress progress;
  nlohmann::json json = toJson(orThrow(study::compareConfigurations(request, table, progress)));
  json["schema_version"] = kReportSchemaVersion;
  return dumpJson(json, -1);
}

std::string exportContext(const Model& model, const std::string& file, const std::string& configuration,
                          const ExportOptions& options) {
  std::error_code ignored;
  if (!model.path.empty() && std::filesystem::equivalent(model.path, file, ignored))
    raise(atFile({ErrorCode::kInvalidArgument,
                  "the context model would take the place of the model: name another file",
                  {},
                  true},
                 file));
  if (!options.replace && std::filesystem::exists(file, ignored))
    raise(
        atFile({ErrorCode::kFail, fmt::format("{} already exists; ask for it to be replaced", file), {}, true}, file));
  compile::CompileRequest request{.input = sourceOf(model),
                                  .session = sessionOptions(configuration, cutaway::Stage::kPartition, true)};
  request.hasLevel = true;  // the level of an ordinary session: outputs are the same bit for bit
  request.outputFile = file;
  request.embed = options.embed;
  request.failWhenOutputExists = !options.replace;
  Progress progress;
  const compile::Compiled compiled = orThrow(compile::compileModel(request, builtProviders(), progress));
  return dumpJson(walkToJson(*compiled.walk, {.graphs = false}), -1);
}

std::string providersReport() {
  nlohmann::json list = nlohmann::json::array();
  for (const ProviderEntry& entry : builtProviders()) {
    list.push_back(providerToJson(entry, entry.probe()));
  }
  return dumpJson({{"schema_version", kReportSchemaVersion}, {"providers", list}}, -1);
}

std::string version() {
  return versionNumber();
}

}  // namespace cutaway::api
