#pragma once
// Which node of a walk an event of a trace stands for.
//
// Names come first: of the graph that runs, then of the model as it was loaded, whose nodes may have been fused here.
// onnxruntime names what it laid out anew after the value it makes
// ("conv1_out_nchwc"), and unnamed nodes by operator and index ("Relu_3"). Tools of devices name a layer after all that
// they fused into it ("conv1 + relu1"), which counts for the first, or after the value that a node makes.
// Thread rule: one thread. Example: TraceNodes nodes(walk);  if (const TraceNodes::Place place = nodes.find(event);
// place.node != kNone) ...

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/profile/trace_events.h"
#include "engine/report/walk_report.h"

namespace cutaway::profile {

class TraceNodes {
 public:
  struct Place {
    int32_t graph = kNone;
    int32_t node = kNone;
    bool exact = false;  // the node itself, and not one that it was made part of
  };

  explicit TraceNodes(const WalkReport& walk);
  // node kNone: nothing fits.
  Place find(const TraceEvent& event);
  int32_t stepOf(Place place) const;
  const ModelGraphs* graphs() const { return m_graphs; }

  // "conv1" of "conv1_kernel_time"; empty for what is no call of a node ("_fence_before").
  static std::string_view nodeName(std::string_view eventName);

 private:
  Place search(std::string_view name, const TraceEvent& event) const;
  Place ofFused(std::string_view name, const TraceEvent& event) const;
  Place named(std::string_view name, const std::string& opType) const;
  Place ofOrigin(int32_t graph, int32_t node) const;
  Place ofLoadedName(std::string_view name, const std::string& opType) const;
  Place ofLoadedValue(std::string_view name) const;
  Place ofIndex(std::string_view name, const TraceEvent& event) const;

  const ModelGraphs* m_graphs = nullptr;  // that run
  const ModelGraphs* m_loaded = nullptr;
  std::unordered_map<std::string_view, std::vector<Place>> m_names;
  std::unordered_map<std::string_view, std::vector<Place>> m_loadedNames;
  std::unordered_map<std::string_view, Place> m_loadedValues;  // producers
  std::unordered_map<int32_t, Place> m_ofOrigin;
  std::map<std::pair<int32_t, int32_t>, int32_t> m_steps;
  std::unordered_map<std::string, Place> m_found;
};

}  // namespace cutaway::profile
