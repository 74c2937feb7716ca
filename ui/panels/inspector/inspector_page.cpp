#include "ui/panels/inspector/inspector_page.h"

#include <algorithm>
#include <map>

#include <QUrl>

#include "engine/report/truth.h"
#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/base/group_words.h"
#include "ui/base/provider_marks.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"
#include "ui/document/window_words.h"
#include "ui/panels/context_page.h"
#include "ui/panels/page_writer.h"

namespace cutaway::ui {
namespace {

constexpr int kMostRows =
    24;  // values, attributes, originals of one node that are listed before somebody asks for more
constexpr size_t kMostOperators = 6;   // of a group
constexpr int kMostNeighbours = 3;     // readers of an output
constexpr int kLongestAttribute = 90;  // before somebody asks for all of it

using Open = QSet<QString>;

QString encoded(const QString& words) {
  return QString::fromLatin1(QUrl::toPercentEncoding(words));
}
QString more(const PageWriter& page, const QString& what, const QString& words) {
  return page.link(QStringLiteral("more:") + encoded(what), words);
}
QString copyLink(const PageWriter& page, const QString& words) {
  return QStringLiteral(" &nbsp;") + page.link(QStringLiteral("copy:") + encoded(words), QObject::tr("copy"));
}

QString valueLink(const PageWriter& page, int graph, const ValueReport& value) {
  const QString name = text(value.name);
  return page.link(QStringLiteral("value:%1:%2").arg(graph).arg(QString::fromLatin1(QUrl::toPercentEncoding(name))),
                   shortened(name, 44));
}

QString nodeLink(const PageWriter& page, const GraphReport& graph, const NodeTarget& target) {
  const QString words =
      QStringLiteral("%1 %2").arg(operatorText(graph.nodes[target.node]), shortened(nodeTitle(graph, target.node), 40));
  return page.link(
      QStringLiteral("node:%1:%2:%3").arg(static_cast<int>(target.version)).arg(target.graph).arg(target.node), words);
}

// Who makes an input, or reads an output.
QString neighbours(const PageWriter& page, const GraphReport& graph, const NodeTarget& self, const ValueReport& value,
                   bool input) {
  if (input)
    return value.producer < 0
               ? QString()
               : QObject::tr("from %1").arg(nodeLink(page, graph, {self.version, self.graph, value.producer}));
  QStringList readers;
  for (const int32_t consumer : value.consumers) {
    if (readers.size() == kMostNeighbours) {
      readers << QObject::tr("%1 more").arg(value.consumers.size() - kMostNeighbours);
      break;
    }
    readers << nodeLink(page, graph, {self.version, self.graph, consumer});
  }
  return readers.isEmpty() ? QString() : QObject::tr("to %1").arg(readers.join(QStringLiteral(", ")));
}

QString valueRow(const PageWriter& page, const GraphReport& graph, const NodeTarget& self, const ValueReport& value,
                 bool input) {
  QString html = valueLink(page, self.graph, value) + QStringLiteral("<br>") + text(value.type).toHtmlEscaped();
  if (value.isInitializer)
    html += QObject::tr(" \u00b7 %1").arg(sizeText(value.sizeBytes)) +
            (value.preview.empty() ? QString()
                                   : QStringLiteral(" \u00b7 ") + shortened(text(value.preview), 60).toHtmlEscaped());
  html += QStringLiteral(" \u00b7 ") +
          page.link(QStringLiteral("look:%1:%2").arg(self.graph).arg(encoded(text(value.name))), QObject::tr("values"));
  if (const QString near = neighbours(page, graph, self, value, input); !near.isEmpty())
    html += QStringLiteral("<br>") + near;
  return html;
}

void writeValues(PageWriter& page, const QString& title, const GraphReport& graph, const NodeTarget& self,
                 std::span<const int32_t> values, bool input, const Open& open) {
  if (values.empty()) return;
  page.section(title);
  int listed = 0;
  const QString what = input ? QStringLiteral("inputs") : QStringLiteral("outputs");
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < 0) continue;
    if (++listed > kMostRows && !open.contains(what)) {
      page.row({}, more(page, what, QObject::tr("and %1 more").arg(values.size() - i)));
      break;
    }
    const ValueReport& value = graph.values[values[i]];
    page.row(QString::number(i) + QStringLiteral("  ") + text(valueRoleName(value.role)),
             valueRow(page, graph, self, value, input));
  }
}

