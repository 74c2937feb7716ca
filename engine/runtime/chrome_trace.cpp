// Chrome trace events with the reference engine's keys (engine-behavior 6.6); chrome://tracing and Perfetto open it. Names are escaped by the JSON library.

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "engine/runtime/session.h"

namespace cutaway {
namespace {

using Json = nlohmann::ordered_json;

class TraceWriter {
 public:
  explicit TraceWriter(const WalkReport& walk) : m_walk(walk) {}

  std::string write() {
    addStages();
    if (m_walk.run) addRun(*m_walk.run);
    // Names may hold bytes that are not UTF-8: they are replaced, not refused.
    return m_events.dump(1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  void add(const char* category, std::string name, int64_t startNs, int64_t timeNs, int thread, Json args) {
    m_events.push_back({{"cat", category}, {"pid", getpid()}, {"tid", thread}, {"dur", timeNs / 1000}, {"ts", startNs / 1000}, {"ph", "X"}, {"name", std::move(name)}, {"args", std::move(args)}});
  }

  void addStages() {
    int64_t loadNs = 0;
    int64_t restNs = 0;
    for (int i = 0; i <= static_cast<int>(Stage::kPattern); ++i) (i == 0 ? loadNs : restNs) += m_walk.stages[static_cast<size_t>(i)].timeNs;
    const bool fromMemory = m_walk.load && m_walk.load->format == "memory";
    add("Session", fromMemory ? "model_loading_array" : "model_loading_uri", 0, loadNs, 0, Json::object());
    add("Session", "session_initialization", loadNs, restNs, 0, Json::object());
    m_timeNs = loadNs;
    for (int i = 1; i <= static_cast<int>(Stage::kPattern); ++i) {
      const StageStatus& status = m_walk.stages[static_cast<size_t>(i)];
      if (status.state != StageState::kDone) continue;
      add("Session", stageId(static_cast<Stage>(i)), m_timeNs, status.timeNs, 0, Json::object());
      m_timeNs += status.timeNs;
    }
    m_timeNs = loadNs + restNs;
  }

  void addRun(const RunReport& run) {
    int64_t endNs = 0;
    for (const NodeTiming& node : run.nodes) endNs = std::max(endNs, node.startNs + (node.graph == 0 ? node.totalNs : 0));
    endNs = std::max(endNs, static_cast<int64_t>(run.medianMs * 1e6));
    add("Session", "model_run", m_timeNs, endNs, 0, Json::object());
    add("Session", "SequentialExecutor::Execute", m_timeNs, endNs, 0, Json::object());
    for (const NodeTiming& node : run.nodes) addNode(node);
  }

  // "float[1,3,224]" as {"float": [1, 3, 224]}.
  static Json shapesToJson(const std::vector<std::string>& shapes) {
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

  int64_t parameterBytes(const GraphReport& graph, const NodeReport& node) const {
    int64_t bytes = 0;
    for (int32_t input : node.inputs) {
      if (input == kNone) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(input)];
      if (value.isInitializer && value.sizeBytes > 0) bytes += value.sizeBytes;
    }
    return bytes;
  }

  int64_t activationBytes(const GraphReport& graph, const NodeReport& node) const {
    int64_t bytes = 0;
    for (int32_t input : node.inputs) {
      if (input == kNone) continue;
      const ValueReport& value = graph.values[static_cast<size_t>(input)];
      if (!value.isInitializer && value.sizeBytes > 0) bytes += value.sizeBytes;
    }
    return bytes;
  }

  void addNode(const NodeTiming& timing) {
    if (!m_walk.partitionedGraphs || static_cast<size_t>(timing.graph) >= m_walk.partitionedGraphs->graphs.size()) return;
    const GraphReport& graph = m_walk.partitionedGraphs->graphs[static_cast<size_t>(timing.graph)];
    const NodeReport& node = graph.nodes[static_cast<size_t>(timing.node)];
    const std::string name = node.name.empty() ? node.opType + "_" + std::to_string(timing.node) : node.name;
    Json args;
    args["op_name"] = node.opType;
    args["provider"] = node.provider;
    args["node_index"] = std::to_string(timing.node);
    args["activation_size"] = std::to_string(activationBytes(graph, node));
    args["parameter_size"] = std::to_string(parameterBytes(graph, node));
    args["output_size"] = std::to_string(timing.outputBytes);
    args["input_type_shape"] = shapesToJson(timing.inputShapes);
    args["output_type_shape"] = shapesToJson(timing.outputShapes);
    args["kernel"] = timing.variant;
    args["calls"] = std::to_string(timing.calls);
    add("Node", name + "_kernel_time", m_timeNs + timing.startNs, timing.totalNs, timing.thread, std::move(args));
  }

  const WalkReport& m_walk;
  Json m_events = Json::array();
  int64_t m_timeNs = 0;
};

}  // namespace

std::string chromeTrace(const WalkReport& walk) { return TraceWriter(walk).write(); }

}  // namespace cutaway
