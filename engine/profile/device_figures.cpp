// Three forms of one thing: a list of layers with times, of one run or of several.
#include "engine/profile/device_figures.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include <nlohmann/json.hpp>

namespace cutaway::profile {
namespace {

constexpr std::string_view kQnnHead =
    "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier";
constexpr std::string_view kOpenvinoHead = "layerName;execStatus;layerType;execType;realTime (ms);cpuTime (ms)";
constexpr std::string_view kOperation = ":OpId_";  // of QNN, behind a name
constexpr size_t kLookedAt = 4096;                 // from the beginning, to tell what a file is

// Layers one after the other, each a run's events.
class Events {
 public:
  explicit Events(const char* tool) { m_trace.tool = tool; }

  void addLayer(std::string_view name, double microseconds) {
    ++m_trace.read;
    if (!(microseconds >= 0 && microseconds <= TraceFile::kLongestUs)) return;
    if (m_trace.events.size() + 1 >= TraceFile::kMostEvents) {
      ++m_trace.leftOut;
      return;
    }
    TraceEvent& event = m_trace.events.emplace_back();
    event.name = name;
    event.category = "Node";
    event.provider = m_trace.tool;
    event.startUs = m_nowUs;
    event.durationUs = microseconds;
    m_nowUs += microseconds;
    ++m_layers;
  }

  void endRun() {
    if (m_layers == 0) return;
    TraceEvent& run = m_trace.events.emplace_back();
    run.name = "model_run";
    run.category = "Session";
    run.startUs = m_beganUs;
    run.durationUs = m_nowUs - m_beganUs;
    m_beganUs = m_nowUs += 1;  // runs do not touch: an event belongs to one of them
    m_layers = 0;
  }

  Result<std::optional<TraceFile>> end(int64_t averagedRuns, const std::string& file) {
    endRun();
    if (m_trace.events.empty())
      return fail(atFile(
          Error{ErrorCode::kInvalidArgument, fmt::format("this file of {} has no layer with a time", m_trace.tool), {}},
          file));
    m_trace.averagedRuns = averagedRuns;
    return std::optional<TraceFile>(std::move(m_trace));
  }

