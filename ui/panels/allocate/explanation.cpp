// The text of the explanation.
#include "ui/panels/allocate/explanation.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/window_words.h"
#include "ui/panels/stage_panel.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostTenants = 12;

class Page {
 public:
  Page(const AllocationView& view, int plan, const ValueAllocation& value, const Theme& theme)
      : m_view(view),
        m_plan(plan),
        m_graph(view.report().graphs[static_cast<size_t>(plan)].graph),
        m_value(value),
        m_theme(theme) {}

  QString html() {
    head();
    rule();
    candidate();
    facts();
    return m_html;
  }

 private:
  QString name(int value) const { return valueName(&m_view.graphs(), m_graph, value); }
  QString link(const QString& target, const QString& words) const {
    return QStringLiteral("<a style='color:%1;text-decoration:none' href='%2'>%3</a>")
        .arg(m_theme.accent.name(), target, words.toHtmlEscaped());
  }
  QString valueLink(int value) const { return link(QStringLiteral("value:%1").arg(value), shortened(name(value), 60)); }
  QString nodeLink(int node) const {
    return node < 0
               ? QStringLiteral("\u2013")
               : link(QStringLiteral("node:%1").arg(node), shortened(nodeName(&m_view.graphs(), m_graph, node), 60));
  }
  QString faint(const QString& words) const {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(m_theme.textSecondary.name(), words);
  }

  QString sizeWords(const ValueAllocation& value) const {
    QString words = bytesText(value).toHtmlEscaped();
    if (value.sizeBytes >= 0 && !value.sizeText.empty() && text(value.sizeText) != QString::number(value.sizeBytes))
      words += QStringLiteral(" = ") + text(value.sizeText).toHtmlEscaped();
    if (value.sizeBytes >= 0) words += QObject::tr(" (%1 bytes)").arg(countText(value.sizeBytes));
    return words;
  }

  void head() {
    const ValueReport& report =
        m_view.graphs().graphs[static_cast<size_t>(m_graph)].values[static_cast<size_t>(m_value.value)];
    m_html = QStringLiteral("<p style='margin:0;font-size:%1px;font-weight:600'>%2</p>")
                 .arg(scaled(15))
                 .arg(shortened(name(m_value.value), 70).toHtmlEscaped());
    m_html += QStringLiteral("<p style='margin:2px 0 0 0'>%1</p>")
                  .arg(faint(QObject::tr("%1 \u00b7 %2 \u00b7 on %3")
                                 .arg(text(report.type).toHtmlEscaped(), sizeWords(m_value),
                                      text(m_value.device).toHtmlEscaped())));
  }

  void rule() {
    const RuleLook look = ruleLook(ruleOf(m_value));
    m_html += QStringLiteral(
                  "<p style='margin:10px 0 0 0'><span style='background-color:%1'>&nbsp;<b>%2</b>&nbsp;</span>&nbsp; "
                  "<b>%3</b>&nbsp; %4</p>")
                  .arg(mix(m_theme.category(look.category).fill, m_theme.category(look.category).color, 0.35).name(),
                       QString(look.letter), ruleText(ruleOf(m_value)), faint(kindText(m_value)));
    const QString reason = told(m_value.reason);
    m_html += QStringLiteral("<p style='margin:3px 0 0 0'>%1</p>")
                  .arg((reason.isEmpty() ? ruleMeaning(ruleOf(m_value)) : reason).toHtmlEscaped());
  }

  // What came closest, with the figures that decide: size and life.
  void candidate() {
    const ValueAllocation* closest = m_view.at(m_plan, m_value.closestValue);
    if (!closest) return;
    m_html += QStringLiteral("<p style='margin:10px 0 0 0'><b>%1</b>&nbsp; %2</p>")
                  .arg(QObject::tr("Closest candidate"), valueLink(closest->value));
    const auto row = [&](const QString& words, const QString& own, const QString& theirs, bool fits) {
      m_html += QStringLiteral(
                    "<tr><td>%1</td><td>&nbsp;&nbsp;%2&nbsp;&nbsp;</td><td>%3&nbsp;&nbsp;</td><td "
                    "style='color:%4'>%5</td></tr>")
                    .arg(faint(words), own, theirs, (fits ? m_theme.success : m_theme.error).name(),
                         fits ? QStringLiteral("\u2713") : QStringLiteral("\u2715"));
    };
    m_html += QStringLiteral(
                  "<table cellspacing='0' cellpadding='1' "
                  "style='margin-top:2px'><tr><td></td><td>&nbsp;&nbsp;%1&nbsp;&nbsp;</td><td>%2&nbsp;&nbsp;</td><td></"
                  "td></tr>")
                  .arg(faint(QObject::tr("needed")), faint(QObject::tr("candidate")));
    const bool known = m_value.sizeBytes >= 0 && closest->sizeBytes >= 0;
    row(QObject::tr("size"), bytesText(m_value).toHtmlEscaped(), bytesText(*closest).toHtmlEscaped(),
        known ? closest->sizeBytes >= m_value.sizeBytes
              : m_value.sizeText == closest->sizeText && !m_value.sizeText.empty());
    const int32_t busyUntil = lastUse(*closest);
    const int32_t start = m_value.starts.empty() ? 0 : m_value.starts.front();
    row(QObject::tr("free"), QObject::tr("from step %1").arg(start), QObject::tr("after step %1").arg(busyUntil),
        busyUntil < start);
    if (closest->device != m_value.device)
      row(QObject::tr("device"), text(m_value.device).toHtmlEscaped(), text(closest->device).toHtmlEscaped(), false);
    m_html += QStringLiteral("</table>");
  }