void writeAttributes(PageWriter& page, const NodeReport& node, const Open& open) {
  if (node.attributes.empty()) return;
  page.section(QObject::tr("Attributes"));
  int listed = 0;
  for (const AttributeReport& attribute : node.attributes) {
    if (++listed > kMostRows && !open.contains(QStringLiteral("attributes"))) {
      page.row({}, more(page, QStringLiteral("attributes"),
                        QObject::tr("and %1 more").arg(node.attributes.size() - kMostRows)));
      break;
    }
    const QString whole = text(attribute.text), what = QStringLiteral("attribute ") + text(attribute.name);
    const bool cut = whole.size() > kLongestAttribute && !open.contains(what);
    QString html = (cut ? shortened(whole, kLongestAttribute) : whole).toHtmlEscaped();
    if (cut) html += QLatin1Char(' ') + more(page, what, QObject::tr("all of it"));
    if (whole.size() > kLongestAttribute)
      html += QStringLiteral(" &nbsp;") +
              page.link(QStringLiteral("attribute:") + encoded(text(attribute.name)), QObject::tr("copy"));
    page.row(text(attribute.name), html);
  }
}

// The same over open dimensions, where the figures are.
void writeFormulas(PageWriter& page, const Document& document, const NodeTarget& target) {
  const FormulasController* controller = FormulasController::ifAny(document);
  const auto known = controller ? controller->formulas() : nullptr;
  if (!known) return;
  const auto flops = controller->flopsOf(target), moved = controller->movedBytesOf(target);
  if (flops && flops->isOpen()) page.text(QObject::tr("operations"), formulaWords(*flops, known->free, workText));
  if (moved && moved->isOpen()) page.text(QObject::tr("moves"), formulaWords(*moved, known->free, sizeText));
  if (((flops && flops->isOpen()) || (moved && moved->isOpen())) && !known->multiples.empty())
    page.text(QObject::tr("for"), multiplesWords(known->multiples));
}

// What the node costs by its operator and shapes.
void writeCosts(PageWriter& page, const WalkReport& walk, const NodeTarget& target) {
  const auto& costs = target.version == GraphVersion::kLoaded      ? walk.loadedCosts
                      : target.version == GraphVersion::kOptimized ? walk.optimizedCosts
                                                                   : walk.partitionedCosts;
  if (!costs || target.graph >= static_cast<int>(costs->graphs.size()) ||
      target.node >= static_cast<int>(costs->graphs[static_cast<size_t>(target.graph)].nodes.size()))
    return;
  const GraphCosts& graph = costs->graphs[static_cast<size_t>(target.graph)];
  const NodeFigures& figures = graph.nodes[static_cast<size_t>(target.node)];
  if (figures.flops < 0 && figures.movedBytes < 0 && figures.weightBytes <= 0) return;
  page.section(QObject::tr("Costs"));
  if (figures.flops >= 0) {
    const QString share = graph.total.flops > 0
                              ? percentText(static_cast<double>(figures.flops) / static_cast<double>(graph.total.flops))
                              : QString();
    page.text(QObject::tr("operations"),
              share.isEmpty() ? workText(figures.flops)
              : graph.unknownNodes == 0
                  ? QObject::tr("%1, %2 of the graph").arg(workText(figures.flops), share)
                  : QObject::tr("%1, %2 of what is known of the graph").arg(workText(figures.flops), share));
  }
  if (figures.movedBytes >= 0) page.text(QObject::tr("moves"), sizeText(figures.movedBytes));
  if (figures.weightBytes > 0)
    page.text(QObject::tr("weights"),
              figures.parameters > 0
                  ? QObject::tr("%1, %2 parameters").arg(sizeText(figures.weightBytes), countText(figures.parameters))
                  : sizeText(figures.weightBytes));
}

