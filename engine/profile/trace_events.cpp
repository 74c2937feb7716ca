#include "engine/profile/trace_events.h"

#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

#include "engine/base/json_fault.h"

namespace cutaway::profile {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 12;        // no event of any engine nests deeper; the rest is passed over
constexpr double kLatestUs = 4e15;  // the distance of any two, and an event's end, fit into nanoseconds
constexpr size_t kLongestText = 4096;
constexpr size_t kMostShapes = 256;

std::string textOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get_ref<const std::string&>().substr(0, kLongestText)
                                                     : std::string();
}

// Numbers, and numbers in quotes, as onnxruntime writes them.
int64_t integerOf(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return -1;
  if (found->is_number_integer()) return std::max<int64_t>(-1, found->get<int64_t>());
  if (!found->is_string()) return -1;
  const std::string& text = found->get_ref<const std::string&>();
  int64_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::max<int64_t>(-1, value) : -1;
}

// [{"float":[1,3]}, ...]
std::vector<std::string> shapesOf(const Json& args, const char* key) {
  std::vector<std::string> shapes;
  const auto found = args.find(key);
  if (found == args.end() || !found->is_array()) return shapes;
  for (const Json& each : *found) {
    if (shapes.size() >= kMostShapes) break;
    if (!each.is_object() || each.empty() || !each.begin()->is_array()) continue;
    std::string text = each.begin().key().substr(0, 64) + "[";
    bool first = true;
    for (const Json& dim : *each.begin()) {
      if (!dim.is_number_integer() || text.size() > kLongestText) continue;
      text += (first ? "" : ",") + std::to_string(dim.get<int64_t>());
      first = false;
    }
    shapes.push_back(text + "]");
  }
  return shapes;
}

class EventReader {
 public:
  explicit EventReader(const std::string& file) : m_file(file) {}

  Result<TraceFile> read(std::string_view json) {
    try {
      const Json rest =
          Json::parse(json.begin(), json.end(),
                      [this](int depth, Json::parse_event_t kind, Json& parsed) { return take(depth, kind, parsed); });
      if (!m_problem && !m_sawList)
        return fail(
            place(Error{ErrorCode::kInvalidArgument,
                        "this is no trace: a list of events, or an object with one under \"traceEvents\", is wanted",
                        {}}));
    } catch (const Json::parse_error& error) {
      if (!m_problem && (error.byte < json.size() || !m_sawList || m_trace.read == 0)) {
        return fail(place(
            Error{ErrorCode::kInvalidArgument,
                  fmt::format("this is no trace: it is not JSON at byte {}, in event {}", error.byte, m_trace.read),
                  {}}));
      }
      m_trace.truncated = true;
    } catch (const Json::exception& error) {
      return fail(
          place(Error{ErrorCode::kInvalidArgument, fmt::format("event {}: {}", m_trace.read, jsonFault(error)), {}}));
    }
    if (m_problem) return fail(place(*std::move(m_problem)));
    return std::move(m_trace);
  }

 private:
  Error place(Error error) const { return atFile(std::move(error), m_file); }

  void refuse(std::string what) {
    if (!m_problem) m_problem = Error{ErrorCode::kInvalidArgument, fmt::format("event {}: {}", m_trace.read, what), {}};
  }

  // Events are read as they end, and dropped; so is everything that lies too deep, and everything after a problem.
  bool take(int depth, Json::parse_event_t kind, Json& parsed) {
    using Event = Json::parse_event_t;
    if (m_problem || depth > kDeepest) return false;
    if (depth == 0) {
      if (kind == Event::array_start) m_eventDepth = 1;
      if (kind == Event::array_start) m_sawList = true;
      return true;
    }
    if (m_eventDepth != 1 && depth == 1) {
      if (kind == Event::key) m_atList = parsed.is_string() && parsed.get_ref<const std::string&>() == "traceEvents";
      if (kind == Event::array_start && m_atList) {
        m_eventDepth = 2;
        m_sawList = true;
      }
      if (kind == Event::array_end) m_eventDepth = 0;
      return kind == Event::key || kind == Event::array_start;
    }
    if (m_eventDepth == 0) return false;
    if (depth > m_eventDepth) return true;
    if (kind == Event::object_end) {
      event(parsed);
      ++m_trace.read;
      return false;
    }
    if (kind == Event::value || kind == Event::array_start) {
      refuse("an object is wanted");
      return false;
    }
    return true;
  }

  std::optional<double> microseconds(const Json& event, const char* key, double least, double most) {
    const auto found = event.find(key);
    if (found == event.end() || !found->is_number()) {
      refuse(
          fmt::format("\"{}\" must be a number of microseconds{}", key, found == event.end() ? "; there is none" : ""));
      return std::nullopt;
    }
    const double value = found->get<double>();
    if (value >= least && value <= most) return value;
    refuse(fmt::format("\"{}\" is {}; it is read from {} to {} microseconds", key, value, least, most));
    return std::nullopt;
  }

  void event(const Json& from) {
    if (!from.is_object()) return;
    const std::string phase = textOf(from, "ph");
    if (phase.empty()) return refuse("it has no phase (\"ph\")");
    if (phase != "X") return;
    const auto startUs = microseconds(from, "ts", -kLatestUs, kLatestUs);
    const auto durationUs = microseconds(from, "dur", 0, TraceFile::kLongestUs);
    if (!startUs || !durationUs) return;
    if (m_trace.events.size() >= TraceFile::kMostEvents) {
      ++m_trace.leftOut;
      return;
    }
    TraceEvent& to = m_trace.events.emplace_back();
    to.startUs = *startUs;
    to.durationUs = *durationUs;
    to.name = textOf(from, "name");
    to.category = textOf(from, "cat");
    to.thread = std::max<int64_t>(0, integerOf(from, "tid"));
    const auto args = from.find("args");
    if (args != from.end() && args->is_object()) arguments(*args, to);
  }

  static void arguments(const Json& args, TraceEvent& to) {
    to.opType = textOf(args, "op_name");
    to.provider = textOf(args, "provider");
    to.variant = textOf(args, "kernel");
    to.partOf = textOf(args, "part_of");
    to.tag = textOf(args, "tag");
    to.nodeIndex = integerOf(args, "node_index");
    to.graph = integerOf(args, "graph");
    to.activationBytes = integerOf(args, "activation_size");
    to.parameterBytes = integerOf(args, "parameter_size");
    to.outputBytes = integerOf(args, "output_size");
    to.scratchBytes = integerOf(args, "scratch_size");
    to.inUseBytes = integerOf(args, "mem_bytes_in_use");
    to.inUseDeltaBytes = integerOf(args, "mem_in_use_delta");
    to.inUsePeakBytes = integerOf(args, "mem_in_use_peak");
    to.heldBytes = integerOf(args, "mem_arena_held");
    to.inputShapes = shapesOf(args, "input_type_shape");
    to.outputShapes = shapesOf(args, "output_type_shape");
  }

  const std::string& m_file;
  TraceFile m_trace;
  std::optional<Error> m_problem;
  int m_eventDepth = 0;  // where events begin: 1 in a list, 2 in an object's list, 0 elsewhere
  bool m_sawList = false;
  bool m_atList = false;  // the key just read is "traceEvents"
};

}  // namespace

Result<TraceFile> readTraceEvents(std::string_view json, const std::string& file) {
  return EventReader(file).read(json);
}

}  // namespace cutaway::profile
