#include "app/cli/case_folder.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "app/providers/provider_table.h"
#include "engine/base/folder_entries.h"
#include "engine/base/read_text_file.h"
#include "engine/schema/schema.h"
#include "engine/stages/load/tensor_file.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::cli {

namespace fs = std::filesystem;

namespace {

fs::path modelIn(const fs::path& folder) {
  for (const char* name : {"model.onnx", "model.textproto"}) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  }
  return {};
}

std::vector<fs::path> dataSets(const fs::path& folder) {
  std::vector<fs::path> sets;
  std::error_code ignored;
  for (const fs::path& entry : folderEntries(folder)) {
    if (entry.filename().string().starts_with("test_data_set_") && fs::is_directory(entry, ignored))
      sets.push_back(entry);
  }
  return sets;
}

// Files input_0.pb, input_1.pb ... belong to the inputs by name where the file has one that fits, else by place.
Result<std::vector<execute::Feed>> readValues(const fs::path& folder, const std::string& stem,
                                              const std::vector<execute::NamedType>& declared) {
  std::vector<execute::Feed> values;
  for (size_t i = 0; i <= declared.size(); ++i) {
    const fs::path path = folder / fmt::format("{}_{}.pb", stem, i);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;  // optional inputs, and outputs that nobody recorded
    if (i == declared.size())
      return fail(ErrorCode::kInvalidArgument, "{} has no counterpart: the model has {} {}s", path.filename().string(),
                  declared.size(), stem);
    CUTAWAY_TRY(load::NamedValue value, load::readTensorFile(path, declared[i].type));
    const bool named = std::any_of(declared.begin(), declared.end(),
                                   [&](const execute::NamedType& each) { return each.name == value.name; });
    values.push_back({named ? value.name : declared[i].name, std::move(value.value)});
  }
  return values;
}

// data.json beside the model may widen the tolerances ("rtol", "atol") and may ask for shapes and types only
// ("compare": "shape"), for outputs that are random draws.
Tolerance toleranceOf(const fs::path& folder, Tolerance tolerance) {
  const Result<std::string> file = readTextFile(folder / "data.json");
  if (!file) return tolerance;
  const nlohmann::json data = nlohmann::json::parse(*file, nullptr, false);
  if (!data.is_object()) return tolerance;
  const auto number = [&](const char* key) {
    return data.contains(key) && data[key].is_number() ? data[key].get<double>() : 0.0;
  };
  tolerance.relative = std::max(tolerance.relative, number("rtol"));
  tolerance.absolute = std::max(tolerance.absolute, number("atol"));
  tolerance.shapeOnly = data.contains("compare") && data["compare"] == "shape";
  return tolerance;
}

// Whether a node draws random numbers: what a case has recorded then are the draws of another generator, and only
// shapes and types can be met.
bool drawsNumbers(const Model& model) {
  bool draws = false;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion);
      draws = draws || (schema != nullptr && !schema->deterministic);
    }
  });
  return draws;
}

Result<std::string> runDataSet(session::Session& session, const fs::path& set, const Tolerance& tolerance) {
  CUTAWAY_TRY(std::vector<execute::Feed> feeds, readValues(set, "input", session.inputs()));
  CUTAWAY_TRY(const std::vector<execute::Feed> expected, readValues(set, "output", session.outputs()));
  if (expected.empty()) return fail(ErrorCode::kInvalidArgument, "{} has no expected outputs", set.filename().string());
  std::erase_if(feeds, [](const execute::Feed& feed) { return feed.value.empty(); });
  CUTAWAY_TRY(const execute::RunResult result, session.run(feeds, {}));
  for (const execute::Feed& output : expected) {
    const auto got = std::find_if(result.outputs.begin(), result.outputs.end(),
                                  [&](const execute::Feed& each) { return each.name == output.name; });
    if (got == result.outputs.end())
      return fmt::format("{}: output {} is missing", set.filename().string(), output.name);
    if (std::string difference = compareValues(got->value, output.value, tolerance); !difference.empty())
      return fmt::format("{}: output {}: {}", set.filename().string(), output.name, difference);
  }
  return std::string();
}

}  // namespace

std::vector<fs::path> findCases(const std::vector<std::string>& folders) {
  std::vector<fs::path> cases;
  const auto consider = [&](const fs::path& folder) {
    if (!modelIn(folder).empty() && !dataSets(folder).empty()) cases.push_back(folder);
  };
  for (const std::string& folder : folders) {
    consider(folder);
    for (const fs::path& entry : entriesBelow(folder)) {
      std::error_code ignored;
      if (fs::is_directory(entry, ignored)) consider(entry);
    }
  }
  std::sort(cases.begin(), cases.end());
  cases.erase(std::unique(cases.begin(), cases.end()), cases.end());
  return cases;
}

CaseOutcome runCase(const fs::path& folder, const session::SessionOptions& options, const Tolerance& tolerance) {
  const HeapLimit limit(options.memoryLimitBytes);
  Progress progress;
  const Result<std::unique_ptr<session::Session>> session =
      session::Session::create(load::ModelSource::file(modelIn(folder)), options, builtProviders(), progress);
  if (!session) return {CaseOutcome::Kind::kFailed, describe(session.error())};
  CaseOutcome outcome;
  const std::shared_ptr<const WalkReport> walk = (*session)->report();
  if (walk->partition != nullptr) {
    for (const ProviderSummary& provider : walk->partition->providers)
      outcome.claimedNodes[provider.name] = provider.claimedNodes;
  }
  const auto failed = [&](std::string message) {
    outcome.kind = CaseOutcome::Kind::kFailed;
    outcome.message = std::move(message);
    return outcome;
  };
  Tolerance own = toleranceOf(folder, tolerance);
  own.shapeOnly = own.shapeOnly || drawsNumbers((*session)->model());
  for (const fs::path& set : dataSets(folder)) {
    const Result<std::string> difference = runDataSet(**session, set, own);
    if (!difference) return failed(fmt::format("{}: {}", set.filename().string(), describe(difference.error())));
    if (!difference->empty()) return failed(*difference);
  }
  return outcome;
}

}  // namespace cutaway::cli