// "median 271 ns of 10 runs, calls between 250 ns and 691 ns, highway, at batch = 1": what was run is not what the
// panel's head names.
QString nodeTimeWords(const WalkReport& walk, const NodeTiming& timing) {
  QString words = walk.run->runs == 1 ? timeText(timing.totalNs)
                                      : QObject::tr("median %1 of %2 runs, calls between %3 and %4")
                                            .arg(timeText(timing.totalNs), countText(walk.run->runs),
                                                 timeText(timing.minNs), timeText(timing.maxNs));
  if (!timing.variant.empty()) words += QStringLiteral(", ") + text(timing.variant);
  if (const auto dims = runDims(walk, *walk.run); !dims.empty())
    words += QObject::tr(", at %1").arg(text(dimsSentence(dims)));
  return words;
}

void writePlans(PageWriter& page, const WalkReport& walk, const NodeTarget& target) {
  if (walk.schedule)
    for (const GraphSchedule& schedule : walk.schedule->graphs)
      for (size_t step = 0; schedule.graph == target.graph && step < schedule.steps.size(); ++step)
        if (schedule.steps[step].node == target.node)
          page.text(QObject::tr("runs at step"), QObject::tr("%1 of %2").arg(step).arg(schedule.steps.size()));
  if (!walk.run) return;
  for (const NodeTiming& timing : walk.run->nodes)
    if (timing.graph == target.graph && timing.node == target.node)
      page.text(QObject::tr("took"), nodeTimeWords(walk, timing));
}

void writeChosenKernel(PageWriter& page, const NodeKernel& kernel) {
  page.text(QObject::tr("kernel"),
            kernel.packedBytes > 0
                ? QObject::tr("%1, %2 of constants packed").arg(text(kernel.variant), sizeText(kernel.packedBytes))
                : text(kernel.variant));
  for (const RowRefusal& row : kernel.refused)
    page.text(QObject::tr("refused before it"),
              QStringLiteral("%1: %2").arg(row.fastPath.empty() ? QStringLiteral("reference") : text(row.fastPath),
                                           told(row.reason)));
  if (kernel.missesFastPath())
    page.text(QString(), QObject::tr("its row has %1 too, but not for what this node is").arg(text(kernel.fastPath)));
}

// The kernel that was chosen, known before a run. Nodes of bodies and of the main graph alike.
void writeKernel(PageWriter& page, const Document& document, const NodeTarget& target, const NodeReport& node,
                 const KernelFacts& facts) {
  if (facts.busy) return page.text(QObject::tr("kernel"), QObject::tr("kernels are being made \u2026"));
  page.text(QObject::tr("kernel"), facts.problem);
  if (facts.canFind)
    page.row(QObject::tr("kernel"),
             page.link(QStringLiteral("kernels:find"), QObject::tr("which one, and what refused before it?")));
  if (!facts.choices) return;
  const QString name = nodeTitle(document.graphs(target.version)->graphs[target.graph], target.node);
  for (const NodeKernel& kernel : facts.choices->report.nodes) {
    if (kernel.graph != target.graph || text(kernel.name) != name || text(kernel.opType) != text(node.opType)) continue;
    return writeChosenKernel(page, kernel);
  }
}

// The same originals in the other versions: where the node came from and what became of it.
void writeStory(PageWriter& page, const Document& document, const NodeTarget& target, const NodeReport& node) {
  const char* words[] = {"as loaded", "optimised", "partitioned"};
  page.section(QObject::tr("Through the stages"));
  if (!node.rewrite.empty()) page.text(QObject::tr("created by"), text(node.rewrite));
  for (int v = 0; v < kGraphVersionCount; ++v) {
    const auto version = static_cast<GraphVersion>(v);
    const GraphIndex* index = document.index(version);
    if (version == target.version || !index) continue;
    QStringList links;
    std::vector<NodePlace> seen;
    for (const int32_t origin : node.origins)
      for (const NodePlace& place : index->nodesOf(origin)) {
        if (std::find(seen.begin(), seen.end(), place) != seen.end() || static_cast<int>(seen.size()) >= kMostRows)
          continue;
        seen.push_back(place);
        links << nodeLink(page, index->graphs().graphs[place.graph], {version, place.graph, place.node});
      }
    page.row(QString::fromLatin1(words[v]),
             links.isEmpty() ? QObject::tr("nothing of it") : links.join(QStringLiteral("<br>")));
  }
}

