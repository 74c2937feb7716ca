#include "engine/profile/trace_nodes.h"

namespace cutaway::profile {
namespace {

constexpr std::string_view kKernelTime = "_kernel_time";
constexpr std::string_view kBlockedLayout = "_nchwc";

bool cut(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

}  // namespace

TraceNodes::TraceNodes(const WalkReport& walk) : m_loaded(walk.loadedGraphs.get()) {
  m_graphs = walk.partitionedGraphs ? walk.partitionedGraphs.get()
             : walk.optimizedGraphs ? walk.optimizedGraphs.get()
                                    : walk.loadedGraphs.get();
  const auto addNames = [](const ModelGraphs& graphs, auto& names) {
    for (size_t graph = 0; graph < graphs.graphs.size(); ++graph) {
      if (graphs.graphs[graph].isInside) continue;  // these never run
      for (size_t node = 0; node < graphs.graphs[graph].nodes.size(); ++node) {
        const std::string& name = graphs.graphs[graph].nodes[node].name;
        if (!name.empty()) names[name].push_back({static_cast<int32_t>(graph), static_cast<int32_t>(node), true});
      }
    }
  };
  if (m_graphs != nullptr) {
    addNames(*m_graphs, m_names);
    for (size_t graph = 0; graph < m_graphs->graphs.size(); ++graph) {
      for (size_t node = 0; node < m_graphs->graphs[graph].nodes.size(); ++node) {
        for (const int32_t origin : m_graphs->graphs[graph].nodes[node].origins)
          m_ofOrigin.try_emplace(origin, Place{static_cast<int32_t>(graph), static_cast<int32_t>(node), false});
      }
    }
  }
  if (m_loaded != nullptr) {
    addNames(*m_loaded, m_loadedNames);
    for (size_t graph = 0; graph < m_loaded->graphs.size(); ++graph) {
      if (m_loaded->graphs[graph].isInside) continue;
      for (const ValueReport& value : m_loaded->graphs[graph].values) {
        if (value.producer != kNone)
          m_loadedValues.try_emplace(value.name, Place{static_cast<int32_t>(graph), value.producer, false});
      }
    }
  }
  if (!walk.schedule) return;
  for (const GraphSchedule& graph : walk.schedule->graphs) {
    for (size_t step = 0; step < graph.steps.size(); ++step)
      m_steps[{graph.graph, graph.steps[step].node}] = static_cast<int32_t>(step);
  }
}

std::string_view TraceNodes::nodeName(std::string_view eventName) {
  if (eventName.ends_with("_fence_before") || eventName.ends_with("_fence_after")) return {};
  cut(eventName, kKernelTime);
  return eventName;
}

int32_t TraceNodes::stepOf(Place place) const {
  const auto found = m_steps.find({place.graph, place.node});
  return found == m_steps.end() ? place.node : found->second;
}

TraceNodes::Place TraceNodes::ofOrigin(int32_t graph, int32_t node) const {
  const NodeReport& loaded = m_loaded->graphs[static_cast<size_t>(graph)].nodes[static_cast<size_t>(node)];
  for (const int32_t origin : loaded.origins) {
    if (const auto found = m_ofOrigin.find(origin); found != m_ofOrigin.end()) return found->second;
  }
  return {};
}

TraceNodes::Place TraceNodes::named(std::string_view name, const std::string& opType) const {
  const auto found = m_names.find(name);
  if (found == m_names.end()) return {};
  for (const Place& place : found->second) {
    if (m_graphs->graphs[static_cast<size_t>(place.graph)].nodes[static_cast<size_t>(place.node)].opType == opType)
      return place;
  }
  return found->second.front();
}

TraceNodes::Place TraceNodes::ofLoadedName(std::string_view name, const std::string& opType) const {
  const auto found = m_loadedNames.find(name);
  if (found == m_loadedNames.end()) return {};
  for (const Place& place : found->second) {
    if (m_loaded->graphs[static_cast<size_t>(place.graph)].nodes[static_cast<size_t>(place.node)].opType != opType)
      continue;
    if (const Place run = ofOrigin(place.graph, place.node); run.node != kNone) return run;
  }
  return ofOrigin(found->second.front().graph, found->second.front().node);
}

TraceNodes::Place TraceNodes::ofLoadedValue(std::string_view name) const {
  const auto found = m_loadedValues.find(name);
  return found == m_loadedValues.end() ? Place{} : ofOrigin(found->second.graph, found->second.node);
}

// Unnamed nodes: "Relu_3" or nothing but operator and index. The index counts in the graph as it ran there, which is
// ours only where neither engine changed anything.
TraceNodes::Place TraceNodes::ofIndex(std::string_view name, const TraceEvent& event) const {
  if (event.nodeIndex < 0 || event.opType.empty()) return {};
  const std::string label = event.opType + "_" + std::to_string(event.nodeIndex);
  if (!name.empty() && name != label) return {};
  const auto fits = [&](const ModelGraphs* graphs, size_t graph) {
    if (graphs == nullptr || graph >= graphs->graphs.size() ||
        static_cast<size_t>(event.nodeIndex) >= graphs->graphs[graph].nodes.size())
      return false;
    const NodeReport& node = graphs->graphs[graph].nodes[static_cast<size_t>(event.nodeIndex)];
    return node.opType == event.opType && (node.name.empty() || name.empty());
  };
  const auto index = static_cast<int32_t>(event.nodeIndex);
  if (event.graph >= 0)
    return fits(m_graphs, static_cast<size_t>(event.graph)) ? Place{static_cast<int32_t>(event.graph), index, true}
                                                            : Place{};
  if (fits(m_loaded, 0)) return ofOrigin(0, index);
  return fits(m_graphs, 0) ? Place{0, index, true} : Place{};
}

TraceNodes::Place TraceNodes::search(std::string_view name, const TraceEvent& event) const {
  if (m_graphs == nullptr) return {};
  // Our own traces say which graph.
  const bool inGraphs = event.graph >= 0 && static_cast<size_t>(event.graph) < m_graphs->graphs.size();
  if (inGraphs && event.nodeIndex >= 0 &&
      static_cast<size_t>(event.nodeIndex) < m_graphs->graphs[static_cast<size_t>(event.graph)].nodes.size()) {
    const NodeReport& node =
        m_graphs->graphs[static_cast<size_t>(event.graph)].nodes[static_cast<size_t>(event.nodeIndex)];
    if (node.opType == event.opType && (node.name.empty() || node.name == name))
      return {static_cast<int32_t>(event.graph), static_cast<int32_t>(event.nodeIndex), true};
  }
  if (const Place place = named(name, event.opType); place.node != kNone) return place;
  if (m_loaded == nullptr) return ofIndex(name, event);
  if (const Place place = ofLoadedName(name, event.opType); place.node != kNone) return place;
  if (std::string_view plain = name; cut(plain, kBlockedLayout)) {
    if (const Place place = ofLoadedName(plain, event.opType); place.node != kNone) return place;
    if (const Place place = ofLoadedValue(plain); place.node != kNone) return place;
  }
  if (const Place place = ofFused(name, event); place.node != kNone) return place;
  if (const Place place = ofIndex(name, event); place.node != kNone) return place;
  return ofLoadedValue(name);
}

TraceNodes::Place TraceNodes::ofFused(std::string_view name, const TraceEvent& event) const {
  constexpr std::string_view kAnd = " + ";
  if (name.find(kAnd) == std::string_view::npos) return {};
  while (!name.empty()) {
    const size_t end = std::min(name.find(kAnd), name.size());
    if (const Place place = search(name.substr(0, end), event); place.node != kNone) return place;
    name.remove_prefix(std::min(end + kAnd.size(), name.size()));
  }
  return {};
}

TraceNodes::Place TraceNodes::find(const TraceEvent& event) {
  const std::string_view name = nodeName(event.name);
  std::string key = fmt::format("{}\n{}\n{}\n{}", name, event.opType, event.nodeIndex, event.graph);
  if (const auto known = m_found.find(key); known != m_found.end()) return known->second;
  const Place place = search(name, event);
  m_found.emplace(std::move(key), place);
  return place;
}

}  // namespace cutaway::profile
