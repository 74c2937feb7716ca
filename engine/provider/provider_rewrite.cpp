#include "engine/provider/provider_rewrite.h"

namespace cutaway {

Result<void> applyRewrite(Graph& graph, GraphPatch patch, std::string_view rewriteName,
                          std::vector<ProviderRewrite>& done) {
  std::string note = patch.note;
  CUTAWAY_TRY(PatchResult applied, applyPatch(graph, std::move(patch), rewriteName));
  std::string name = applied.added.empty() ? std::string() : graph.node(applied.added.front()).name.string();
  done.push_back({std::move(note), std::move(applied.origins), std::move(name)});
  return {};
}

}  // namespace cutaway