void writeAnswers(PageWriter& page, const Document& document, const NodeReport& node) {
  const WalkReport& walk = *document.walk();
  const GraphIndex* optimized = document.index(GraphVersion::kOptimized);
  if (!walk.partition || !optimized || node.origins.empty()) return;
  for (const NodePlace& place : optimized->nodesOf(node.origins.front()))
    for (const NodePlacement& placement : walk.partition->nodes) {
      if (placement.graph != place.graph || placement.node != place.node) continue;
      page.section(QObject::tr("Answers of the providers"));
      for (const ProviderAnswer& answer : placement.answers)
        page.text(text(answer.provider),
                  text(verdictName(answer.verdict)) +
                      (answer.reason.empty() ? QString() : QStringLiteral(": ") + told(answer.reason)));
      return;
    }
}

// Into a context node, or out of it again.
void writeInside(PageWriter& page, const Document& document, const NodeTarget& target, const NodeReport& node) {
  const auto graphs = document.graphs(target.version);
  if (node.inside >= 0 && node.inside < static_cast<int32_t>(graphs->graphs.size()))
    page.row(QObject::tr("inside"),
             page.link(QStringLiteral("graph:%1").arg(node.inside),
                       QObject::tr("%1 original nodes")
                           .arg(countText(static_cast<int64_t>(graphs->graphs[node.inside].nodes.size())))));
  const NodeTarget holder = document.holderOf(target);
  if (!(holder == target) && document.node(holder)) {
    page.row(QObject::tr("compiled into"), nodeLink(page, graphs->graphs[holder.graph], holder));
    if (const std::string& provider = document.node(holder)->provider; !provider.empty())
      page.text(QObject::tr("runs on"), QObject::tr("%1, as part of it").arg(text(provider)));
  } else if (const ContextNodeReport* context = document.contextNode(target)) {
    writeContext(page, *context, providerNames(*document.walk()));
  }
}

// The group that the node stands for; nullptr: it is none that was compiled.
const GroupReport* groupOf(const WalkReport& walk, const NodeTarget& target, const NodeReport& node) {
  if (target.version != GraphVersion::kPartitioned || !walk.partition) return nullptr;
  const auto group = std::ranges::find_if(walk.partition->groups, [&](const GroupReport& each) {
    return each.compiled && each.graph == target.graph && each.name == node.name;
  });
  return group == walk.partition->groups.end() ? nullptr : &*group;
}

// "12 Conv, 7 Relu": those that it has most of first.
QString operatorsOf(const GroupReport& group, const GraphReport& asked) {
  std::map<std::string, int> counts;
  for (const int32_t node : group.nodes)
    if (node >= 0 && node < static_cast<int32_t>(asked.nodes.size()))
      ++counts[asked.nodes[static_cast<size_t>(node)].opType];
  std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(), &std::pair<std::string, int>::second);
  QStringList words;
  for (size_t i = 0; i < sorted.size() && i < kMostOperators; ++i)
    words << QStringLiteral("%1 %2").arg(sorted[i].second).arg(text(sorted[i].first));
  if (sorted.size() > kMostOperators) words << QObject::tr("%1 more").arg(sorted.size() - kMostOperators);
  return words.join(QStringLiteral(", "));
}