 private:
  TraceFile m_trace;
  double m_nowUs = 0, m_beganUs = 0;
  int64_t m_layers = 0;  // of the run in hand
};

std::string_view nextLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The first Count fields; false: there are fewer.
template <size_t Count>
bool split(std::string_view line, char separator, std::array<std::string_view, Count>& fields) {
  for (size_t i = 0; i < Count; ++i) {
    const size_t end = line.find(separator);
    if (end == std::string_view::npos && i + 1 < Count) return false;
    fields[i] = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return true;
}

std::optional<double> numberOf(std::string_view word) {
  double value = 0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

// "conv0_token_1:OpId_22 (cycles)" -> "conv0": what the plug-in adds for operators that it makes of one node.
std::string_view qnnLayer(std::string_view identifier) {
  constexpr std::string_view kToken = "_token_";
  if (const size_t operation = identifier.find(kOperation); operation != std::string_view::npos)
    identifier = identifier.substr(0, operation);
  const size_t token = identifier.rfind(kToken);
  if (token == std::string_view::npos || token == 0) return identifier;
  const std::string_view number = identifier.substr(token + kToken.size());
  const bool isNumber = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  return isNumber ? identifier.substr(0, token) : identifier;
}

// What one group did in one run: its nodes, in microseconds or in cycles, and how long a cycle was.
class QnnGroup {
 public:
  void take(const std::array<std::string_view, 7>& fields, double value) {
    const bool isCycles = fields[3] == "CYCLES";
    if (fields[1] == "NODE") {
      m_nodes.emplace_back(fields[6], value);
      m_inCycles = isCycles;
    } else if (fields[6].starts_with("Accelerator (execute) time")) {
      (isCycles ? m_cycles : m_microseconds) = value;
    }
  }
  // Its nodes in microseconds; none where no time says how long a cycle is.
  void moveTo(Events& events) {
    const double scale = !m_inCycles ? 1 : m_cycles > 0 && m_microseconds > 0 ? m_microseconds / m_cycles : -1;
    for (const auto& [name, value] : m_nodes)
      if (scale > 0) events.addLayer(qnnLayer(name), value * scale);
    *this = {};
  }
  // Inputs and outputs are called the same in every group.
  bool repeats(const std::set<std::string_view>& seen) const {
    return std::ranges::any_of(m_nodes, [&](const auto& node) {
      return node.first.find(kOperation) != std::string_view::npos && seen.contains(node.first);
    });
  }
  void nameIn(std::set<std::string_view>& seen) const {
    for (const auto& [name, value] : m_nodes)
      seen.insert(name);
  }

 private:
  std::vector<std::pair<std::string_view, double>> m_nodes;  // by identifier
  bool m_inCycles = false;
  double m_cycles = -1, m_microseconds = -1;
};

Result<std::optional<TraceFile>> readQnn(std::string_view text, const std::string& file) {
  Events events("onnxruntime-qnn");
  QnnGroup group;
  std::set<std::string_view> seen;  // nodes of the run in hand: a group that comes again begins the next
  nextLine(text);
  while (!text.empty()) {
    std::array<std::string_view, 7> fields;
    if (!split(nextLine(text), ',', fields)) continue;
    const std::optional<double> value = numberOf(fields[2]);
    if (!value) continue;
    group.take(fields, *value);
    if (fields[1] != "EXECUTE") continue;
    if (group.repeats(seen)) {
      events.endRun();
      seen.clear();
    }
    group.nameIn(seen);
    group.moveTo(events);
  }
  return events.end(0, file);
}

Result<std::optional<TraceFile>> readOpenvino(std::string_view text, const std::string& file) {
  Events events("benchmark_app");
  while (!text.empty()) {
    const std::string_view line = nextLine(text);
    if (line.starts_with(kOpenvinoHead)) events.endRun();
    std::array<std::string_view, 5> fields;
    if (!split(line, ';', fields) || fields[0] == "Total") continue;
    const std::optional<double> milliseconds = numberOf(fields[4]);
    // What was fused away or folded was not executed, and has no time of its own.
    if (!milliseconds || fields[1].find("NOT_RUN") != std::string_view::npos ||
        fields[1].find("OPTIMIZED_OUT") != std::string_view::npos)
      continue;
    events.addLayer(fields[0], *milliseconds * 1000);
  }
  return events.end(0, file);
}

// [{"count": 100}, {"name": "conv1 + relu1", "averageMs": 0.12, "medianMs": 0.11, ...}, ...]
Result<std::optional<TraceFile>> readTensorrt(std::string_view text, const std::string& file) {
  const nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array())
    return fail(atFile(
        Error{ErrorCode::kInvalidArgument, "this profile of trtexec is no list in JSON: was it cut off?", {}}, file));
  Events events("trtexec");
  int64_t runs = 0;
  for (const nlohmann::json& each : list) {
    if (!each.is_object()) continue;
    if (const auto count = each.find("count"); count != each.end() && count->is_number_integer()) runs = *count;
    const auto name = each.find("name");
    auto time = each.find("medianMs");
    if (time == each.end()) time = each.find("averageMs");
    if (name == each.end() || !name->is_string() || time == each.end() || !time->is_number()) continue;
    events.addLayer(name->get_ref<const std::string&>(), time->get<double>() * 1000);
  }
  return events.end(std::max<int64_t>(0, runs), file);
}

}  // namespace

Result<std::optional<TraceFile>> readDeviceFigures(std::string_view text, const std::string& file) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::string_view begin = text.substr(0, kLookedAt);
  if (begin.starts_with(kQnnHead)) return readQnn(text, file);
  if (begin.find(kOpenvinoHead) != std::string_view::npos) return readOpenvino(text, file);
  const size_t first = begin.find_first_not_of(" \t\r\n");
  const bool isList = first != std::string_view::npos && begin[first] == '[';
  if (isList && begin.find("\"averageMs\"") != std::string_view::npos && begin.find("\"ph\"") == std::string_view::npos)
    return readTensorrt(text, file);
  return std::optional<TraceFile>();
}

}  // namespace cutaway::profile
