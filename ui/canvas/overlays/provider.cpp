// Overlay: which provider takes a node. Original and optimised nodes show what became of them.
#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <QHash>
#include <QRegularExpression>
#include <QStringList>

#include "engine/report/simulated_providers.h"
#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

// What providers did to nodes that they took: Transposes put in for their layout, nodes written anew.
class ProviderEdits {
 public:
  explicit ProviderEdits(const WalkReport& walk) {
    if (walk.optimize)
      for (const PassReport& pass : walk.optimize->passes)
        m_passes.insert(pass.name);
    for (const auto& graphs : {walk.optimizedGraphs, walk.partitionedGraphs})
      if (graphs)
        for (const GraphReport& graph : graphs->graphs)
          for (const NodeReport& node : graph.nodes)
            if (isEdited(node))
              for (const int32_t origin : node.origins)
                m_byOrigin[origin].push_back(&node);
    // Changes inside of a plug-in are told about nodes by their labels: "Transpose inserted behind Conv 'conv1'".
    static const QRegularExpression label(QStringLiteral("\\S+ '[^']+'"));
    for (const std::string& line : walk.partition->providerRewrites)
      for (auto found = label.globalMatch(text(line)); found.hasNext();)
        m_byLabel[found.next().captured()] << text(line);
  }

  QString words(const NodeReport& node) const {
    if (isEdited(node)) return wordsOf(node, node);
    QStringList all = m_byLabel.value(text(node.opType) + QStringLiteral(" '") + text(node.name) + QLatin1Char('\''));
    for (const int32_t origin : node.origins)
      if (const auto edited = m_byOrigin.find(origin); edited != m_byOrigin.end())
        for (const NodeReport* later : edited->second)
          if (const QString line = wordsOf(node, *later); !all.contains(line)) all << line;
    return all.join(QLatin1Char('\n'));
  }

 private:
  // Optimisation, copies and compiled groups have views of their own.
  bool isEdited(const NodeReport& node) const {
    return !node.rewrite.empty() && !node.provider.empty() && node.rewrite != "copy" &&
           !node.rewrite.starts_with("fused by ") && !m_passes.contains(node.rewrite);
  }
  static QString wordsOf(const NodeReport& node, const NodeReport& later) {
    const QString provider = text(later.provider), op = text(later.opType), rewrite = text(later.rewrite);
    if (later.opType == "Transpose" && (&node == &later || node.opType != "Transpose"))
      return OverlayWords::tr("%1: a Transpose put in (%2)").arg(provider, rewrite);
    return OverlayWords::tr("%1: written anew as %2 (%3)").arg(provider, op, rewrite);
  }

  std::unordered_set<std::string_view> m_passes;
  std::unordered_map<int32_t, std::vector<const NodeReport*>> m_byOrigin;
  QHash<QString, QStringList> m_byLabel;
};

void addMarks(Overlay& overlay, const OverlaySource& source) {
  const ProviderEdits edits(source.walk);
  for (size_t n = 0; n < source.report.nodes.size(); ++n)
    if (QString words = edits.words(source.report.nodes[n]); !words.isEmpty())
      overlay.marks.emplace(static_cast<int>(n), std::move(words));
  if (!overlay.marks.empty())
    overlay.legend.push_back(
        {kMarkedNodes, QChar(), OverlayWords::tr("changed by its provider"), static_cast<int>(overlay.marks.size())});
}

void fill(Overlay& overlay, const OverlaySource& source) {
  if (!source.walk.partition)
    return setMissing(overlay, OverlayWords::tr("Nodes have no provider before Partition is done."));
  const ProviderMarks& marks = source.marks;
  std::unordered_map<std::string, int> categories;  // names are looked up once per node
  for (size_t i = 0; i < marks.names.size(); ++i)
    if (!marks.names[i].isEmpty())
      categories.emplace(marks.names[i].toStdString(), static_cast<int>(std::min<size_t>(i, 100)));
  const std::vector<std::string> simulated = simulatedProviders(source.walk);
  for (const QString& name : providerNames(source.walk))  // in order of priority
    if (const int category = marks.indexOf(name.toStdString()); category >= 0)
      overlay.legend.push_back({category, marks.letters[static_cast<size_t>(category)], name, 0,
                                std::ranges::find(simulated, name.toStdString()) == simulated.end()
                                    ? TruthKind::kExact
                                    : TruthKind::kSimulated});
  const auto categoryOf = [&](const std::string& provider) {
    const auto found = categories.find(provider);
    return found == categories.end() ? -1 : found->second;
  };
  if (source.version == GraphVersion::kOptimized) {
    for (const NodePlacement& placement : source.walk.partition->nodes)
      if (placement.graph == source.graph && placement.node >= 0 &&
          placement.node < static_cast<int>(overlay.category.size()))
        overlay.category[static_cast<size_t>(placement.node)] =
            static_cast<signed char>(categoryOf(placement.provider));
  } else if (source.version == GraphVersion::kLoaded && source.walk.partitionedGraphs) {
    const ModelGraphs& graphs = *source.walk.partitionedGraphs;
    const std::vector<signed char> later = byOrigin(graphs, [&](int g, int n) {
      return categoryOf(graphs.graphs[static_cast<size_t>(g)].nodes[static_cast<size_t>(n)].provider);
    });
    for (size_t n = 0; n < source.report.nodes.size(); ++n)
      overlay.category[n] = static_cast<signed char>(largestOf(source.report.nodes[n], later));
  } else {
    for (size_t n = 0; n < source.report.nodes.size(); ++n)
      overlay.category[n] = static_cast<signed char>(categoryOf(source.report.nodes[n].provider));
  }
  countLegend(overlay);
  // A compiled group is one card and many nodes: the legend counts nodes, as the table of providers does.
  if (source.version == GraphVersion::kPartitioned)
    for (LegendEntry& entry : overlay.legend)
      entry.count = static_cast<int>(std::count_if(
          source.walk.partition->nodes.begin(), source.walk.partition->nodes.end(), [&](const NodePlacement& placed) {
            return placed.graph == source.graph && categoryOf(placed.provider) == entry.category;
          }));
  addMarks(overlay, source);
}

}  // namespace

const OverlayDescriptor& overlay_provider() {
  static const OverlayDescriptor descriptor{.id = "provider",
                                            .title = QT_TRANSLATE_NOOP("Overlay", "Provider"),
                                            .stages = {Stage::kPartition},
                                            .showsEmpty = true,
                                            .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
