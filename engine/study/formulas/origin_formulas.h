#pragma once
// Formulas of nodes that came of the loaded model's: what a fused node, or a group, computes is what its originals did.
//
// Thread rule: immutable once made. Example: const OriginFormulas of(walk.loadedGraphs->graphs[0], formulas);
// const auto flops = of.flopsOf(node.origins);

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/report/graph_report.h"
#include "engine/study/formulas/model_formulas.h"

namespace cutaway::study {

class OriginFormulas {
 public:
  // loaded: the main graph that the formulas are of.
  OriginFormulas(const GraphReport& loaded, std::shared_ptr<const ModelFormulas> formulas);
  // The sum over originals; nullopt: one is of another graph, or has no formula.
  std::optional<CostFormula> flopsOf(std::span<const int32_t> origins) const;

 private:
  std::shared_ptr<const ModelFormulas> m_formulas;
  std::vector<int32_t> m_nodeOfOrigin;  // kNone: of another graph
};

}  // namespace cutaway::study
