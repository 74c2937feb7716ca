#include "ui/document/weight_source.h"

#include <algorithm>

#include "engine/session/model_files.h"

namespace cutaway::ui {
namespace {

const ValueReport* find(const GraphReport& graph, const std::string& name) {
  const auto found = std::ranges::find_if(graph.values, [&](const ValueReport& each) { return each.name == name; });
  return found == graph.values.end() ? nullptr : &*found;
}

}  // namespace

bool WeightSource::isConstant(const ModelGraphs& graphs, int graph, const ValueReport& value) {
  const ValueReport* at = &value;
  for (int steps = 0; at && steps <= static_cast<int>(graphs.graphs.size()); ++steps) {
    const GraphReport& holder = graphs.graphs[static_cast<size_t>(graph)];
    if (at->isInitializer) return true;
    if (at->producer != kNone) {
      const NodeReport& node = holder.nodes[static_cast<size_t>(at->producer)];
      return node.opType == "Constant" && node.domain.empty();
    }
    if (at->role != ValueRole::kOuterScope || holder.parentGraph == kNone) return false;
    graph = holder.parentGraph;
    at = find(graphs.graphs[static_cast<size_t>(graph)], value.name);
  }
  return false;
}

Result<std::shared_ptr<const Model>> WeightSource::model(const std::string& path,
                                                         const std::vector<edit::ModelEdit>& edits,
                                                         const CancelToken& cancel) {
  const QMutexLocker lock(&m_mutex);
  if (m_model) return m_model;
  Progress progress(cancel);
  CUTAWAY_TRY(std::shared_ptr<const Model> loaded, session::loadModelFile(path, progress));
  if (!edits.empty()) {
    CUTAWAY_TRY(Model edited, edit::applyEdits(*loaded, edits));
    loaded = std::make_shared<const Model>(std::move(edited));
  }
  m_model = loaded;
  return loaded;
}

Result<std::shared_ptr<const study::TensorContent>> WeightSource::read(const std::string& path,
                                                                       const std::vector<edit::ModelEdit>& edits,
                                                                       int32_t graph, const std::string& name,
                                                                       const CancelToken& cancel) {
  CUTAWAY_TRY(const std::shared_ptr<const Model> loaded, model(path, edits, cancel));
  CUTAWAY_TRY(RuntimeValue value, study::constantValue(*loaded, graph, name));
  return study::TensorContent::make(name, std::move(value), cancel);
}

}  // namespace cutaway::ui