  // The last step in which anything needs the candidate's buffer, tenants that came after this value left out.
  int32_t lastUse(const ValueAllocation& closest) const {
    const int32_t start = m_value.starts.empty() ? 0 : m_value.starts.front();
    int32_t last = closest.ends.empty() ? -1 : closest.ends.back();
    for (const int32_t tenant : m_view.tenants(m_plan, closest.rootValue >= 0 ? closest.rootValue : closest.value)) {
      const ValueAllocation* value = m_view.at(m_plan, tenant);
      if (value && !value->starts.empty() && value->starts.front() <= start && !value->ends.empty())
        last = std::max(last, value->ends.back());
    }
    return last;
  }

  void fact(const QString& words, const QString& html) {
    m_html += QStringLiteral("<tr><td width='104'>%1</td><td>%2</td></tr>").arg(faint(words), html);
  }

  void facts() {
    m_html += QStringLiteral("<table cellspacing='0' cellpadding='1' style='margin-top:8px'>");
    const int root = m_value.rootValue >= 0 ? m_value.rootValue : m_value.value;
    const ValueReport& report =
        m_view.graphs().graphs[static_cast<size_t>(m_graph)].values[static_cast<size_t>(m_value.value)];
    if (root != m_value.value)
      fact(QObject::tr("buffer of"),
           valueLink(root) + (m_value.partOffset >= 0
                                  ? QObject::tr(", from byte %1 on").arg(countText(m_value.partOffset))
                                  : QString()));
    if (m_value.reusedValue >= 0 && m_value.reusedValue != root)
      fact(QObject::tr("reused from"), valueLink(m_value.reusedValue));
    if (!m_value.starts.empty()) fact(QObject::tr("live in steps"), lifeText(m_value).toHtmlEscaped());
    if (report.producer >= 0) fact(QObject::tr("producer"), nodeLink(report.producer));
    if (const int node = lastReader(report); node >= 0) fact(QObject::tr("last used by"), nodeLink(node));
    tenants(root);
    m_html += QStringLiteral("</table>");
  }

  int lastReader(const ValueReport& report) const {
    const GraphSchedule* schedule = scheduleOf(*m_view.walk, m_graph);
    if (!schedule || m_value.ends.empty()) return report.consumers.empty() ? kNone : report.consumers.back();
    const int32_t last = m_value.ends.back();
    if (last < 0 || last >= static_cast<int32_t>(schedule->steps.size())) return kNone;
    const int32_t node = schedule->steps[static_cast<size_t>(last)].node;
    return std::find(report.consumers.begin(), report.consumers.end(), node) == report.consumers.end() ? kNone : node;
  }

  void tenants(int root) {
    const std::span<const int32_t> all = m_view.tenants(m_plan, root);
    if (all.size() < 2) return;
    QStringList names;
    for (const int32_t tenant : all) {
      const ValueAllocation* value = m_view.at(m_plan, tenant);
      if (!value || names.size() == static_cast<qsizetype>(kMostTenants)) continue;
      const QString words = QString(ruleLook(ruleOf(*value)).letter) + QLatin1Char(' ') +
                            shortened(shortName(name(tenant).toStdString()), 28);
      names << (tenant == m_value.value ? QStringLiteral("<b>%1</b>").arg(words.toHtmlEscaped())
                                        : link(QStringLiteral("value:%1").arg(tenant), words));
    }
    if (all.size() > kMostTenants) names << QObject::tr("and %1 more").arg(all.size() - kMostTenants);
    fact(QObject::tr("in this buffer"), names.join(QStringLiteral(" \u2192 ")));
  }

  const AllocationView& m_view;
  int m_plan;
  int m_graph;
  const ValueAllocation& m_value;
  const Theme& m_theme;
  QString m_html;
};

}  // namespace

QString explanationPage(const AllocationView& view, int plan, int value, const Theme& theme) {
  const ValueAllocation* found = view.at(plan, value);
  return found ? Page(view, plan, *found, theme).html() : QString();
}

}  // namespace cutaway::ui
