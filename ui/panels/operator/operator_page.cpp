#include "ui/panels/operator/operator_page.h"

#include <algorithm>

#include <QCoreApplication>
#include <QUrl>

#include "engine/study/operator_docs.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/operator/markdown.h"

namespace cutaway::ui {
namespace {

constexpr int kLongestValue = 160;
constexpr size_t kMostVariadic = 64;  // values listed for one variadic parameter

QString fullDomain(const QString& domain) {
  return domain.isEmpty() ? QStringLiteral("ai.onnx") : domain;
}

class OperatorPage {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::OperatorPage)

 public:
  OperatorPage(const Document& document, const OperatorSubject& subject, const Theme& theme)
      : m_document(document), m_subject(subject), m_theme(theme), m_node(document.node(subject.node)) {
    if (m_node) m_graph = &document.graphs(subject.node.version)->graphs[static_cast<size_t>(subject.node.graph)];
  }

  QString html() {
    const auto docs =
        study::operatorDocs(m_subject.opType.toStdString(), m_subject.domain.toStdString(), m_subject.version);
    if (!docs) return unknown();
    heading(*docs);
    m_html += codeBlock(signature(*docs), m_theme);
    if (docs->deprecated)
      m_html += QStringLiteral("<p style='color:%1'>%2</p>")
                    .arg(m_theme.warning.name(),
                         tr("Deprecated in this version: newer models use another operator instead."));
    m_html += markdownHtml(text(docs->text), m_theme);
    parameters(tr("Inputs"), docs->inputs, m_node ? &m_node->inputs : nullptr);
    parameters(tr("Outputs"), docs->outputs, m_node ? &m_node->outputs : nullptr);
    attributes(*docs);
    types(*docs);
    return m_html;
  }

 private:
  QString colored(const QColor& color, const QString& html) const {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(color.name(), html);
  }
  QString mono(const QString& words) const {
    return QStringLiteral("<span style=\"font-family:'%1'\">%2</span>")
        .arg(monospaceFont().family(), words.toHtmlEscaped());
  }
  QString link(const QString& target, const QString& words) const {
    return QStringLiteral("<a style='color:%1;text-decoration:none' href='%2'>%3</a>")
        .arg(m_theme.accent.name(), target.toHtmlEscaped(), words.toHtmlEscaped());
  }
  void section(const QString& title) {
    m_html += QStringLiteral("<p style='margin:12px 0 3px 0;color:%1;font-size:12px;font-weight:600'>%2</p>")
                  .arg(m_theme.textSecondary.name(), title.toHtmlEscaped());
  }

  void heading(const study::OperatorDocs& docs) {
    QString below = tr("%1 \u00b7 since version %2").arg(fullDomain(text(docs.domain))).arg(docs.sinceVersion);
    m_html += QStringLiteral("<p style='margin:2px 0 0 0;font-size:15px;font-weight:600'>%1</p>")
                  .arg(text(docs.opType).toHtmlEscaped());
    if (m_node) below += QStringLiteral(" \u00b7 ") + shortened(nodeTitle(*m_graph, m_subject.node.node), 60);
    m_html += QStringLiteral("<p style='margin:1px 0 2px 0;color:%1'>%2</p>")
                  .arg(m_theme.textSecondary.name(), below.toHtmlEscaped());
    QStringList versions;
    for (const int32_t version : docs.versions)
      versions << (version == docs.sinceVersion
                       ? QStringLiteral("<b>%1</b>").arg(version)
                       : link(QStringLiteral("op:%1:%2:%3").arg(m_subject.domain, m_subject.opType).arg(version),
                              QString::number(version)));
    if (versions.size() > 1)
      m_html += QStringLiteral("<p style='margin:1px 0 6px 0;color:%1'>%2 %3</p>")
                    .arg(m_theme.textFaint.name(), tr("Versions:"), versions.join(QStringLiteral(" \u00b7 ")));
  }

  static QString names(const std::vector<study::ParameterDocs>& parameters) {
    QStringList list;
    for (const study::ParameterDocs& each : parameters)
      list << text(each.name) + (each.role == "optional"   ? QStringLiteral("?")
                                 : each.role == "variadic" ? QStringLiteral("\u2026")
                                                           : QString());
    return list.join(QStringLiteral(", "));
  }

  static QString signature(const study::OperatorDocs& docs) {
    QStringList attributes;
    for (const study::AttributeDocs& each : docs.attributes)
      attributes << text(each.name) + (each.required ? QString() : QStringLiteral("?"));
    QString line = QStringLiteral("%1 = %2(%3)").arg(names(docs.outputs), text(docs.opType), names(docs.inputs));
    if (!attributes.isEmpty()) line += QStringLiteral("\n    <%1>").arg(attributes.join(QStringLiteral(", ")));
    return line;
  }

