// Rich text of facts, in the theme's colours.
#include "ui/panels/page_writer.h"

#include <algorithm>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {
constexpr int kLongestText = 120;
constexpr int kLongestBar = 46;  // per cent of the column, so that words fit behind it
}  // namespace

void PageWriter::heading(const QString& title, const QString& below) {
  close();
  m_html += QStringLiteral("<p style='margin:2px 0 0 0;font-size:%1px;font-weight:600'>%2</p>")
                .arg(scaled(15))
                .arg(title.toHtmlEscaped());
  if (!below.isEmpty())
    m_html += QStringLiteral("<p style='margin:1px 0 6px 0;color:%1'>%2</p>")
                  .arg(m_theme.textSecondary.name(), below.toHtmlEscaped());
}

void PageWriter::section(const QString& title) {
  close();
  m_html += QStringLiteral("<p style='margin:10px 0 3px 0;color:%1;font-size:%2px;font-weight:600'>%3</p>")
                .arg(m_theme.textSecondary.name())
                .arg(scaled(12))
                .arg(title.toHtmlEscaped());
}

void PageWriter::paragraph(const QString& words) {
  close();
  if (!words.isEmpty()) m_html += QStringLiteral("<p style='margin:2px 0 6px 0'>%1</p>").arg(words.toHtmlEscaped());
}

void PageWriter::row(const QString& name, const QString& html) {
  if (!m_open) m_html += QStringLiteral("<table width='100%' cellspacing='0' cellpadding='2'>");
  m_open = true;
  m_html += QStringLiteral("<tr><td width='36%' style='color:%1'>%2</td><td>%3</td></tr>")
                .arg(m_theme.textFaint.name(), name.toHtmlEscaped(), html);
}

void PageWriter::text(const QString& name, const QString& words) {
  if (!words.isEmpty()) row(name, shortened(words, kLongestText).toHtmlEscaped());
}

void PageWriter::bar(const QString& name, double share, bool strong, const QString& words) {
  const int width = std::max(1, static_cast<int>(std::clamp(share, 0.0, 1.0) * kLongestBar));
  const QColor color = strong ? m_theme.accent : m_theme.borderStrong;
  row(name, QStringLiteral("<table width='100%' cellspacing='0' cellpadding='0'><tr><td width='%1%' "
                           "bgcolor='%2'>&nbsp;</td><td>&nbsp;&nbsp;%3</td></tr></table>")
                .arg(QString::number(width), color.name(), words.toHtmlEscaped()));
}

void PageWriter::verdict(const QString& name, Tone tone, const QString& mark, const QString& word,
                         const QString& sentence) {
  const QColor color = tone == kGood      ? m_theme.success
                       : tone == kBad     ? m_theme.error
                       : tone == kCareful ? m_theme.warning
                                          : m_theme.textFaint;
  QString html = QStringLiteral("<span style='color:%1;font-weight:600'>%2&nbsp;%3</span>")
                     .arg(color.name(), mark.toHtmlEscaped(),
                          QString(word).replace(QLatin1Char(' '), QChar(0x00a0)).toHtmlEscaped());
  if (!sentence.isEmpty()) html += QStringLiteral(" &nbsp;") + sentence.toHtmlEscaped();
  row(name, html);
}

QString PageWriter::link(const QString& target, const QString& words) const {
  return QStringLiteral("<a style='color:%1;text-decoration:none' href='%2'>%3</a>")
      .arg(m_theme.accent.name(), target.toHtmlEscaped(), words.toHtmlEscaped());
}

QString PageWriter::finish() {
  close();
  return m_html;
}

void PageWriter::close() {
  if (m_open) m_html += QStringLiteral("</table>");
  m_open = false;
}

}  // namespace cutaway::ui
