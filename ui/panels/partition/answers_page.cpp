// The text of the refusal inspector: verdicts with rule, value seen and remedy; what the node costs; its group.
#include <algorithm>
#include <map>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/window_words.h"
#include "ui/panels/partition/node_answers.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr int kMostListed = 20;  // nodes of a selection that are named

QString coloured(const QString& words, const QColor& color) {
  return QStringLiteral("<span style='color:%1'>%2</span>").arg(color.name(), words.toHtmlEscaped());
}

QString link(const QString& target, const QString& words, const Theme& theme) {
  return QStringLiteral("<a style='color:%1;text-decoration:none' href='%2'>%3</a>")
      .arg(theme.accent.name(), target, words.toHtmlEscaped());
}

QColor verdictColor(Verdict verdict, const Theme& theme) {
  return verdict == Verdict::kClaimed        ? theme.success
         : verdict == Verdict::kAlreadyTaken ? theme.textFaint
         : verdict == Verdict::kRefused      ? theme.error
                                             : theme.warning;
}

QString title(const QString& words, const QString& below, const Theme& theme) {
  return QStringLiteral(
             "<p style='margin:0;font-size:%1px;font-weight:600'>%2</p><p style='margin:2px 0 0 0;color:%3'>%4</p>")
      .arg(scaled(15))
      .arg(words.toHtmlEscaped(), theme.textSecondary.name(), below);
}

QString costs(const PartitionView& view, const NodePlacement& node) {
  QStringList parts;
  parts << (node.flops >= 0
                ? workText(node.flops) + (view.flops > 0
                                              ? QObject::tr(" (%1)").arg(percentText(static_cast<double>(node.flops) /
                                                                                     static_cast<double>(view.flops)))
                                              : QString())
                : QObject::tr("work unknown: its shapes are open"));
  if (node.movedBytes >= 0) parts << QObject::tr("moves %1").arg(sizeText(node.movedBytes));
  if (node.weightBytes > 0) parts << QObject::tr("weights %1").arg(sizeText(node.weightBytes));
  return parts.join(QStringLiteral(" \u00b7 ")).toHtmlEscaped();
}

QString groupWords(const PartitionView& view, const NodePlacement& node, const Theme& theme) {
  if (node.provider.empty()) return coloured(QObject::tr("No provider claimed it."), theme.error);
  QString words = QObject::tr("Runs on <b>%1</b>").arg(text(node.provider).toHtmlEscaped());
  if (node.group < 0 || node.group >= static_cast<int>(view.report->groups.size())) return words;
  const GroupReport& group = view.report->groups[static_cast<size_t>(node.group)];
  const QString count = group.nodes.size() == 1
                            ? QObject::tr("1 node")
                            : QObject::tr("%1 nodes").arg(countText(static_cast<int64_t>(group.nodes.size())));
  const QString name = group.name.empty() ? QObject::tr("a subgraph of %1").arg(count)
                                          : QObject::tr("%1, %2").arg(shortened(text(group.name), 40), count);
  return words + QObject::tr(" in ") + link(QStringLiteral("group:%1").arg(node.group), name, theme);
}

// Three columns: order and mark, provider, verdict; below them what a refusal says of itself.
class AnswerTable {
 public:
  AnswerTable(const PartitionView& view, const Theme& theme) : m_view(view), m_theme(theme) {
    m_html = QStringLiteral("<table width='100%' cellspacing='0' cellpadding='3' style='margin-top:10px'>");
  }

  void head(size_t order, const std::string& provider, const QString& verdict) {
    const int index = m_view.marks.indexOf(provider);
    const std::vector<ProviderSummary>& all = m_view.report->providers;
    const auto summary = std::ranges::find(all, provider, &ProviderSummary::name);
    const bool simulated = summary != all.end() && summary->simulated;
    QString name = QStringLiteral("<b>%1</b>").arg(text(provider).toHtmlEscaped());
    if (simulated) name += QStringLiteral("&nbsp; ") + coloured(QObject::tr("simulated"), m_theme.textFaint);
    const QString mark =
        index < 0 ? QString() : QStringLiteral("<img src='mark:%1' width='16' height='16'>").arg(index);
    m_html += QStringLiteral(
                  "<tr><td width='46' style='border-top:1px solid %5;padding-top:6px;color:%1'>%2&nbsp; %3</td><td "
                  "colspan='2' style='border-top:1px solid %5;padding-top:6px'>%4</td>")
                  .arg(m_theme.textFaint.name(), QString::number(order), mark, name, m_theme.border.name());
    m_html += QStringLiteral("<td align='right' style='border-top:1px solid %1;padding-top:6px'>%2</td></tr>")
                  .arg(m_theme.border.name(), verdict);
  }
  void wide(const QString& words) { m_html += QStringLiteral("<tr><td></td><td colspan='3'>%1</td></tr>").arg(words); }
  void detail(const QString& name, const std::string& words) {
    if (!words.empty())
      m_html += QStringLiteral("<tr><td></td><td width='86' style='color:%1'>%2</td><td colspan='2'>%3</td></tr>")
                    .arg(m_theme.textFaint.name(), name.toHtmlEscaped(), told(words).toHtmlEscaped());
  }
  QString finish() const { return m_html + QStringLiteral("</table>"); }

