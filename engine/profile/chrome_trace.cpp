// Chrome trace events with onnxruntime's keys (onnxruntime/core/common/profiler.cc); chrome://tracing and Perfetto open
// them. Written event by event: nothing is gathered in memory.
//
// Every event, metadata and counters included, has all of the reference's keys, so that its readers never miss one.
// Times are microseconds with fractions.

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/base/node_name.h"
#include "engine/base/text_stream.h"
#include "engine/profile/profiles.h"

namespace cutaway::profile {
namespace {

using Json = nlohmann::ordered_json;

// Names may hold bytes that are not UTF-8: they are replaced, not refused.
std::string jsonText(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string microseconds(int64_t timeNs) {
  return fmt::format("{}{}.{:03}", timeNs < 0 ? "-" : "", std::abs(timeNs) / 1000, std::abs(timeNs) % 1000);
}

// "float[1,3,224]" as {"float":[1,3,224]}.
Json shapesToJson(const std::vector<std::string>& shapes) {
  Json list = Json::array();
  for (const std::string& text : shapes) {
    const size_t bracket = text.find('[');
    if (bracket == std::string::npos || text.back() != ']') continue;
    Json dims = Json::array();
    for (size_t at = bracket + 1; at < text.size() - 1;) {
      const size_t end = std::min(text.find(',', at), text.size() - 1);
      dims.push_back(std::strtoll(text.substr(at, end - at).c_str(), nullptr, 10));
      at = end + 1;
    }
    list.push_back({{text.substr(0, bracket), dims}});
  }
  return list;
}

class TraceWriter {
 public:
  TraceWriter(const WalkReport& walk, std::ostream& out) : m_walk(walk), m_out(out) {}

  void write() {
    m_out << "[\n";
    metadata("process_name", 0, "Cutaway");
    metadata("thread_name", 0, "lane 0: calls run");
    addCreation();
    if (m_walk.run) addRun(*m_walk.run);
    m_out << "\n]\n";
  }

 private:
  void event(const char* phase, const std::string& category, const std::string& name, int64_t startNs, int64_t timeNs,
             int thread, const std::string& args) {
    m_out << (m_first ? "" : ",\n")
          << fmt::format(R"({{"cat":{},"pid":{},"tid":{},"dur":{},"ts":{},"ph":"{}","name":{},"args":{}}})",
                         jsonText(category), m_process, thread, microseconds(timeNs), microseconds(startNs), phase,
                         jsonText(name), args);
    m_first = false;
  }
  void span(const std::string& category, const std::string& name, int64_t startNs, int64_t timeNs, int thread,
            const std::string& args = "{}") {
    event("X", category, name, startNs, timeNs, thread, args);
  }
  void metadata(const char* kind, int thread, const std::string& name) {
    event("M", "__metadata", kind, 0, 0, thread, "{\"name\":" + jsonText(name) + "}");
  }

  void addCreation() {
    int64_t loadNs = 0;
    int64_t restNs = 0;
    for (int i = 0; i <= static_cast<int>(Stage::kPattern); ++i)
      (i == 0 ? loadNs : restNs) += m_walk.stages[static_cast<size_t>(i)].timeNs;
    if (m_walk.creation && !m_walk.creation->empty()) {
      int64_t endNs = 0;
      for (const TraceSpan& each : *m_walk.creation) {
        if (each.depth == 0 && each.name == stageId(Stage::kLoad)) loadNs = each.startNs + each.durationNs;
        endNs = std::max(endNs, each.startNs + each.durationNs);
      }
      restNs = endNs - loadNs;
    }
    const bool fromMemory = m_walk.load && m_walk.load->format == "memory";
    span("Session", fromMemory ? "model_loading_array" : "model_loading_uri", 0, loadNs, 0);
    span("Session", "session_initialization", loadNs, restNs, 0);
    m_startNs = loadNs + restNs;
    if (m_walk.creation && !m_walk.creation->empty()) {
      for (const TraceSpan& each : *m_walk.creation)
        span("Session", each.name, each.startNs, each.durationNs, 0);
      return;
    }
    int64_t atNs = loadNs;
    for (int i = 1; i <= static_cast<int>(Stage::kPattern); ++i) {
      const StageStatus& status = m_walk.stages[static_cast<size_t>(i)];
      if (status.state != StageState::kDone) continue;
      span("Session", stageId(static_cast<Stage>(i)), atNs, status.timeNs, 0);
      atNs += status.timeNs;
    }
  }

  void addRun(const RunReport& run) {
    m_tag = run.tag;
    for (const NodeTiming& node : run.nodes)
      m_timings.emplace(std::pair{node.graph, node.node}, &node);
    for (const MemorySample& sample : run.memory)
      m_samples.emplace(sample.step, &sample);
    if (run.spans.empty()) {
      addNodesWithoutSpans(run);
    } else {
      addSpans(run);
    }
    for (const MemorySample& sample : run.memory) {
      const std::string args = fmt::format(R"({{"planned":{},"measured":{},"held":{}}})", sample.plannedBytes,
                                           sample.measuredBytes, sample.heldBytes);
      event("C", "Memory", "memory bytes", m_startNs + sample.timeNs, 0, 0, args);
    }
    for (const DeviceMemoryReport& device : run.deviceMemory) {
      for (const DeviceMemoryReport::Sample& sample : device.samples) {
        event("C", "Memory", device.device + " bytes", m_startNs + sample.timeNs, 0, 0,
              fmt::format(R"({{"planned":{},"measured":{}}})", sample.plannedBytes, sample.measuredBytes));
      }
    }
  }

  void addExecute(int64_t startNs, int64_t endNs) {
    span("Session", "SequentialExecutor::Execute", m_startNs + startNs, endNs - startNs, 0);
  }

  // A report without a timeline: each node once, with its mean.
  void addNodesWithoutSpans(const RunReport& run) {
    auto endNs = static_cast<int64_t>(run.medianMs * 1e6);
    for (const NodeTiming& node : run.nodes)
      endNs = std::max(endNs, node.startNs + (node.graph == 0 ? node.totalNs : 0));
    span("Session", "model_run", m_startNs, endNs, 0);
    addExecute(0, endNs);
    for (const NodeTiming& node : run.nodes)
      addNode(node.graph, node.node, node.startNs, node.totalNs, node.thread);
  }

  void addSpans(const RunReport& run) {
    std::set<int32_t> lanes;
    int64_t firstNs = -1;
    int64_t lastNs = 0;
    for (const TraceSpan& each : run.spans) {
      lanes.insert(each.thread);
      if (each.category != "Node" || each.graph != 0) continue;
      if (firstNs < 0) firstNs = each.startNs;
      lastNs = std::max(lastNs, each.startNs + each.durationNs);
    }
    for (const int32_t lane : lanes) {
      const auto device = std::ranges::find(run.deviceLanes, lane, &DeviceLane::thread);
      if (lane > 0)
        metadata("thread_name", lane,
                 device != run.deviceLanes.end() ? device->name : fmt::format("lane {}: worker", lane));
    }
    bool executing = firstNs < 0;
    for (const TraceSpan& each : run.spans) {
      if (!executing && each.startNs >= firstNs && each.category == "Node") {
        addExecute(firstNs, lastNs);
        executing = true;
      }
      if (each.category == "Node" && each.node != kNone) {
        addNode(each.graph, each.node, each.startNs, each.durationNs, each.thread);
        m_enqueued[{each.graph, each.node}] = &each;
      } else if (each.category == "Device" || each.category == "Copy") {
        addOnDevice(each, run);
      } else {
        span(each.category, each.name, m_startNs + each.startNs, each.durationNs, each.thread,
             each.name == "model_run" && !m_tag.empty() ? "{\"tag\":" + jsonText(m_tag) + "}" : partArgs(each));
      }
    }
  }

  // What a device did for a node, and an arrow from where it was enqueued.
  void addOnDevice(const TraceSpan& each, const RunReport& run) {
    const NodeReport* node = nodeAt(each.graph, each.node);
    std::string args = partArgs(each);
    if (each.bytes >= 0) {
      const double rate =
          each.durationNs > 0 ? static_cast<double>(each.bytes) / static_cast<double>(each.durationNs) : 0;
      args = fmt::format(R"({{"bytes":"{}","gigabytes_per_second":"{:.3f}"}})", each.bytes, rate);
    }
    const auto lane = std::ranges::find(run.deviceLanes, each.thread, &DeviceLane::thread);
    span(each.category,
         node != nullptr                                      ? labelOf(*node, each.node)
         : each.name.empty() && lane != run.deviceLanes.end() ? lane->name
                                                              : each.name,
         m_startNs + each.startNs, each.durationNs, each.thread, args);
    const auto enqueued = m_enqueued.find({each.graph, each.node});
    if (enqueued == m_enqueued.end() || each.bytes < 0) return;
    flow("s", enqueued->second->startNs, enqueued->second->thread);
    flow("f", each.startNs, each.thread);
    ++m_flows;
  }

  void flow(const char* phase, int64_t startNs, int32_t thread) {
    m_out << fmt::format(
        ",\n"
        R"({{"cat":"Copy","pid":{},"tid":{},"dur":0,"ts":{},"ph":"{}","bp":"e","id":{},"name":"copy","args":{{}}}})",
        m_process, thread, microseconds(m_startNs + startNs), phase, m_flows);
  }

  std::string partArgs(const TraceSpan& each) const {
    const NodeReport* node = nodeAt(each.graph, each.node);
    if (node == nullptr) return "{}";
    return fmt::format(R"({{"op_name":{},"node_index":"{}","graph":"{}","part_of":{}}})", jsonText(node->opType),
                       each.node, each.graph, jsonText(labelOf(*node, each.node)));
  }

  const NodeReport* nodeAt(int32_t graph, int32_t node) const {
    if (!m_walk.partitionedGraphs || graph < 0 || static_cast<size_t>(graph) >= m_walk.partitionedGraphs->graphs.size())
      return nullptr;
    const std::vector<NodeReport>& nodes = m_walk.partitionedGraphs->graphs[static_cast<size_t>(graph)].nodes;
    return node < 0 || static_cast<size_t>(node) >= nodes.size() ? nullptr : &nodes[static_cast<size_t>(node)];
  }
  static std::string labelOf(const NodeReport& node, int32_t index) {
    return nodeName(node.name, node.opType, static_cast<size_t>(index));
  }

  // Bytes of the inputs that are weights, or of those that are not.
  static int64_t inputBytes(const GraphReport& graph, const NodeReport& node, bool weights) {
    int64_t bytes = 0;
    for (const int32_t input : node.inputs) {
      if (input == kNone) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(input)];
      if (value.isInitializer == weights && value.sizeBytes > 0) bytes += value.sizeBytes;
    }
    return bytes;
  }

  Json timingArgs(const NodeTiming& timing, const GraphReport& graph, const NodeReport& node) const {
    Json args;
    args["op_name"] = node.opType;
    args["provider"] = timing.provider.empty() ? node.provider.string() : timing.provider;
    args["node_index"] = std::to_string(timing.node);
    const int64_t parameters = inputBytes(graph, node, true);
    args["activation_size"] = std::to_string(
        timing.inputBytes > 0 ? std::max<int64_t>(0, timing.inputBytes - parameters) : inputBytes(graph, node, false));
    args["parameter_size"] = std::to_string(parameters);
    args["output_size"] = std::to_string(timing.outputBytes);
    args["input_type_shape"] = shapesToJson(timing.inputShapes);
    args["output_type_shape"] = shapesToJson(timing.outputShapes);
    args["kernel"] = timing.variant;
    args["calls"] = std::to_string(timing.calls);
    args["graph"] = std::to_string(timing.graph);
    if (timing.flops >= 0) args["flops"] = std::to_string(timing.flops);
    if (timing.scratchBytes > 0) args["scratch_size"] = std::to_string(timing.scratchBytes);
    const auto sample = timing.graph == 0 ? m_samples.find(timing.step) : m_samples.end();
    if (sample != m_samples.end()) {
      args["mem_bytes_in_use"] = std::to_string(sample->second->measuredBytes);
      args["mem_arena_held"] = std::to_string(sample->second->heldBytes);
    }
    return args;
  }

  // Texts of a node are made once, however often it is called.
  void addNode(int32_t graph, int32_t index, int64_t startNs, int64_t timeNs, int32_t thread) {
    const NodeReport* node = nodeAt(graph, index);
    if (node == nullptr) return;
    const auto key = std::pair{graph, index};
    auto known = m_args.find(key);
    if (known == m_args.end()) {
      const auto timing = m_timings.find(key);
      if (timing == m_timings.end()) return;
      const Json args =
          timingArgs(*timing->second, m_walk.partitionedGraphs->graphs[static_cast<size_t>(graph)], *node);
      known = m_args.emplace(key, args.dump(-1, ' ', false, Json::error_handler_t::replace)).first;
    }
    span("Node", labelOf(*node, index) + "_kernel_time", m_startNs + startNs, timeNs, thread, known->second);
  }

  const WalkReport& m_walk;
  std::ostream& m_out;
  const int m_process = static_cast<int>(getpid());
  bool m_first = true;
  int64_t m_startNs = 0;  // of the run, after the session was made
  std::string m_tag;
  std::map<std::pair<int32_t, int32_t>, const TraceSpan*> m_enqueued;  // the latest call of a node on the host
  int64_t m_flows = 1;
  std::map<std::pair<int32_t, int32_t>, const NodeTiming*> m_timings;
  std::map<int32_t, const MemorySample*> m_samples;
  std::map<std::pair<int32_t, int32_t>, std::string> m_args;
};

}  // namespace

void writeChromeTrace(const WalkReport& walk, std::ostream& out) {
  TraceWriter(walk, out).write();
}

std::string chromeTrace(const WalkReport& walk) {
  TextStream out;
  writeChromeTrace(walk, out);
  return out.str();
}

}  // namespace cutaway::profile