// What was compiled into the node, in the words of the table of groups.
void writeGroup(PageWriter& page, const WalkReport& walk, const GroupReport& group) {
  page.section(QObject::tr("Compiled group"));
  if (walk.optimizedGraphs && group.graph < static_cast<int32_t>(walk.optimizedGraphs->graphs.size()))
    page.text(QObject::tr("made of"),
              operatorsOf(group, walk.optimizedGraphs->graphs[static_cast<size_t>(group.graph)]));
  if (group.flops >= 0) page.text(QObject::tr("operations"), workText(group.flops));
  if (group.weightBytes > 0) page.text(QObject::tr("weights"), sizeText(group.weightBytes));
  const auto border = [](size_t values, int64_t bytes) {
    return bytes < 0 ? QString::number(values) : QObject::tr("%1, %2 together").arg(values).arg(sizeText(bytes));
  };
  page.text(QObject::tr("values in"), border(group.inputs.size(), group.inputBytes));
  page.text(QObject::tr("values out"), border(group.outputs.size(), group.outputBytes));
  if (group.simulated)
    page.text(QObject::tr("simulated"), QObject::tr("%1 computes on this processor here, and its times say nothing of "
                                                    "the hardware that it is for")
                                            .arg(text(group.provider)));
}

QString nodePage(PageWriter& page, const Document& document, const NodeTarget& target, const Open& open,
                 const KernelFacts& kernels) {
  const NodeReport& node = *document.node(target);
  const GraphReport& graph = document.graphs(target.version)->graphs[target.graph];
  const GroupReport* const group = groupOf(*document.walk(), target, node);
  page.heading(group != nullptr ? groupTitle(group->nodes.size()) : operatorText(node),
               node.name.empty() ? nodeTitle(graph, target.node) : shortName(node.name));
  if (group != nullptr)
    page.text(QObject::tr("nodes of the model"), countText(static_cast<int64_t>(node.origins.size())));
  if (!node.name.empty())
    page.row(QObject::tr("name"), text(node.name).toHtmlEscaped() + copyLink(page, text(node.name)));
  page.row(QObject::tr("operator"),
           QStringLiteral("%1 %2, since opset %3 \u00b7 ")
                   .arg(node.domain.empty() ? QStringLiteral("ai.onnx") : text(node.domain), text(node.opType))
                   .arg(node.sinceVersion)
                   .toHtmlEscaped() +
               page.link(QStringLiteral("tool:operator"), QObject::tr("documentation")));
  page.text(QObject::tr("runs on"), text(node.provider));
  if (target.graph != 0) page.text(QObject::tr("in"), text(graph.title));
  if (target.version == GraphVersion::kPartitioned) {
    writePlans(page, *document.walk(), target);
    writeKernel(page, document, target, node, kernels);
  }
  page.text(QObject::tr("doc string"), text(node.documentation));
  for (const int32_t body : node.bodies)
    if (const auto graphs = document.graphs(target.version);
        body >= 0 && body < static_cast<int32_t>(graphs->graphs.size()))
      page.row(QObject::tr("body"), page.link(QStringLiteral("graph:%1").arg(body), text(graphs->graphs[body].title)));
  if (node.function >= 0)
    page.row(QObject::tr("function"), page.link(QStringLiteral("graph:%1").arg(node.function),
                                                text(document.graphs(target.version)->graphs[node.function].title)));
  writeInside(page, document, target, node);
  if (group != nullptr) writeGroup(page, *document.walk(), *group);
  writeAttributes(page, node, open);
  writeValues(page, QObject::tr("Inputs"), graph, target, node.inputs, true, open);
  writeValues(page, QObject::tr("Outputs"), graph, target, node.outputs, false, open);
  writeCosts(page, *document.walk(), target);
  writeFormulas(page, document, target);
  writeStory(page, document, target, node);
  writeAnswers(page, document, node);
  return page.finish();
}

