// The first half of a story: original nodes, rewrites, the optimised graph, providers. story_run.cpp tells the rest.
#include "ui/panels/story/story_of.h"

#include <algorithm>
#include <set>

#include <QCoreApplication>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostNodes = 4;  // named one by one
constexpr size_t kMostRewrites = 4;
constexpr size_t kMostNames = 4;

QString tr(const char* words) {
  return QCoreApplication::translate("cutaway::ui::Story", words);
}

QString nodeWords(const Document& document, const NodeTarget& target) {
  const auto graphs = document.graphs(target.version);
  const NodeReport* node = document.node(target);
  if (!graphs || !node) return {};
  const QString name = text(node->name);
  return name.isEmpty() ? nodeTitle(graphs->graphs[static_cast<size_t>(target.graph)], target.node)
                        : QStringLiteral("%1 \u201c%2\u201d").arg(operatorText(*node), shortened(name, 60));
}

QString joined(const std::vector<std::string>& names) {
  QStringList parts;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    parts << shortened(text(names[i]), 48);
  if (names.size() > kMostNames) parts << tr("and %1 more").arg(names.size() - kMostNames);
  return parts.join(QStringLiteral(", "));
}

class Teller {
 public:
  explicit Teller(const Document& document)
      : m_document(document), m_selection(document.selection()), m_walk(*document.walk()) {}

  Story tell() {
    if (m_selection.empty() || !m_walk.loadedGraphs) return {};
    m_origins = m_selection.origins();
    head();
    if (m_story.title.isEmpty()) return {};
    if (m_selection.value().valid()) value();
    originals();
    rewrites();
    if (!optimized()) return std::move(m_story);
    partition();
    plans();
    addContextStation(m_document, m_optimized, m_story.stations);
    return std::move(m_story);
  }

 private:
  std::vector<NodeTarget> nodesOf(GraphVersion version) const {
    std::vector<NodeTarget> found;
    const GraphIndex* index = m_document.index(version);
    if (!index) return found;
    if (!m_selection.value().valid() && m_selection.focus().valid() && m_selection.focus().version == version)
      found.push_back(m_document.holderOf(m_selection.focus()));
    for (const int origin : m_origins)
      for (const NodePlace& place : index->nodesOf(origin)) {
        const NodeTarget target{version, place.graph, place.node};
        if (std::find(found.begin(), found.end(), target) == found.end()) found.push_back(target);
      }
    return found;
  }

  void head() {
    if (m_selection.value().valid()) {
      m_story.title = shortened(m_selection.value().name, 80);
      const ValueReport* value = anyValue();
      m_story.subtitle =
          value ? tr("value, %1").arg(value->type.empty() ? tr("type not known") : text(value->type)) : tr("value");
      return;
    }
    const NodeTarget focus =
        m_selection.focus().valid() ? m_selection.focus() : m_selection.focusIn(m_document.shownVersion());
    if (!focus.valid()) return;
    m_story.title = nodeWords(m_document, focus);
    m_story.subtitle = m_origins.size() > 1 ? tr("made of %1 original nodes").arg(m_origins.size()) : QString();
    if (const NodeReport* node = m_document.node(focus); node && m_origins.empty())
      m_story.subtitle =
          node->rewrite.empty() ? QString() : tr("not in the model: created by %1").arg(text(node->rewrite));
  }

