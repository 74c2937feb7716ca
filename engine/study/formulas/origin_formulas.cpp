#include "engine/study/formulas/origin_formulas.h"

namespace cutaway::study {

OriginFormulas::OriginFormulas(const GraphReport& loaded, std::shared_ptr<const ModelFormulas> formulas)
    : m_formulas(std::move(formulas)) {
  if (loaded.nodes.size() != m_formulas->nodes.size()) return;  // of another model
  for (size_t node = 0; node < loaded.nodes.size(); ++node)
    if (!loaded.nodes[node].origins.empty()) m_nodeOfOrigin.emplace(loaded.nodes[node].origins.front(), node);
}

std::optional<CostFormula> OriginFormulas::flopsOf(const std::vector<int32_t>& origins) const {
  if (origins.empty()) return std::nullopt;
  CostFormula sum;
  for (const int32_t origin : origins) {
    const auto place = m_nodeOfOrigin.find(origin);
    if (place == m_nodeOfOrigin.end()) return std::nullopt;
    const std::optional<CostFormula>& flops = m_formulas->nodes[place->second].flops;
    if (!flops || !sum.add(*flops)) return std::nullopt;
  }
  return sum;
}

}  // namespace cutaway::study
