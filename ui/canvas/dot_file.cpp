// The language: https://graphviz.org/doc/info/lang.html, labels with ports: https://graphviz.org/doc/info/shapes.html.
#include "ui/canvas/dot_file.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "ui/base/format.h"
#include "ui/canvas/scene_graph.h"
#include "ui/canvas/scene_nets.h"
#include "ui/canvas/scene_tips.h"

namespace cutaway::ui {
namespace {

// XML 1.0 has no control characters, and a NUL ends Graphviz's reading.
QString plain(QString words) {
  for (QChar& letter : words) {
    if (letter < QLatin1Char(' ') && letter != QLatin1Char('\n')) letter = QChar::ReplacementCharacter;
  }
  return words;
}

// In quotes, with what Graphviz would read as an escape doubled.
QString quoted(const QString& words) {
  QString result = plain(words);
  result.replace(QLatin1Char('\\'), QLatin1String("\\\\"));
  result.replace(QLatin1Char('"'), QLatin1String("\\\""));
  result.replace(QLatin1Char('\n'), QLatin1String("\\n"));
  return QLatin1Char('"') + result + QLatin1Char('"');
}

QString itemId(int item) {
  return QStringLiteral("n%1").arg(item);
}

class DotWriter {
 public:
  DotWriter(const SceneRequest& request, const Scene& scene, const SceneLook& look)
      : m_request(request), m_scene(scene), m_look(look) {
    const ScopeTree& tree = *scene.scopes;
    m_children.resize(tree.scopes.size());
    m_items.resize(tree.scopes.size());
    std::vector<bool> isOpen(tree.scopes.size(), false);
    isOpen[0] = true;
    for (const SceneBox& box : scene.boxes)
      isOpen[box.scope] = true;
    for (size_t scope = 1; scope < tree.scopes.size(); ++scope) {
      if (isOpen[scope]) m_children[tree.scopes[scope].parent].push_back(static_cast<int>(scope));
    }
    for (size_t item = 0; item < scene.items.size(); ++item)
      m_items[scene.items[item].scope].push_back(static_cast<int>(item));
  }

  QByteArray write() {
    line(QStringLiteral("digraph %1 {").arg(quoted(text(m_scene.report().name))));
    m_depth = 1;
    const Theme& theme = *m_look.theme;
    line(
        QStringLiteral("graph [rankdir=%1, bgcolor=\"%2\", fontname=\"Helvetica\", fontcolor=\"%3\", pencolor=\"%4\"];")
            .arg(QLatin1String(m_scene.direction == FlowDirection::kRight ? "LR" : "TB"), theme.canvas.name(),
                 theme.text.name(), theme.borderStrong.name()));
    line(QStringLiteral("node [fontname=\"Helvetica\", fontsize=11, fontcolor=\"%1\"];").arg(theme.text.name()));
    line(QStringLiteral("edge [color=\"%1\", arrowsize=0.6];").arg(theme.textSecondary.name()));
    writeScopes();
    writeEdges();
    m_depth = 0;
    line(QStringLiteral("}"));
    return m_text.toUtf8();
  }

 private:
  void line(const QString& words) { m_text += QString(2 * m_depth, QLatin1Char(' ')) + words + QLatin1Char('\n'); }

  // Scopes may lie deeper than a stack is long.
  void writeScopes() {
    struct Open {
      int scope;
      size_t next;
    };
    std::vector<Open> open{{0, 0}};
    writeItems(0);
    while (!open.empty()) {
      Open& top = open.back();
      if (top.next == m_children[top.scope].size()) {
        if (top.scope != 0) {
          --m_depth;
          line(QStringLiteral("}"));
        }
        open.pop_back();
        continue;
      }
      const int scope = m_children[top.scope][top.next++];
      const Scope& shown = m_scene.scopes->scopes[scope];
      line(QStringLiteral("subgraph cluster_%1 {").arg(scope));
      ++m_depth;
      line(QStringLiteral("label=%1; tooltip=%2;").arg(quoted(shown.title), quoted(shown.path)));
      writeItems(scope);
      open.push_back({scope, 0});
    }
  }

