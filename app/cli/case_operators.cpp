#include "app/cli/case_operators.h"

#include "app/cli/case_folder.h"
#include "engine/stages/load/load.h"

namespace cutaway::cli {

namespace {

int64_t importedVersion(const Model& model, const std::string& domain) {
  for (const OpsetImport& each : model.opsets) {
    if (each.domain == domain || (domain.empty() && each.domain == "ai.onnx")) return each.version;
  }
  return 1;
}

}  // namespace

CaseOperators::CaseOperators(const std::vector<std::string>& folders) {
  for (const std::filesystem::path& folder : findCases(folders)) {
    std::filesystem::path file = folder / "model.onnx";
    if (!std::filesystem::exists(file)) file = folder / "model.textproto";
    Progress progress;
    const Result<load::LoadResult> loaded =
        load::load(load::ModelSource::file(file), {.allowMissingExternalData = true}, progress);
    if (!loaded) continue;
    const Model& model = loaded->model;
    const auto use = [&](const Graph& graph) {
      for (const NodeId id : graph.nodeIds()) {
        const Node& node = graph.node(id);
        m_uses[{node.domain, node.opType}].emplace(folder.filename().string(), importedVersion(model, node.domain));
      }
    };
    forEachGraph(model.graph, use);
  }
}

std::vector<std::string> CaseOperators::of(const std::string& domain, const std::string& opType, int32_t first,
                                           int32_t last) const {
  std::vector<std::string> names;
  const auto found = m_uses.find({domain, opType});
  if (found == m_uses.end()) return names;
  for (const auto& [name, version] : found->second) {
    if (version >= first && (last == 0 || version <= last)) names.push_back(name);
  }
  return names;
}

}  // namespace cutaway::cli
