#include "engine/report/truth.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/format.h"
#include "engine/report/measured_time.h"
#include "engine/report/simulated_providers.h"

namespace cutaway {
namespace {

// The dimensions of "float["p.x",3,seq]", as written there; names in quotes keep none.
std::vector<std::string> dimsOf(std::string_view type) {
  std::vector<std::string> dims;
  const size_t open = type.find('[');
  if (open == std::string_view::npos || !type.ends_with(']')) return dims;
  std::string dim;
  bool quoted = false;
  for (const char c : type.substr(open + 1, type.size() - open - 2)) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      dims.push_back(std::move(dim));
      dim.clear();
    } else {
      dim += c;
    }
  }
  if (!dim.empty() || !dims.empty()) dims.push_back(std::move(dim));
  return dims;
}

bool isNumber(const std::string& dim, int64_t& number) {
  const auto [end, problem] = std::from_chars(dim.data(), dim.data() + dim.size(), number);
  return problem == std::errc() && end == dim.data() + dim.size();
}

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

// Steps are counted; which of them are the critical path goes by what their nodes are thought to cost.
Truth scheduleTruth(const ScheduleReport& report) {
  if (report.graphs.empty() || report.graphs.front().steps.empty()) return {};
  const std::string& unit = report.graphs.front().costUnit;
  if (unit == "work")
    return {.kind = TruthKind::kEstimated,
            .basis = "the critical path, by operations and bytes of nodes; steps are exact"};
  if (unit == "nodes")
    return {.kind = TruthKind::kEstimated,
            .basis = "the critical path, every node counted alike because sizes are open; steps are exact"};
  return {};
}

// Values that live in a buffer of their own or take one over.
Truth allocationTruth(const AllocateReport& report) {
  Truth truth{.basis = "values"};
  for (const GraphAllocation& graph : report.graphs) {
    for (const ValueAllocation& value : graph.values) {
      if (value.kind == AllocKind::kNotSet || value.kind == AllocKind::kAllocateStatically) continue;
      ++truth.all;
      truth.known += value.sizeBytes >= 0 ? 1 : 0;
    }
  }
  if (truth.known < truth.all) truth.kind = TruthKind::kPartial;
  return truth;
}

Truth patternTruth(const PatternReport& report) {
  if (!report.eligible) return {.kind = TruthKind::kEstimated, .basis = "an arena played the plan's requests"};
  Truth truth{.basis = "buffers"};
  int64_t open = 0;
  for (const GraphPattern& graph : report.graphs) {
    truth.known += static_cast<int64_t>(graph.blocks.size());
    open += static_cast<int64_t>(graph.unplanned.size());
  }
  truth.all = truth.known + open;
  if (open > 0) truth.kind = TruthKind::kPartial;
  return truth;
}

Truth runTruth(const WalkReport& walk) {
  Truth truth{.kind = TruthKind::kMeasured};
  truth.runs = walk.run->runs;
  truth.lowMs = walk.run->medianLowMs;
  truth.highMs = walk.run->medianHighMs;
  truth.dims = runDims(walk, *walk.run);
  // Read from a file: the hardware that this walk simulates was there when it was written.
  if (!walk.run->source.empty()) {
    truth.basis = walk.run->source;
    return truth;
  }
  if (const std::vector<std::string> simulated = simulatedProviders(walk); !simulated.empty()) {
    truth.kind = TruthKind::kSimulated;
    truth.basis = joined(simulated);
  }
  return truth;
}

}  // namespace

const char* truthKindName(TruthKind kind) {
  switch (kind) {
    case TruthKind::kExact:
      return "exact";
    case TruthKind::kPartial:
      return "partial";
    case TruthKind::kAssumed:
      return "assumed";
    case TruthKind::kEstimated:
      return "estimated";
    case TruthKind::kSimulated:
      return "simulated";
    case TruthKind::kMeasured:
      return "measured";
  }
  return "exact";
}

std::string dimsSentence(const std::vector<std::pair<std::string, int64_t>>& dims) {
  std::vector<std::string> words;
  for (const auto& [name, size] : dims)
    words.push_back(fmt::format("{} = {}", name, size));
  return joined(words);
}

std::string truthText(const Truth& truth) {
  std::string text = truthKindName(truth.kind);
  switch (truth.kind) {
    case TruthKind::kExact:
      return text;
    case TruthKind::kPartial:
      return fmt::format("{}: {} of {} {} have a size before running", text, formatCount(truth.known),
                         formatCount(truth.all), truth.basis);
    case TruthKind::kAssumed:
      return fmt::format("{}: {}", text, dimsSentence(truth.dims));
    case TruthKind::kEstimated:
      return fmt::format("{}: {}", text, truth.basis);
    case TruthKind::kSimulated:
      text += fmt::format(": {} is not here, CPU kernels or a simulator ran in its place", truth.basis);
      break;
    case TruthKind::kMeasured:
      if (!truth.basis.empty()) text += fmt::format(" elsewhere: {}", truth.basis);
      text += ": " + spreadText({.runs = truth.runs, .medianMs = 0, .lowMs = truth.lowMs, .highMs = truth.highMs});
      break;
  }
  if (!truth.dims.empty()) text += fmt::format(", at {}", dimsSentence(truth.dims));
  return text;
}

Truth stageTruth(const WalkReport& walk, Stage stage) {
  switch (stage) {
    case Stage::kPartition:
      if (const std::vector<std::string> simulated = simulatedProviders(walk); !simulated.empty())
        return {.kind = TruthKind::kSimulated, .basis = joined(simulated)};
      return {};
    case Stage::kSchedule:
      return walk.schedule ? scheduleTruth(*walk.schedule) : Truth{};
    case Stage::kAllocate:
      return walk.allocate ? allocationTruth(*walk.allocate) : Truth{};
    case Stage::kPattern:
      return walk.pattern ? patternTruth(*walk.pattern) : Truth{};
    case Stage::kRun:
      return walk.run ? runTruth(walk) : Truth{};
    default:
      return {};
  }
}

std::vector<std::pair<std::string, int64_t>> runDims(const WalkReport& walk, const RunReport& run) {
  std::vector<std::pair<std::string, int64_t>> taken;
  if (!walk.loadedGraphs || walk.loadedGraphs->graphs.empty() || !run.source.empty()) return taken;
  const GraphReport& graph = walk.loadedGraphs->graphs.front();
  std::unordered_map<std::string_view, const TensorSummary*> fed;
  for (const TensorSummary& input : run.inputs)
    fed.emplace(input.name, &input);
  std::set<std::string> seen;
  for (const int32_t index : graph.inputs) {
    const ValueReport& input = graph.values[static_cast<size_t>(index)];
    const auto found = fed.find(input.name);
    if (found == fed.end()) continue;
    const std::vector<std::string> wanted = dimsOf(input.type), had = dimsOf(found->second->type);
    for (size_t axis = 0; axis < wanted.size() && axis < had.size(); ++axis) {
      int64_t number = 0;
      if (isNumber(wanted[axis], number) || !isNumber(had[axis], number)) continue;
      const bool isNamed = !wanted[axis].empty() && wanted[axis] != "?";
      std::string name = isNamed ? wanted[axis] : fmt::format("{}[{}]", input.name, axis);
      if (seen.insert(name).second) taken.emplace_back(std::move(name), number);
    }
  }
  return taken;
}

}  // namespace cutaway