void writeBuffers(PageWriter& page, const Document& document, const ValueTarget& target) {
  const WalkReport& walk = *document.walk();
  const GraphIndex* index = document.index(GraphVersion::kPartitioned);
  const int value = index ? index->valueIndex(target.graph, target.name.toStdString()) : kNone;
  if (value < 0 || !walk.allocate) return;
  for (const GraphAllocation& plan : walk.allocate->graphs) {
    if (plan.graph != target.graph || value >= static_cast<int>(plan.values.size())) continue;
    const ValueAllocation& allocation = plan.values[value];
    page.section(QObject::tr("Buffer"));
    page.text(QObject::tr("kind"),
              text(allocKindName(allocation.kind)) + (allocation.inPlace ? QObject::tr(", in place") : QString()));
    if (allocation.reusedValue >= 0)
      page.row(QObject::tr("buffer of"),
               valueLink(page, target.graph, index->graphs().graphs[target.graph].values[allocation.reusedValue]));
    page.text(QObject::tr("device"), text(allocation.device));
    if (!allocation.starts.empty() && !allocation.ends.empty())
      page.text(QObject::tr("lives"),
                QObject::tr("steps %1 to %2").arg(allocation.starts.front()).arg(allocation.ends.back()));
    page.text(QObject::tr("because"), told(allocation.reason));
  }
  if (!walk.pattern) return;
  for (const GraphPattern& pattern : walk.pattern->graphs)
    for (const PatternBlock& block : pattern.blocks)
      if (pattern.graph == target.graph && block.value == value)
        page.text(QObject::tr("offset"),
                  QObject::tr("%1, %2 long").arg(countText(block.offset), sizeText(block.sizeBytes)));
}

QString valuePage(PageWriter& page, const Document& document, const ValueTarget& target, const Open& open) {
  GraphVersion version = document.shownVersion();
  const ValueReport* value = document.value(version, target);
  for (const GraphVersion other : {GraphVersion::kLoaded, GraphVersion::kOptimized, GraphVersion::kPartitioned})
    if (!value && (value = document.value(other, target))) version = other;
  if (!value) return {};
  const GraphReport& graph = document.graphs(version)->graphs[target.graph];
  page.heading(shortName(value->name), text(value->type));
  page.row(QObject::tr("name"), text(value->name).toHtmlEscaped() + copyLink(page, text(value->name)));
  page.row(QObject::tr("values"), page.link(QStringLiteral("look:%1:%2").arg(target.graph).arg(encoded(target.name)),
                                            QObject::tr("look at them")));
  page.text(QObject::tr("is"),
            text(valueRoleName(value->role)) +
                (value->isOutput && value->role != ValueRole::kOutput ? QObject::tr(", also output") : QString()));
  if (value->sizeBytes >= 0) page.text(QObject::tr("size"), sizeText(value->sizeBytes));
  page.text(QObject::tr("stored in"), text(value->external));
  page.text(QObject::tr("first values"), text(value->preview));
  if (value->producer >= 0)
    page.row(QObject::tr("producer"), nodeLink(page, graph, {version, target.graph, value->producer}));
  QStringList readers;
  for (const int32_t consumer : value->consumers) {
    if (readers.size() == kMostRows && !open.contains(QStringLiteral("readers"))) {
      readers << more(page, QStringLiteral("readers"),
                      QObject::tr("and %1 more").arg(value->consumers.size() - kMostRows));
      break;
    }
    readers << nodeLink(page, graph, {version, target.graph, consumer});
  }
  if (!readers.isEmpty()) page.row(QObject::tr("read by"), readers.join(QStringLiteral("<br>")));
  if (const auto& resolve = document.walk()->resolve; resolve && document.index(GraphVersion::kLoaded)) {
    const int loaded = document.index(GraphVersion::kLoaded)->valueIndex(target.graph, target.name.toStdString());
    for (const ValueRule& rule : resolve->values)
      if (rule.graph == target.graph && rule.value == loaded) page.text(QObject::tr("rule"), text(rule.text));
  }
  writeBuffers(page, document, target);
  return page.finish();
}

}  // namespace

QString inspectorPage(const Document& document, const Theme& theme, const QSet<QString>& open,
                      const KernelFacts& kernels) {
  PageWriter page(theme);
  const Selection& selection = document.selection();
  if (selection.value().valid()) return valuePage(page, document, selection.value(), open);
  NodeTarget target = selection.focusIn(document.shownVersion());
  if (!target.valid()) target = selection.focus();
  return document.node(target) ? nodePage(page, document, target, open, kernels) : QString();
}

}  // namespace cutaway::ui