  void writeItems(int scope) {
    for (const int item : m_items[scope])
      writeItem(item);
  }

  void writeItem(int item) {
    const SceneItem& shown = m_scene.items[item];
    const QString tip = quoted(itemFacts(m_scene, m_look, item));
    if (shown.kind == ItemKind::kNode || shown.kind == ItemKind::kHeader) {
      line(QStringLiteral("%1 [shape=plain, tooltip=%2, label=<%3>];").arg(itemId(item), tip, card(item)));
      return;
    }
    const bool isFolded = shown.kind == ItemKind::kFolded;
    const QString label =
        isFolded ? m_scene.scopes->scopes[shown.index].title : text(m_scene.reportOf(shown).values[shown.index].name);
    line(QStringLiteral("%1 [shape=%2, style=filled, fillcolor=\"%3\", color=\"%4\", tooltip=%5, label=%6];")
             .arg(itemId(item), QLatin1String(isFolded ? "folder" : "oval"), m_look.fill(item).name(),
                  m_look.strong(item).name(), tip, quoted(label)));
  }

  // Operator and name, between a row of ports for what goes in and one for what comes out.
  QString card(int item) {
    const NodeReport& node = m_scene.nodeOf(m_scene.items[item]);
    const QColor fill = m_look.fill(item);
    const QString ink = m_look.theme->textOn(fill).name();
    const size_t columns = std::clamp<size_t>(std::max(node.inputs.size(), node.outputs.size()), 1, kMostPorts);
    QString rows = ports(node.inputs.size(), columns, QLatin1Char('i'));
    rows += QStringLiteral("<TR><TD BORDER=\"0\" COLSPAN=\"%1\"><FONT COLOR=\"%2\"><B>%3</B>")
                .arg(columns)
                .arg(ink, plain(text(node.opType)).toHtmlEscaped());
    if (!node.name.empty())
      rows += QStringLiteral("<BR/><FONT POINT-SIZE=\"9\">%1</FONT>").arg(plain(text(node.name)).toHtmlEscaped());
    rows += QLatin1String("</FONT></TD></TR>") + ports(node.outputs.size(), columns, QLatin1Char('o'));
    return QStringLiteral(
               "<TABLE BORDER=\"1\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\" COLOR=\"%1\" BGCOLOR=\"%2\">")
               .arg(m_look.strong(item).name(), fill.name()) +
           rows + QLatin1String("</TABLE>");
  }

  // The last port takes the columns that are left.
  QString ports(size_t values, size_t columns, QChar letter) const {
    const size_t count = std::min(values, columns);
    if (count == 0) return {};
    QString row = QStringLiteral("<TR>");
    for (size_t slot = 0; slot < count; ++slot)
      row += QStringLiteral("<TD PORT=\"%1%2\" COLSPAN=\"%3\" HEIGHT=\"3\" CELLPADDING=\"0\"></TD>")
                 .arg(letter)
                 .arg(slot)
                 .arg(slot + 1 == count ? columns - count + 1 : 1);
    return row + QLatin1String("</TR>");
  }

  // ":o1": where the value leaves or enters a card.
  QString portOf(int item, int graph, int value, bool leaves) const {
    const SceneItem& shown = m_scene.items[item];
    if ((shown.kind != ItemKind::kNode && shown.kind != ItemKind::kHeader) || shown.graph != graph) return {};
    const NodeReport& node = m_scene.nodeOf(shown);
    const IndexList& values = leaves ? node.outputs : node.inputs;
    const auto slot = std::ranges::find(values, value) - values.begin();
    if (slot >= static_cast<std::ptrdiff_t>(std::min<size_t>(values.size(), kMostPorts))) return {};
    return QStringLiteral(":%1%2").arg(QLatin1Char(leaves ? 'o' : 'i')).arg(slot);
  }

