#include "sweep/results/findings.h"

#include <algorithm>
#include <cmath>

#include "engine/base/json_fault.h"

namespace cutaway::sweep {

namespace {

void put(Findings& findings, const std::string& name, double value, std::string unit, std::string truth) {
  if (!std::isfinite(value)) return;
  findings.figures[name] = {
      .value = value, .low = value, .high = value, .unit = std::move(unit), .truth = std::move(truth)};
}

void putBytes(Findings& findings, const std::string& name, const Json& parent, const char* member,
              const std::string& truth) {
  // Sizes that are not known are negative in reports.
  if (const double value = parent.at(member).get<double>(); value >= 0) put(findings, name, value, "bytes", truth);
}

std::string nodeName(const Json& report, const Json& node) {
  const size_t graph = node.at("graph").get<size_t>(), index = node.at("node").get<size_t>();
  const Json& graphs = report.at("optimized_graphs");
  if (graph < graphs.size() && index < graphs[graph].at("nodes").size()) {
    const Json& found = graphs[graph]["nodes"][index];
    if (const std::string name = found.value("name", ""); !name.empty()) return name;
    return fmt::format("{} {}.{}", found.value("op_type", "node"), graph, index);
  }
  return fmt::format("node {}.{}", graph, index);
}

void addPartition(const Json& report, Findings& findings) {
  const Json& partition = report.at("partition");
  std::map<std::string, int64_t> nodes, groups;
  for (const Json& node : partition.at("nodes")) {
    const auto provider = node.at("provider").get<std::string>();
    ++nodes[provider];
    findings.placements.push_back({nodeName(report, node), provider});
  }
  for (const Json& group : partition.at("groups"))
    ++groups[group.at("provider").get<std::string>()];
  int64_t compiled = 0;
  for (const Json& provider : partition.at("providers")) {
    const auto name = provider.at("name").get<std::string>();
    findings.providers.push_back({name, nodes[name], groups[name]});
    compiled += groups[name];
  }
  for (const Json& refusal : partition.at("refusals"))
    findings.refusals.push_back({refusal.at("provider").get<std::string>(), refusal.at("reason").get<std::string>(),
                                 static_cast<int64_t>(refusal.at("nodes").size())});
  put(findings, "nodes", static_cast<double>(findings.placements.size()), "", "exact");
  put(findings, "groups", static_cast<double>(compiled), "", "exact");
  put(findings, "copies", static_cast<double>(partition.at("copies").size()), "", "exact");
  if (!findings.providers.empty())
    put(findings, "fallback_nodes", static_cast<double>(findings.providers.back().nodes), "", "exact");
  put(findings, "unassigned_nodes", partition.at("unassigned_nodes").get<double>(), "", "exact");
}

// What a planned peak is: of buffers whose size is open it has nothing.
std::string truthOf(const Json& pattern) {
  if (!pattern.value("eligible", true)) return "estimated";
  const Json graphs = pattern.value("graphs", Json::array());
  const bool open = std::any_of(graphs.begin(), graphs.end(),
                                [](const Json& graph) { return !graph.value("unplanned", Json::array()).empty(); });
  return open ? "partial" : "exact";
}

void addInspect(const Json& report, Findings& findings) {
  addPartition(report, findings);
  if (const auto pattern = report.find("pattern"); pattern != report.end()) {
    const std::string truth = truthOf(*pattern);
    putBytes(findings, "planned_peak_bytes", *pattern, "peak_bytes", truth);
    putBytes(findings, "lower_bound_bytes", *pattern, "lower_bound_bytes", truth);
  }
  if (const auto allocate = report.find("allocate"); allocate != report.end())
    putBytes(findings, "weights_bytes", *allocate, "weights_bytes", "exact");
}

void addBench(const Json& report, Findings& findings) {
  put(findings, "median_ms", report.at("median_ms").get<double>(), "ms", "measured");
  Figure& median = findings.figures["median_ms"];
  report.at("median_low_ms").get_to(median.low);
  report.at("median_high_ms").get_to(median.high);
  report.at("runs").get_to(median.runs);
  for (const char* name : {"load_ms", "first_run_ms", "p90_ms", "min_ms"})
    put(findings, name, report.at(name).get<double>(), "ms", "measured");
  putBytes(findings, "peak_rss_bytes", report, "peak_rss_bytes", "measured");
  putBytes(findings, "planned_peak_bytes", report, "planned_peak_bytes", "exact");
  putBytes(findings, "lower_bound_bytes", report, "lower_bound_bytes", "exact");
  putBytes(findings, "weights_bytes", report, "weights_bytes", "exact");
  if (!report.at("simulated_providers").empty()) median.truth = "simulated";
}

// Outputs decide; values inside a model tell where a difference comes from.
void addCompare(const Json& report, Findings& findings) {
  double absolute = 0, relative = 0, outside = 0;
  for (const Json& value : report.at("values")) {
    if (!value.at("is_output").get<bool>()) continue;
    absolute = std::max(absolute, value.at("max_absolute").get<double>());
    relative = std::max(relative, value.at("max_relative").get<double>());
    outside += value.at("outside_tolerance").get<double>();
  }
  put(findings, "max_abs_error", absolute, "", "exact");
  put(findings, "max_rel_error", relative, "", "exact");
  put(findings, "outside_tolerance", outside, "", "exact");
}

void addCheck(const Json& report, Findings& findings) {
  for (const char* name : {"passed", "failed", "skipped"})
    put(findings, fmt::format("cases_{}", name), report.at(name).get<double>(), "", "exact");
}

void addContext(const Json& report, Findings& findings) {
  double bytes = 0;
  const Json& written = report.at("context").at("written");
  for (const Json& file : written.at("files"))
    bytes += file.at("size_bytes").get<double>();
  put(findings, "context_bytes", bytes, "bytes", "exact");
  put(findings, "context_nodes", written.at("context_nodes").get<double>(), "", "exact");
}

void addVerify(const Json& report, Findings& findings) {
  const Json& verified = report.at("context").at("verified");
  put(findings, "context_loads", verified.at("loads").get<bool>() ? 1 : 0, "", "exact");
  put(findings, "context_same_outputs", verified.at("same_outputs").get<bool>() ? 1 : 0, "", "exact");
  put(findings, "context_load_ms", verified.at("load_ns").get<double>() / 1e6, "ms", "measured");
  double worst = 0;
  for (const Json& output : verified.at("outputs"))
    worst = std::max(worst, output.at("maximum_error").get<double>());
  put(findings, "max_abs_error", worst, "", "exact");
}

}  // namespace

Result<void> addFindings(std::string_view command, const Json& report, Findings& findings) {
  using Add = void (*)(const Json&, Findings&);
  constexpr std::pair<std::string_view, Add> kReaders[] = {
      {"inspect", addInspect}, {"partition", addPartition}, {"bench", addBench},  {"compare", addCompare},
      {"check", addCheck},     {"context", addContext},     {"verify", addVerify}};
  const auto* const reader = std::ranges::find(kReaders, command, &std::pair<std::string_view, Add>::first);
  if (reader == std::end(kReaders)) return fail(ErrorCode::kInvalidArgument, "{} has no report", command);
  try {
    Findings read = findings;
    reader->second(report, read);
    findings = std::move(read);
    return {};
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kInvalidArgument, "no report of {}: {}", command, jsonFault(error));
  }
}

}  // namespace cutaway::sweep
