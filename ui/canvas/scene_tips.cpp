#include "ui/canvas/scene_tips.h"

#include <map>

#include <QCoreApplication>
#include <QStringList>

#include "ui/base/format.h"
#include "ui/canvas/opened_groups.h"
#include "ui/canvas/scene_graph.h"

namespace cutaway::ui {
namespace {

constexpr int kMostValues = 6, kMostReaders = 5, kLongestName = 48;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(SceneTips)
};

QString folded(const Scene& scene, const SceneLook& look, int item) {
  const Scope& scope = scene.scopes->scopes[scene.items[item].index];
  QString tip = scope.title + QLatin1Char('\n') + Words::tr("%n nodes", nullptr, scope.nodeCount);
  if (scope.repeats > 1) tip += QLatin1Char('\n') + Words::tr("%n parts that are alike", nullptr, scope.repeats);
  if (const QString figures = look.figureWords(item); !figures.isEmpty()) tip += QLatin1Char('\n') + figures;
  if (scope.kind == ScopeKind::kName) tip += QLatin1Char('\n') + scope.path;
  return tip;
}

// "QuantizeLinear, Constant x3": what is drawn on the card beside its own node.
QString onCardWords(const Scene& scene, int item) {
  std::map<QString, int> operators;
  for (size_t n = 0; n < scene.itemOfNode.size(); ++n)
    if (scene.itemOfNode[n] == item && static_cast<int>(n) != scene.items[item].index)
      ++operators[operatorText(scene.report().nodes[n])];
  QStringList words;
  for (const auto& [name, count] : operators)
    words << (count > 1 ? name + QStringLiteral(" \u00d7%1").arg(count) : name);
  return words.join(QStringLiteral(", "));
}

void list(QString& tip, const QString& word, const GraphReport& graph, std::span<const int32_t> values) {
  int count = 0;
  for (const int32_t value : values) {
    if (value < 0) continue;
    if (++count > kMostValues) break;
    tip += QStringLiteral("\n%1 %2  %3")
               .arg(word, shortened(text(graph.values[value].name), 40), text(graph.values[value].type));
  }
}

}  // namespace

QString itemFacts(const Scene& scene, const SceneLook& look, int item) {
  const SceneItem& shown = scene.items[item];
  if (shown.kind == ItemKind::kFolded) return folded(scene, look, item);
  const GraphReport& graph = scene.reportOf(shown);
  if (shown.kind == ItemKind::kInput || shown.kind == ItemKind::kOutput)
    return text(graph.values[shown.index].name) + QLatin1Char('\n') + text(graph.values[shown.index].type);
  const NodeReport& node = graph.nodes[shown.index];
  QString tip = text(node.opType) + QLatin1Char(' ') + text(node.name);
  if (opensAsHull(node)) {
    tip = hullTitle(*scene.graphs, node) + QLatin1Char('\n') + text(node.name);
    tip += QLatin1Char('\n') + Words::tr("as its provider was asked; %n nodes of the model", nullptr,
                                         static_cast<int>(node.origins.size()));
  }
  list(tip, Words::tr("in"), graph, node.inputs);
  list(tip, Words::tr("out"), graph, node.outputs);
  if (scene.onCard(item) > 0) tip += QLatin1Char('\n') + Words::tr("with %1").arg(onCardWords(scene, item));
  if (!node.provider.empty()) tip += QLatin1Char('\n') + Words::tr("runs on %1").arg(text(node.provider));
  if (const QString figures = look.figureWords(item); !figures.isEmpty()) tip += QLatin1Char('\n') + figures;
  if (look.overlay && look.overlay->isRamp() && look.amount[item] >= 0)
    tip += QStringLiteral("\n%1 %2").arg(look.overlay->title(), look.overlay->amountText(look.amount[item]));
  if (const auto mark = look.marks.find(item); mark != look.marks.end()) tip += QLatin1Char('\n') + mark->second;
  if (const auto parts = look.parts.find(item); parts != look.parts.end())
    tip += QLatin1Char('\n') + Words::tr("inside, by its library: %1").arg(parts->second);
  return tip;
}

QString itemTip(const Scene& scene, const SceneLook& look, int item) {
  const SceneItem& shown = scene.items[item];
  const QString facts = itemFacts(scene, look, item);
  const auto with = [&facts](const QString& gesture) { return facts + QLatin1Char('\n') + gesture; };
  if (shown.kind == ItemKind::kFolded || shown.card > 0) return with(Words::tr("Double-click unfolds"));
  if (shown.kind == ItemKind::kHeader) return with(Words::tr("The sign at the left folds it"));
  if (shown.kind == ItemKind::kNode && opensAsHull(scene.nodeOf(shown)))
    return with(Words::tr("Double-click opens it"));
  if (shown.kind == ItemKind::kNode && hasBody(scene.nodeOf(shown)))
    return with(Words::tr("Double-click enters it, the sign at the right unfolds it in place"));
  return facts;
}

QString netTip(const Scene& scene, int index) {
  const SceneNet& net = scene.nets[index];
  const GraphReport& graph = scene.graphs->graphs[net.graph];
  if (net.bundle >= 0) {
    const std::vector<int>& values = scene.bundles[net.bundle];
    QString tip = Words::tr("%n values", nullptr, static_cast<int>(values.size()));
    for (size_t i = 0; i < values.size() && i < kMostValues; ++i)
      tip += QStringLiteral("\n%1  %2")
                 .arg(shortened(text(graph.values[values[i]].name), kLongestName), text(graph.values[values[i]].type));
    if (values.size() > kMostValues)
      tip += QLatin1Char('\n') + Words::tr("and %n more", nullptr, static_cast<int>(values.size()) - kMostValues);
    return tip;
  }
  return valueTip(graph, net.value);
}

QString valueTip(const GraphReport& graph, int index) {
  const ValueReport& value = graph.values[index];
  QString tip = shortened(text(value.name), kLongestName) + QLatin1Char('\n') + text(value.type);
  if (value.sizeBytes >= 0) tip += QStringLiteral("  ") + sizeText(value.sizeBytes);
  if (value.producer >= 0)
    tip += QLatin1Char('\n') + Words::tr("from %1").arg(shortened(nodeTitle(graph, value.producer), kLongestName));
  int count = 0;
  for (const int32_t consumer : value.consumers) {
    if (++count > kMostReaders) {
      tip += QLatin1Char('\n') +
             Words::tr("and %n more", nullptr, static_cast<int>(value.consumers.size()) - kMostReaders);
      break;
    }
    tip += QLatin1Char('\n') + Words::tr("to %1").arg(shortened(nodeTitle(graph, consumer), kLongestName));
  }
  return tip;
}

}  // namespace cutaway::ui