  struct Edge {
    QString from, to;
    QStringList tips;
  };

  void writeEdges() {
    const SceneGraph shown = sceneGraph(*m_scene.graphs, m_scene.graph, m_scene.groups, m_request.unfolded);
    // Items by kind, graph, node or value, and scope. Of scopes: the card of one that is folded or drawn as a node, the
    // title bar of a body that is open.
    std::map<std::tuple<ItemKind, int, int, int>, int> items;
    std::map<int, int> itemOfScope;
    for (size_t i = 0; i < m_scene.items.size(); ++i) {
      const SceneItem& each = m_scene.items[i];
      const int item = static_cast<int>(i);
      items.emplace(std::tuple(each.kind, each.graph, each.index, each.scope), item);
      if (each.kind == ItemKind::kHeader) itemOfScope.emplace(each.scope, item);
      if (each.kind == ItemKind::kFolded) itemOfScope.emplace(each.index, item);
      if (each.card > 0) itemOfScope.emplace(each.card, item);
    }
    const auto found = [](const auto& numbers, const auto& key) {
      const auto at = numbers.find(key);
      return at == numbers.end() ? -1 : at->second;
    };
    const EntityNumbers entities{static_cast<int>(shown.nodes.size()), static_cast<int>(shown.tree->scopes.size()),
                                 static_cast<int>(shown.terminals.size())};
    const auto itemOf = [&](int entity) {
      if (entity < entities.nodes) {
        const SceneGraph::Node& node = shown.nodes[entity];
        return found(items, std::tuple(ItemKind::kNode, node.graph, node.node, node.scope));
      }
      if (entity < entities.ofTerminal(0)) return found(itemOfScope, entity - entities.nodes);
      const SceneGraph::Terminal& terminal = shown.terminals[entity - entities.ofTerminal(0)];
      const SceneGraph::Value& value = shown.values[terminal.value];
      const ItemKind kind = terminal.output ? ItemKind::kOutput : ItemKind::kInput;
      return found(items, std::tuple(kind, value.graph, value.value, terminal.scope));
    };
    std::vector<Edge> edges;
    std::map<std::pair<QString, QString>, size_t> numberOf;
    visibleGraph(*m_scene.graphs, shown, m_request, [&](int value, int source, std::span<const int> targets) {
      const SceneGraph::Value& seen = shown.values[value];
      const int from = itemOf(source);
      if (from < 0) return;
      const QString start = itemId(from) + portOf(from, seen.graph, seen.value, true);
      const QString tip = valueTip(m_scene.graphs->graphs[seen.graph], seen.value);
      for (const int target : targets) {
        const int to = itemOf(target);
        if (to < 0) continue;
        const QString end = itemId(to) + portOf(to, seen.graph, seen.value, false);
        const auto [number, isNew] = numberOf.try_emplace({start, end}, edges.size());
        if (isNew) edges.push_back({start, end, {}});
        QStringList& tips = edges[number->second].tips;
        if (tips.size() < kMostTips && !tips.contains(tip)) tips << tip;
      }
    });
    for (const Edge& edge : edges)
      line(QStringLiteral("%1 -> %2 [tooltip=%3];").arg(edge.from, edge.to, quoted(edge.tips.join(QLatin1Char('\n')))));
  }

  static constexpr size_t kMostPorts = 16;  // wider cards are no longer cards
  static constexpr qsizetype kMostTips = 6;

  const SceneRequest& m_request;
  const Scene& m_scene;
  const SceneLook& m_look;
  std::vector<std::vector<int>> m_children;  // unfolded scopes inside a scope
  std::vector<std::vector<int>> m_items;     // of a scope
  QString m_text;
  int m_depth = 0;
};

}  // namespace

QByteArray dotText(const SceneRequest& request, const Scene& scene, const SceneLook& look) {
  return DotWriter(request, scene, look).write();
}

}  // namespace cutaway::ui
