#include "app/second_opinion/profile_events.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/base/json_fault.h"

namespace cutaway {

namespace {

using Json = nlohmann::json;
constexpr std::string_view kEnding = "_kernel_time";

struct NodeEvent {
  std::string node;
  int64_t startUs = 0;
  int64_t timeUs = 0;
  int64_t inUse = -1;
  int64_t added = 0;
};

// ONNX Runtime writes the numbers of arguments as strings.
int64_t numberOf(const Json& arguments, const char* key) {
  const auto found = arguments.find(key);
  if (found == arguments.end()) return -1;
  if (found->is_number_integer()) return found->get<int64_t>();
  if (!found->is_string()) return -1;
  const std::string& text = found->get_ref<const std::string&>();
  int64_t number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::vector<NodeEvent>> runsOf(const Json& trace) {
  std::vector<std::vector<NodeEvent>> runs(1);
  for (const Json& event : trace) {
    if (!event.is_object()) continue;
    const std::string name = event.value("name", std::string());
    if (name == "model_run") runs.emplace_back();
    if (event.value("cat", std::string()) != "Node" || !name.ends_with(kEnding)) continue;
    NodeEvent read{.node = name.substr(0, name.size() - kEnding.size())};
    read.startUs = event.value("ts", int64_t{0});
    read.timeUs = event.value("dur", int64_t{0});
    if (const auto arguments = event.find("args"); arguments != event.end() && arguments->is_object()) {
      read.inUse = numberOf(*arguments, "mem_bytes_requested_in_use");
      read.added = numberOf(*arguments, "mem_requested_in_use_delta");
    }
    runs.back().push_back(std::move(read));
  }
  std::erase_if(runs, [](const std::vector<NodeEvent>& run) { return run.empty(); });
  return runs;
}

// Bytes in use before the first node of a run; -1: not told.
int64_t inUseBefore(const std::vector<NodeEvent>& run) {
  const NodeEvent& first = *std::ranges::min_element(run, {}, &NodeEvent::startUs);
  return first.inUse < 0 ? -1 : first.inUse - first.added;
}

}  // namespace

Result<RunEvents> readRunEvents(std::string_view json, const std::set<std::string>& mainGraph) {
  const Json trace = Json::parse(json, nullptr, false);
  if (!trace.is_array()) return fail(ErrorCode::kInvalidProtobuf, "ONNX Runtime's profile is no list of events");
  std::vector<std::vector<NodeEvent>> runs;
  try {
    runs = runsOf(trace);
  } catch (const Json::exception& wrong) {
    return fail(ErrorCode::kInvalidProtobuf, "ONNX Runtime's profile: {}", jsonFault(wrong));
  }
  RunEvents found;
  found.runs = static_cast<int64_t>(runs.size());
  if (runs.empty()) return found;
  std::map<std::string, std::vector<int64_t>> times;
  const size_t firstTimed = runs.size() > 1 ? 1 : 0;  // the first one allocates
  found.timedRuns = static_cast<int64_t>(runs.size() - firstTimed);
  for (size_t run = firstTimed; run < runs.size(); ++run)
    for (const NodeEvent& event : runs[run])
      times[event.node].push_back(event.timeUs * 1000);
  for (const NodeEvent& event : runs.front()) {
    if (!mainGraph.contains(event.node)) continue;
    found.events.push_back(
        {.node = event.node, .time = study::nodeSpread(times[event.node]), .bytesInUse = event.inUse});
  }
  if (runs.size() >= 2) {
    const int64_t first = inUseBefore(runs[0]), second = inUseBefore(runs[1]);
    if (first >= 0 && second >= first) found.blockBytes = second - first;
  }
  return found;
}

}  // namespace cutaway
