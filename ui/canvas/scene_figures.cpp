#include "ui/canvas/scene_figures.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/canvas/scene.h"

namespace cutaway::ui {

std::vector<ItemFigures> figuresOf(const Scene& scene, const CostReport* costs, const RunReport* run,
                                   const OpenFlops& openFlops) {
  if (!costs && !run) return {};
  std::vector<ItemFigures> figures(scene.items.size());
  const auto add = [&](int graph, int node, int item) {
    if (!costs || item < 0 || graph >= static_cast<int>(costs->graphs.size()) ||
        node >= static_cast<int>(costs->graphs[graph].nodes.size()))
      return;
    const NodeFigures& cost = costs->graphs[graph].nodes[node];
    ItemFigures& all = figures[item];
    all.parameters += cost.parameters;
    if (cost.flops >= 0) {
      all.flops = std::max<int64_t>(all.flops, 0) + cost.flops;
    } else if (const auto formula = openFlops ? openFlops(graph, node) : std::nullopt) {
      all.open.add(*formula);
    }
  };
  for (size_t n = 0; n < scene.itemOfNode.size(); ++n)
    add(scene.graph, static_cast<int>(n), scene.itemOfNode[n]);
  for (const Scene::BodyNode& node : scene.bodyNodes)
    add(node.graph, node.node, node.item);
  if (!run) return figures;
  for (const NodeTiming& timing : run->nodes) {
    if (timing.node < 0 || timing.graph != scene.graph || timing.node >= static_cast<int32_t>(scene.itemOfNode.size()))
      continue;
    ItemFigures& all = figures[scene.itemOfNode[timing.node]];
    all.timeNs = std::max<int64_t>(all.timeNs, 0) + timing.totalNs;
  }
  return figures;
}

QString parameterText(int64_t parameters) {
  const auto amount = static_cast<double>(parameters);
  if (parameters < 10'000) return countText(parameters);
  if (parameters < 1'000'000) return QStringLiteral("%1 k").arg(amount / 1e3, 0, 'f', amount < 1e5 ? 1 : 0);
  if (parameters < 1'000'000'000) return QStringLiteral("%1 M").arg(amount / 1e6, 0, 'f', amount < 1e8 ? 1 : 0);
  return QStringLiteral("%1 G").arg(amount / 1e9, 0, 'f', 1);
}

QString figureWords(const ItemFigures& figures) {
  QStringList words;
  if (figures.parameters > 0)
    words << QCoreApplication::translate("SceneFigures", "%1 weights").arg(parameterText(figures.parameters));
  if (figures.open.isOpen()) {
    CostFormula all = figures.open;
    all.add(CostFormula::constant(static_cast<double>(std::max<int64_t>(figures.flops, 0))));
    words << formulaHeadWords(all, workText);
  } else if (figures.flops > 0) {
    words << workText(figures.flops);
  }
  if (figures.timeNs >= 0) words << timeText(figures.timeNs);
  return words.join(QStringLiteral(" \u00b7 "));
}

}  // namespace cutaway::ui
