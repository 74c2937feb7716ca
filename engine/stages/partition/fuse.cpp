#include "engine/stages/partition/fuse.h"

#include <algorithm>

namespace cutaway::partition {

void fuseGroup(Graph& graph, const AcceptedGroup& group) {
  Node fused;
  fused.name = group.fusedName;
  fused.opType = group.metaDef.name;
  fused.domain = group.metaDef.domain.empty() ? group.provider->name() : group.metaDef.domain;
  fused.provider = group.provider->name();
  fused.rewrite = "fused by " + group.provider->name();
  fused.sinceVersion = 1;
  fused.opsetVersion = 1;
  for (const NodeId id : group.nodes) {
    const ShortList<OriginId>& origins = graph.node(id).origins;
    fused.origins.insert(fused.origins.end(), origins.begin(), origins.end());
  }
  std::sort(fused.origins.begin(), fused.origins.end());
  fused.origins.erase(std::unique(fused.origins.begin(), fused.origins.end()), fused.origins.end());

  std::vector<std::string> outputNames;
  for (const ValueId id : group.metaDef.outputs)
    outputNames.push_back(graph.value(id).name);
  std::vector<ValueId> inner;
  for (const NodeId id : group.nodes) {
    for (const ValueId value : graph.node(id).outputs) {
      if (value.valid() &&
          std::find(group.metaDef.outputs.begin(), group.metaDef.outputs.end(), value) == group.metaDef.outputs.end())
        inner.push_back(value);
    }
  }
  for (const NodeId id : group.nodes)
    graph.removeNode(id);
  for (const ValueId value : inner)
    graph.removeValue(value);
  graph.addNode(std::move(fused), group.metaDef.inputs, outputNames);
}

}  // namespace cutaway::partition
