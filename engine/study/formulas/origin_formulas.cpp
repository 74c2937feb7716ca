#include "engine/study/formulas/origin_formulas.h"

namespace cutaway::study {

OriginFormulas::OriginFormulas(const GraphReport& loaded, std::shared_ptr<const ModelFormulas> formulas)
    : m_formulas(std::move(formulas)) {
  if (loaded.nodes.size() != m_formulas->nodes.size()) return;  // of another model
  for (size_t node = 0; node < loaded.nodes.size(); ++node) {
    if (loaded.nodes[node].origins.empty() || loaded.nodes[node].origins.front() < 0) continue;
    const auto origin = static_cast<size_t>(loaded.nodes[node].origins.front());
    if (origin >= m_nodeOfOrigin.size()) m_nodeOfOrigin.resize(origin + 1, kNone);
    if (m_nodeOfOrigin[origin] == kNone) m_nodeOfOrigin[origin] = static_cast<int32_t>(node);
  }
}

std::optional<CostFormula> OriginFormulas::flopsOf(std::span<const int32_t> origins) const {
  if (origins.empty()) return std::nullopt;
  CostFormula sum;
  for (const int32_t origin : origins) {
    if (origin < 0 || static_cast<size_t>(origin) >= m_nodeOfOrigin.size()) return std::nullopt;
    const int32_t node = m_nodeOfOrigin[static_cast<size_t>(origin)];
    if (node == kNone) return std::nullopt;
    const std::shared_ptr<const CostFormula>& flops = m_formulas->nodes[static_cast<size_t>(node)].flops;
    if (!flops || !sum.add(*flops)) return std::nullopt;
  }
  return sum;
}

}  // namespace cutaway::study
