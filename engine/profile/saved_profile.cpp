// Profiles as files: the run report with the names of its nodes, and nothing of the model beside.

#include <nlohmann/json.hpp>

#include "engine/base/json_fault.h"
#include "engine/profile/node_times.h"
#include "engine/profile/profiles.h"
#include "engine/report/json.h"
#include "engine/report/simulated_providers.h"

namespace cutaway::profile {
namespace {

using Json = nlohmann::json;

constexpr const char* kKind = "cutaway profile";
constexpr int32_t kMostGraphs = 10'000;   // above that: damage
constexpr size_t kMostNodes = 1'000'000;  // places in all graphs together

template <typename T>
void take(const Json& object, const char* key, T& to) {
  const auto found = object.find(key);
  if (found == object.end()) return;
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, SharedText>) {
    if (found->is_string()) to = found->template get<std::string>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (found->is_number()) to = found->template get<T>();
  } else {
    if (found->is_number_integer() &&
        found->template get<int64_t>() == static_cast<int64_t>(static_cast<T>(found->template get<int64_t>())))
      to = static_cast<T>(found->template get<int64_t>());
  }
}

std::vector<std::string> textsOf(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return texts;
  for (const Json& each : *found) {
    if (each.is_string()) texts.push_back(each.get<std::string>());
  }
  return texts;
}

NodeTiming timingFrom(const Json& from) {
  NodeTiming to;
  take(from, "graph", to.graph);
  take(from, "node", to.node);
  take(from, "step", to.step);
  take(from, "start_ns", to.startNs);
  take(from, "total_ns", to.totalNs);
  take(from, "min_ns", to.minNs);
  take(from, "max_ns", to.maxNs);
  take(from, "deviation_ns", to.deviationNs);
  take(from, "calls", to.calls);
  take(from, "thread", to.thread);
  take(from, "variant", to.variant);
  take(from, "provider", to.provider);
  take(from, "input_bytes", to.inputBytes);
  take(from, "output_bytes", to.outputBytes);
  take(from, "flops", to.flops);
  take(from, "scratch_bytes", to.scratchBytes);
  take(from, "allocated_bytes", to.allocatedBytes);
  take(from, "host_ns", to.hostNs);
  to.inputShapes = textsOf(from, "input_shapes");
  to.outputShapes = textsOf(from, "output_shapes");
  return to;
}

// Whether there is room for its place among the graphs' nodes.
bool fits(const NodeTiming& timing, const ModelGraphs& graphs) {
  size_t places = static_cast<size_t>(timing.node) + 1;
  for (size_t i = 0; i < graphs.graphs.size(); ++i)
    places += static_cast<int32_t>(i) == timing.graph ? 0 : graphs.graphs[i].nodes.size();
  return places <= kMostNodes;
}

// Places of nodes that the report times; the rest of a graph stays unnamed.
void label(const Json& from, const NodeTiming& timing, ModelGraphs& graphs) {
  const auto graph = static_cast<size_t>(timing.graph);
  const auto node = static_cast<size_t>(timing.node);
  if (graphs.graphs.size() <= graph) graphs.graphs.resize(graph + 1);
  if (graphs.graphs[graph].nodes.size() <= node) graphs.graphs[graph].nodes.resize(node + 1);
  take(from, "name", graphs.graphs[graph].nodes[node].name);
  take(from, "op_type", graphs.graphs[graph].nodes[node].opType);
}

Result<SavedProfile> profileFrom(const Json& json) {
  const auto kind = json.is_object() ? json.find("kind") : json.end();
  if (kind == json.end() || !kind->is_string() || kind->get<std::string>() != kKind)
    return fail(ErrorCode::kInvalidArgument, "this is no profile that Cutaway saved (\"kind\": \"{}\" is missing)",
                kKind);
  const auto run = json.find("run");
  if (run == json.end() || !run->is_object()) return fail(ErrorCode::kInvalidArgument, "the profile has no \"run\"");
  SavedProfile profile;
  take(json, "model", profile.model);
  profile.simulated = textsOf(json, "simulated_providers");
  RunReport& report = profile.run;
  take(*run, "threads", report.threads);
  take(*run, "workers", report.workers);
  take(*run, "executor", report.executor);
  take(*run, "executor_reason", report.executorReason);
  take(*run, "tag", report.tag);
  take(*run, "source", report.source);
  take(*run, "warmups", report.warmups);
  take(*run, "first_run_ms", report.firstRunMs);
  take(*run, "engine_ns_per_node", report.engineNsPerNode);
  take(*run, "planned_peak_bytes", report.plannedPeakBytes);
  take(*run, "lower_bound_bytes", report.lowerBoundBytes);
  take(*run, "measured_peak_bytes", report.measuredPeakBytes);
  report.profiled = true;
  if (const auto runs = run->find("run_ms"); runs != run->end() && runs->is_array()) {
    for (const Json& each : *runs) {
      if (each.is_number()) report.runMs.push_back(each.get<double>());
    }
  }
  fillRunFigures(report);
  const auto nodes = run->find("nodes");
  if (nodes == run->end() || !nodes->is_array()) return profile;
  for (size_t i = 0; i < nodes->size(); ++i) {
    const Json& each = (*nodes)[i];
    if (!each.is_object()) return fail(ErrorCode::kInvalidArgument, "\"nodes\" {} is no object", i);
    NodeTiming timing = timingFrom(each);
    if (timing.graph < 0 || timing.node < 0 || timing.graph > kMostGraphs || !fits(timing, profile.graphs))
      return fail(ErrorCode::kInvalidArgument, "\"nodes\" {} has graph {} and node {}, which cannot be", i,
                  timing.graph, timing.node);
    label(each, timing, profile.graphs);
    report.nodes.push_back(std::move(timing));
  }
  return profile;
}

}  // namespace

std::string saveProfile(const WalkReport& walk) {
  Json json = {{"schema_version", kReportSchemaVersion},
               {"kind", kKind},
               {"model", walk.load ? walk.load->path : std::string()},
               {"simulated_providers", simulatedProviders(walk)}};
  if (walk.run) {
    Json run = toJson(*walk.run);
    for (size_t i = 0; i < walk.run->nodes.size() && walk.partitionedGraphs; ++i) {
      const NodeTiming& timing = walk.run->nodes[i];
      const NodeReport& node =
          walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)].nodes[static_cast<size_t>(timing.node)];
      run["nodes"][i]["name"] = node.name;
      run["nodes"][i]["op_type"] = node.opType;
    }
    run.erase("spans");
    json["run"] = std::move(run);
  }
  return dumpJson(json, 1);
}

Result<SavedProfile> readProfile(std::string_view text, const std::string& file) {
  try {
    auto profile = profileFrom(Json::parse(text.begin(), text.end()));
    if (!profile) return fail(atFile(std::move(profile).error(), file));
    if (profile->run.source.empty() && profile->run.tag.empty()) profile->run.tag = file;
    return profile;
  } catch (const Json::parse_error& error) {
    return fail(atFile(
        Error{
            ErrorCode::kInvalidArgument, fmt::format("this is no profile: it is not JSON at byte {}", error.byte), {}},
        file));
  } catch (const Json::exception& exception) {
    return fail(atFile(
        Error{ErrorCode::kInvalidArgument, fmt::format("this is no profile: {}", jsonFault(exception)), {}}, file));
  }
}

}  // namespace cutaway::profile
