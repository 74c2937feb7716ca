// Sizes that the model leaves open: with numbers for them, shapes fold into constants and buffers can be planned.
#include "engine/study/advise/advisor.h"
#include "engine/study/size_guess.h"

namespace cutaway::study {
namespace {

std::vector<Suggestion> suggest(const AdviceContext& context) {
  Suggestion suggestion{.title = {},
                        .reason = "sizes that are open keep nodes from folding and buffers from being planned",
                        .consequence = "the session runs with these sizes only",
                        .change = {},
                        .aims = {AdviceMeasure::kUnplannedBuffers, AdviceMeasure::kLeftNodes, AdviceMeasure::kNodes}};
  const Graph& graph = context.model.graph;
  std::vector<std::string> parts;
  for (const ValueId id : graph.inputs()) {
    const Value& value = graph.value(id);
    if (value.initializer || !value.type.isTensor() || !value.type.shape) continue;
    for (size_t axis = 0; axis < value.type.shape->rank(); ++axis) {
      const Dim& dim = (*value.type.shape)[axis];
      if (!dim.isSymbol() || dim.symbol().empty() || suggestion.change.dims.contains(dim.symbol())) continue;
      const int64_t size = guessSize(dim.symbol(), axis, value.type);
      suggestion.change.dims[dim.symbol()] = size;
      suggestion.assumed = suggestion.assumed || axis != 0;  // 1 for a batch is a choice, not a guess
      parts.push_back(fmt::format("{} = {}", dim.symbol(), size));
    }
  }
  if (parts.empty()) return {};
  suggestion.title = fmt::format("{}", fmt::join(parts, ", "));
  return {std::move(suggestion)};
}

constexpr Advisor kAdvisor{
    .name = "open dimensions", .purpose = "gives open dimensions of inputs a size", .suggest = suggest};

}  // namespace

const Advisor& advisor_open_dimensions() {
  return kAdvisor;
}

}  // namespace cutaway::study