  const ValueReport* anyValue() const {
    for (const GraphVersion version : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned})
      if (const ValueReport* value = m_document.value(version, m_selection.value())) return value;
    return nullptr;
  }

  // What the value is, by which rule, and in which versions it is still there.
  void value() {
    Station station{.stage = Stage::kResolve, .title = tr("A value of the model"), .target = {{}, m_selection.value()}};
    const GraphIndex* index = m_document.index(GraphVersion::kLoaded);
    const int number =
        index ? index->valueIndex(m_selection.value().graph, m_selection.value().name.toStdString()) : kNone;
    if (number < 0) {
      station.title = tr("Not in the model");
      station.lines.push_back({tr("A rewrite or a copy between devices made this value.")});
    } else {
      const ValueReport& report = m_walk.loadedGraphs->graphs[static_cast<size_t>(m_selection.value().graph)]
                                      .values[static_cast<size_t>(number)];
      station.title = tr("Role: %1").arg(text(valueRoleName(report.role)));
      if (m_walk.resolve)
        for (const ValueRule& rule : m_walk.resolve->values)
          if (rule.graph == m_selection.value().graph && rule.value == number)
            station.lines.push_back({text(rule.text), {}, StoryTone::kQuiet});
      if (m_walk.optimizedGraphs && !m_document.value(GraphVersion::kOptimized, m_selection.value())) {
        station.lines.push_back({tr("It does not exist after optimisation: the node that made it was fused or folded."),
                                 {},
                                 StoryTone::kBad});
      }
    }
    m_story.stations.push_back(std::move(station));
  }

  void originals() {
    const std::vector<NodeTarget> nodes = nodesOf(GraphVersion::kLoaded);
    Station station{
        .stage = Stage::kLoad,
        .title = nodes.size() == 1 ? tr("One node of the model") : tr("%1 nodes of the model").arg(nodes.size())};
    if (nodes.empty()) {
      if (m_selection.value().valid()) return;  // fed or constant
      station.title = tr("No node of the model");
      station.lines.push_back({tr("A later stage made it, see below.")});
    } else {
      station.target.node = nodes.front();
    }
    for (size_t i = 0; i < std::min(nodes.size(), kMostNodes); ++i)
      station.lines.push_back({nodeWords(m_document, nodes[i]), {nodes[i], {}}});
    if (nodes.size() > kMostNodes)
      station.lines.push_back({tr("and %1 more").arg(nodes.size() - kMostNodes), {}, StoryTone::kQuiet});
    m_story.stations.push_back(std::move(station));
  }

  std::vector<const RewriteReport*> rewritesOf() const {
    std::vector<const RewriteReport*> found;
    if (!m_walk.optimize) return found;
    for (const RewriteReport& rewrite : m_walk.optimize->rewrites)
      if (std::any_of(rewrite.origins.begin(), rewrite.origins.end(), [this](int32_t origin) {
            return std::binary_search(m_origins.begin(), m_origins.end(), origin);
          }))
        found.push_back(&rewrite);
    return found;
  }

  void rewrites() {
    if (!m_walk.optimize || m_origins.empty()) return;
    const std::vector<const RewriteReport*> found = rewritesOf();
    Station station{.stage = Stage::kOptimize,
                    .title = found.empty()       ? tr("Not rewritten")
                             : found.size() == 1 ? tr("Rewritten by %1").arg(text(found.front()->pass))
                                                 : tr("Rewritten %1 times").arg(found.size())};
    for (size_t i = 0; i < std::min(found.size(), kMostRewrites); ++i) {
      const RewriteReport& rewrite = *found[i];
      const QString before = joined(rewrite.removed), after = joined(rewrite.added);
      if (found.size() > 1) station.lines.push_back({text(rewrite.pass), {}, StoryTone::kStrong});
      if (!before.isEmpty() || !after.isEmpty())
        station.lines.push_back(
            {QStringLiteral("%1 \u2192 %2")
                 .arg(before.isEmpty() ? tr("nothing") : before, after.isEmpty() ? tr("nothing") : after)});
      if (!rewrite.note.empty()) station.lines.push_back({text(rewrite.note), {}, StoryTone::kQuiet});
    }
    if (found.size() > kMostRewrites)
      station.lines.push_back({tr("and %1 more").arg(found.size() - kMostRewrites), {}, StoryTone::kQuiet});
    m_story.stations.push_back(std::move(station));
  }

  // False: nothing is left after optimising.
  bool optimized() {
    if (!m_walk.optimizedGraphs) return false;
    m_optimized = nodesOf(GraphVersion::kOptimized);
    if (!m_optimized.empty() || m_origins.empty()) return true;
    Station end{.stage = Stage::kOptimize, .title = tr("It ends here"), .ended = true};
    const std::vector<const RewriteReport*> found = rewritesOf();
    if (found.empty()) {
      end.lines.push_back({tr("It was removed: nothing reads its outputs."), {}, StoryTone::kBad});
    } else {
      const RewriteReport& last = *found.back();
      end.lines.push_back({last.added.empty() ? tr("Removed by %1").arg(text(last.pass))
                                              : tr("Folded into %1 by %2").arg(joined(last.added), text(last.pass)),
                           {},
                           StoryTone::kBad});
    }
    m_story.stations.push_back(std::move(end));
    return false;
  }

  const NodePlacement* placementOf(const NodeTarget& node) const {
    for (const NodePlacement& placement : m_walk.partition->nodes)
      if (placement.graph == node.graph && placement.node == node.node) return &placement;
    return nullptr;
  }

  void partition() {
    if (!m_walk.partition) return;
    for (size_t i = 0; i < std::min(m_optimized.size(), kMostNodes); ++i) {
      const NodePlacement* placement = placementOf(m_optimized[i]);
      if (!placement) continue;
      Station station{.stage = Stage::kPartition,
                      .title = placement->provider.empty() ? tr("No provider claimed it")
                                                           : tr("Assigned to %1").arg(text(placement->provider)),
                      .target = {m_optimized[i], {}},
                      .ended = placement->provider.empty()};
      station.lines.push_back({nodeWords(m_document, m_optimized[i]), {m_optimized[i], {}}});
      for (const ProviderAnswer& answer : placement->answers) {
        QString words = QStringLiteral("%1: %2").arg(text(answer.provider), text(verdictName(answer.verdict)));
        if (answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken && !answer.reason.empty())
          words += QStringLiteral(" \u2013 ") + told(answer.reason);
        station.lines.push_back({words, {}, StoryTone::kQuiet});
      }
      if (placement->group >= 0 && static_cast<size_t>(placement->group) < m_walk.partition->groups.size()) {
        const GroupReport& group = m_walk.partition->groups[static_cast<size_t>(placement->group)];
        if (group.nodes.size() > 1 || group.compiled)
          station.lines.push_back(
              {group.compiled ? tr("In a compiled group of %1 nodes: %2").arg(group.nodes.size()).arg(text(group.name))
                              : tr("In a subgraph of %1 nodes").arg(group.nodes.size())});
      }
      m_story.stations.push_back(std::move(station));
    }
  }

  void plans() {
    if (!m_walk.partitionedGraphs) return;
    std::vector<NodeTarget> nodes = nodesOf(GraphVersion::kPartitioned);
    if (nodes.empty()) {
      if (const QString name = m_selection.value().name;
          !name.isEmpty() && m_document.value(GraphVersion::kPartitioned, m_selection.value()))
        addPlanStations(m_document, {}, name, m_story.stations);
      return;
    }
    for (size_t i = 0; i < std::min(nodes.size(), kMostNodes); ++i)
      addPlanStations(m_document, nodes[i], m_selection.value().name, m_story.stations);
    if (nodes.size() > kMostNodes)
      m_story.stations.back().lines.push_back(
          {tr("and %1 more nodes").arg(nodes.size() - kMostNodes), {}, StoryTone::kQuiet});
  }

  const Document& m_document;
  const Selection& m_selection;
  const WalkReport& m_walk;
  std::vector<int> m_origins;
  std::vector<NodeTarget> m_optimized;
  Story m_story;
};

}  // namespace

Story storyOf(const Document& document) {
  return Teller(document).tell();
}

}  // namespace cutaway::ui