  QString valueHere(int32_t value) const {
    if (value < 0) return colored(m_theme.textFaint, tr("left out"));
    const ValueReport& report = m_graph->values[static_cast<size_t>(value)];
    const QString name = text(report.name);
    QString html = link(
        QStringLiteral("value:%1:%2").arg(m_subject.node.graph).arg(QString::fromLatin1(QUrl::toPercentEncoding(name))),
        shortened(name, 44));
    html += QStringLiteral("<br>") + colored(m_theme.textSecondary, text(report.type).toHtmlEscaped());
    if (!report.preview.empty()) html += QStringLiteral("<br>") + mono(shortened(text(report.preview), 80));
    return html;
  }

  void beginTable() { m_html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='4'>"); }
  // With a line above it: an empty row would be as high as its padding.
  QString cell(const QString& attributes, const QString& html) const {
    return QStringLiteral("<td %1 style='border-top:1px solid %2'>%3</td>")
        .arg(attributes, m_theme.border.name(), html);
  }
  void entry(const QString& formal, const QString& actual, const QString& words) {
    m_html += QStringLiteral("<tr>%1%2</tr>").arg(cell(QStringLiteral("width='46%'"), formal), cell({}, actual));
    if (!words.trimmed().isEmpty())
      m_html += QStringLiteral("<tr><td colspan='2' style='color:%1'>%2</td></tr>")
                    .arg(m_theme.textSecondary.name(), markdownHtml(words, m_theme));
  }

  // The formal parameters in order; the last one takes all that is left when it is variadic.
  void parameters(const QString& title, const std::vector<study::ParameterDocs>& formal, const IndexList* actual) {
    if (formal.empty()) return;
    section(title);
    beginTable();
    for (size_t i = 0; i < formal.size(); ++i) {
      const study::ParameterDocs& each = formal[i];
      QString left = QStringLiteral("<b>%1</b> ").arg(text(each.name).toHtmlEscaped()) + mono(text(each.type));
      if (!each.role.empty())
        left +=
            QLatin1Char(' ') + colored(m_theme.textFaint, each.role == "optional"   ? tr("optional")
                                                          : each.role == "variadic" ? tr("any number")
                                                                                    : text(each.role).toHtmlEscaped());
      QStringList here;
      if (actual) {
        const size_t end = each.role == "variadic" ? actual->size() : std::min(actual->size(), i + 1);
        for (size_t k = i; k < end && k < i + kMostVariadic; ++k)
          here << valueHere((*actual)[k]);
        if (end > i + kMostVariadic) here << tr("and %1 more").arg(end - i - kMostVariadic);
        if (here.isEmpty()) here << colored(m_theme.textFaint, tr("left out"));
      }
      entry(left, here.join(QStringLiteral("<br>")), text(each.text));
    }
    m_html += QStringLiteral("</table>");
  }

  QString attributeHere(const study::AttributeDocs& docs) const {
    if (!m_node) return docs.defaultText.empty() ? QString() : tr("default %1").arg(mono(text(docs.defaultText)));
    for (const AttributeReport& attribute : m_node->attributes)
      if (attribute.name == docs.name) return mono(shortened(text(attribute.text), kLongestValue));
    if (!docs.defaultText.empty())
      return colored(m_theme.textSecondary, tr("default %1").arg(mono(text(docs.defaultText))));
    return docs.required ? colored(m_theme.error, tr("missing, but required"))
                         : colored(m_theme.textFaint, tr("not given"));
  }

  void attributes(const study::OperatorDocs& docs) {
    std::vector<const AttributeReport*> strangers;
    for (size_t i = 0; m_node && i < m_node->attributes.size(); ++i) {
      const AttributeReport& each = m_node->attributes[i];
      if (std::none_of(docs.attributes.begin(), docs.attributes.end(),
                       [&](const study::AttributeDocs& known) { return known.name == each.name; }))
        strangers.push_back(&each);
    }
    if (docs.attributes.empty() && strangers.empty()) return;
    section(tr("Attributes"));
    beginTable();
    for (const study::AttributeDocs& each : docs.attributes) {
      QString left = QStringLiteral("<b>%1</b> ").arg(text(each.name).toHtmlEscaped()) +
                     colored(m_theme.textFaint, text(each.kind).toLower().toHtmlEscaped());
      if (each.required) left += QLatin1Char(' ') + colored(m_theme.textSecondary, tr("required"));
      entry(left, attributeHere(each), text(each.text));
    }
    for (const AttributeReport* each : strangers)
      entry(QStringLiteral("<b>%1</b> ").arg(text(each->name).toHtmlEscaped()) +
                colored(m_theme.warning, tr("not in the schema")),
            mono(shortened(text(each->text), kLongestValue)), {});
    m_html += QStringLiteral("</table>");
  }

  void types(const study::OperatorDocs& docs) {
    if (docs.types.empty()) return;
    section(tr("Types"));
    beginTable();
    for (const auto& [name, allowed] : docs.types) {
      m_html +=
          QStringLiteral("<tr>%1%2</tr>")
              .arg(cell(QStringLiteral("width='46'"), QStringLiteral("<b>%1</b>").arg(text(name).toHtmlEscaped())),
                   cell({}, text(allowed).toHtmlEscaped()));
    }
    m_html += QStringLiteral("</table>");
  }

  // Nobody has a schema: what the node itself says is shown instead.
  QString unknown() {
    m_html += QStringLiteral("<p style='margin:2px 0 0 0;font-size:15px;font-weight:600'>%1</p>")
                  .arg(m_subject.opType.toHtmlEscaped());
    m_html += QStringLiteral("<p style='margin:1px 0 6px 0;color:%1'>%2</p>")
                  .arg(m_theme.textSecondary.name(), fullDomain(m_subject.domain).toHtmlEscaped());
    if (m_node && m_node->function >= 0)
      m_html += QStringLiteral("<p>%1</p>")
                    .arg(tr("A function of this model: %1.")
                             .arg(link(QStringLiteral("graph:%1").arg(m_node->function), tr("look at its body"))));
    else
      m_html += QStringLiteral("<p>%1</p>")
                    .arg(tr("There is no documentation: version %1 of the domain %2 has no operator of this name that "
                            "is known here.")
                             .arg(m_subject.version)
                             .arg(fullDomain(m_subject.domain).toHtmlEscaped()));
    if (!m_node) return m_html;
    values(tr("Inputs"), m_node->inputs);
    values(tr("Outputs"), m_node->outputs);
    if (!m_node->attributes.empty()) section(tr("Attributes"));
    beginTable();
    for (const AttributeReport& each : m_node->attributes)
      entry(QStringLiteral("<b>%1</b>").arg(text(each.name).toHtmlEscaped()),
            mono(shortened(text(each.text), kLongestValue)), {});
    m_html += QStringLiteral("</table>");
    return m_html;
  }

  void values(const QString& title, std::span<const int32_t> list) {
    if (list.empty()) return;
    section(title);
    beginTable();
    for (size_t i = 0; i < list.size() && i < kMostVariadic; ++i)
      entry(QString::number(i), valueHere(list[i]), {});
    m_html += QStringLiteral("</table>");
  }

  const Document& m_document;
  const OperatorSubject& m_subject;
  const Theme& m_theme;
  const NodeReport* m_node;
  const GraphReport* m_graph = nullptr;
  QString m_html;
};

OperatorSubject subjectFor(const NodeReport& node, const NodeTarget& target) {
  return {text(node.opType), text(node.domain), node.sinceVersion, target};
}

}  // namespace

int64_t opsetOf(const Document& document, const QString& domain) {
  if (const auto& load = document.walk()->load)
    for (const auto& [name, version] : load->opsets)
      if (text(name) == fullDomain(domain)) return version;
  return 1;
}

OperatorSubject subjectOf(const Document& document) {
  const Selection& selection = document.selection();
  NodeTarget target = selection.focusIn(document.shownVersion());
  if (!target.valid()) target = selection.focus();
  if (selection.value().valid())
    if (const ValueReport* value = document.value(document.shownVersion(), selection.value());
        value && value->producer >= 0)
      target = {document.shownVersion(), selection.value().graph, value->producer};
  const NodeReport* node = document.node(target);
  if (!node) return {};
  if (!node->rewrite.starts_with("fused by ") || node->origins.empty()) return subjectFor(*node, target);
  const GraphIndex* loaded = document.index(GraphVersion::kLoaded);
  if (!loaded) return subjectFor(*node, target);
  for (const NodePlace& place : loaded->nodesOf(node->origins.front())) {
    const NodeTarget original{GraphVersion::kLoaded, place.graph, place.node};
    return subjectFor(*document.node(original), original);
  }
  return subjectFor(*node, target);
}

QString operatorPage(const Document& document, const OperatorSubject& subject, const Theme& theme) {
  return subject.valid() ? OperatorPage(document, subject, theme).html() : QString();
}

}  // namespace cutaway::ui