 private:
  const PartitionView& m_view;
  const Theme& m_theme;
  QString m_html;
};

QString onePage(const PartitionView& view, const NodePlacement& placement, const Theme& theme) {
  const NodeReport* node = view.node(placement);
  const QString name = nodeName(view.optimized.get(), placement.graph, placement.node);
  const QString below =
      QStringLiteral("%1<br>%2<br>%3")
          .arg(shortened(name, 90).toHtmlEscaped(), costs(view, placement), groupWords(view, placement, theme));
  QString html = title(node ? text(node->opType) : QObject::tr("Node %1").arg(placement.node), below, theme);
  AnswerTable table(view, theme);
  for (size_t i = 0; i < placement.answers.size(); ++i) {
    const ProviderAnswer& answer = placement.answers[i];
    const bool said = answer.verdict != Verdict::kClaimed && answer.verdict != Verdict::kAlreadyTaken;
    QString verdict = verdictText(answer);
    if (said && answer.cause != RefusalCause::kOther)
      verdict += QStringLiteral(" \u00b7 ") + text(refusalCauseName(answer.cause));
    table.head(i + 1, answer.provider, coloured(verdict, verdictColor(answer.verdict, theme)));
    if (!said) continue;
    if (!answer.reason.empty()) table.wide(told(answer.reason).toHtmlEscaped());
    table.detail(QObject::tr("Rule"), answer.rule);
    table.detail(QObject::tr("Found"), answer.seen);
    table.detail(QObject::tr("Supported"), answer.remedy);
  }
  if (placement.answers.empty()) table.wide(QObject::tr("No provider was asked about it."));
  return html + table.finish();
}

QString manyPage(const PartitionView& view, const std::vector<const NodePlacement*>& selected, const Theme& theme) {
  int64_t flops = 0, weights = 0;
  std::vector<std::map<Verdict, int64_t>> verdicts(view.report->providers.size());
  for (const NodePlacement* placement : selected) {
    flops += std::max<int64_t>(0, placement->flops);
    weights += placement->weightBytes;
    for (size_t i = 0; i < std::min(placement->answers.size(), verdicts.size()); ++i)
      ++verdicts[i][placement->answers[i].verdict];
  }
  QString html =
      title(QObject::tr("%1 nodes").arg(countText(static_cast<int64_t>(selected.size()))),
            QObject::tr("%1 \u00b7 weights %2").arg(workText(flops), sizeText(weights)).toHtmlEscaped(), theme);
  AnswerTable table(view, theme);
  for (size_t i = 0; i < verdicts.size(); ++i) {
    QStringList words;
    for (const auto& [verdict, count] : verdicts[i])
      words << coloured(
          QStringLiteral("%1 %2").arg(verdictText({.provider = {}, .verdict = verdict, .cause = {}, .reason = {}}),
                                      countText(count)),
          verdictColor(verdict, theme));
    table.head(i + 1, view.report->providers[i].name, words.join(QStringLiteral("&nbsp;&nbsp; ")));
  }
  html += table.finish() + QStringLiteral("<p style='margin:10px 0 2px 0;color:%1'>%2</p>")
                               .arg(theme.textFaint.name(), QObject::tr("Choose one to see why:"));
  QStringList links;
  for (const NodePlacement* placement : selected) {
    if (links.size() == kMostListed) {
      links << coloured(QObject::tr("and %1 more").arg(countText(static_cast<int64_t>(selected.size()) - kMostListed)),
                        theme.textFaint);
      break;
    }
    const NodeReport* node = view.node(*placement);
    const QString words = node ? text(node->opType) + QLatin1Char(' ') + shortened(text(node->name), 60)
                               : QString::number(placement->node);
    links << link(QStringLiteral("node:%1:%2").arg(placement->graph).arg(placement->node), words, theme);
  }
  return html + links.join(QStringLiteral("<br>"));
}

}  // namespace

QString answersPage(const PartitionView& view, const std::vector<const NodePlacement*>& selected, const Theme& theme) {
  if (selected.empty()) return {};
  return selected.size() == 1 ? onePage(view, *selected.front(), theme) : manyPage(view, selected, theme);
}

}  // namespace cutaway::ui
