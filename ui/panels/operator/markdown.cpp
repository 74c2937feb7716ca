// The part of Markdown that operator schemas use (CommonMark's blocks and inlines, GitHub's tables), written as the
// HTML that QTextDocument knows.
#include "ui/panels/operator/markdown.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <QRegularExpression>
#include <QStringList>

#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {

constexpr int kCodeIndent = 4;

QString mono() {
  return monospaceFont().family();
}

int indentOf(const QString& line) {
  int spaces = 0;
  for (const QChar c : line) {
    if (c == QLatin1Char('\t'))
      spaces += kCodeIndent;
    else if (c == QLatin1Char(' '))
      ++spaces;
    else
      break;
  }
  return spaces;
}

struct ListItem {
  int indent = 0;
  bool numbered = false;
  QString words;
};

std::optional<ListItem> listItem(const QString& line) {
  static const QRegularExpression form(QStringLiteral(R"(^(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$)"));
  const auto match = form.match(line);
  if (!match.hasMatch()) return std::nullopt;
  return ListItem{indentOf(line), !match.captured(2).isEmpty(), match.captured(3)};
}

bool isTableRule(const QString& line) {
  static const QRegularExpression form(QStringLiteral(R"(^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$)"));
  return line.contains(QLatin1Char('|')) && form.match(line).hasMatch();
}

QStringList tableCells(QString line) {
  line = line.trimmed();
  if (line.startsWith(QLatin1Char('|'))) line.remove(0, 1);
  if (line.endsWith(QLatin1Char('|'))) line.chop(1);
  return line.split(QLatin1Char('|'));
}

// Reads blocks line by line; every function takes lines from m_line on and moves it.
class Blocks {
 public:
  Blocks(const QString& markdown, const Theme& theme)
      : m_lines(QString(markdown).remove(QLatin1Char('\r')).split(QLatin1Char('\n'))), m_theme(theme) {}

  QString html() {
    while (m_line < m_lines.size())
      block();
    flush();
    return m_html;
  }

 private:
  const QString& line() const { return m_lines[m_line]; }

  void block() {
    const QString trimmed = line().trimmed();
    if (trimmed.isEmpty()) return flush(), void(++m_line);
    if (trimmed.startsWith(QLatin1String("```")) || trimmed.startsWith(QLatin1String("~~~")))
      return fence(trimmed.left(3));
    if (trimmed.startsWith(QLatin1Char('#')) && heading(trimmed)) return;
    if (m_line + 1 < m_lines.size() && trimmed.contains(QLatin1Char('|')) && isTableRule(m_lines[m_line + 1]))
      return table();
    if (m_paragraph.isEmpty() && indentOf(line()) >= kCodeIndent && !listItem(line())) return indentedCode();
    if (listItem(line())) return list();
    m_paragraph << trimmed;
    ++m_line;
  }

  void flush() {
    if (!m_paragraph.isEmpty())
      m_html += QStringLiteral("<p style='margin:3px 0 6px 0'>%1</p>")
                    .arg(markdownInline(m_paragraph.join(QLatin1Char(' ')), m_theme));
    m_paragraph.clear();
  }

  void fence(const QString& mark) {
    flush();
    QStringList code;
    for (++m_line; m_line < m_lines.size() && !line().trimmed().startsWith(mark); ++m_line)
      code << line();
    ++m_line;
    addCode(code);
  }

  void indentedCode() {
    QStringList code;
    for (; m_line < m_lines.size() && (indentOf(line()) >= kCodeIndent || line().trimmed().isEmpty()); ++m_line)
      code << line();
    addCode(code);
  }

  void addCode(QStringList code) {
    int least = 1000;
    for (const QString& each : code)
      if (!each.trimmed().isEmpty()) least = std::min(least, indentOf(each));
    for (QString& each : code)
      each = each.replace(QLatin1Char('\t'), QLatin1String("    ")).mid(std::min<qsizetype>(least, each.size()));
    m_html += codeBlock(code.join(QLatin1Char('\n')).trimmed(), m_theme);
  }

  bool heading(const QString& trimmed) {
    qsizetype level = 0;
    while (level < trimmed.size() && trimmed[level] == QLatin1Char('#'))
      ++level;
    if (level > 6 || level >= trimmed.size() || trimmed[level] != QLatin1Char(' ')) return false;
    flush();
    m_html += QStringLiteral("<p style='margin:8px 0 3px 0;font-weight:600'>%1</p>")
                  .arg(markdownInline(trimmed.mid(level).trimmed(), m_theme));
    ++m_line;
    return true;
  }

  void table() {
    flush();
    m_html += QStringLiteral(
                  "<table cellpadding='4' cellspacing='0' border='1' "
                  "style='border-collapse:collapse;border-color:%1;margin:4px 0'>")
                  .arg(m_theme.border.name());
    bool first = true;
    for (; m_line < m_lines.size() && line().contains(QLatin1Char('|')); ++m_line) {
      if (isTableRule(line())) continue;
      m_html += QStringLiteral("<tr>");
      for (const QString& cell : tableCells(line()))
        m_html +=
            QStringLiteral("<%1 align='left'>%2</%1>")
                .arg(first ? QStringLiteral("th") : QStringLiteral("td"), markdownInline(cell.trimmed(), m_theme));
      m_html += QStringLiteral("</tr>");
      first = false;
    }
    m_html += QStringLiteral("</table>");
  }

  // Items further in belong to a list inside; lines without a mark go on with the item before.
  void list() {
    flush();
    std::vector<std::pair<int, bool>> open;  // indent, numbered
    const auto close = [&] {
      m_html += open.back().second ? QStringLiteral("</li></ol>") : QStringLiteral("</li></ul>");
      open.pop_back();
    };
    QString words;
    const auto put = [&] {
      if (!words.isEmpty()) m_html += markdownInline(words, m_theme);
      words.clear();
    };
    for (; m_line < m_lines.size() && !line().trimmed().isEmpty(); ++m_line) {
      const auto item = listItem(line());
      if (!item) {
        words += QLatin1Char(' ') + line().trimmed();
        continue;
      }
      put();
      while (open.size() > 1 && item->indent < open.back().first)
        close();
      if (open.empty() || item->indent > open.back().first + 1) {
        open.emplace_back(item->indent, item->numbered);
        m_html += item->numbered ? QStringLiteral("<ol style='margin:2px 0 6px 0'><li>")
                                 : QStringLiteral("<ul style='margin:2px 0 6px 0'><li>");
      } else {
        m_html += QStringLiteral("</li><li>");
      }
      words = item->words;
    }
    put();
    while (!open.empty())
      close();
  }

  QStringList m_lines;
  const Theme& m_theme;
  qsizetype m_line = 0;
  QStringList m_paragraph;
  QString m_html;
};

QString replaced(const QString& line, const QRegularExpression& form, const QString& with) {
  return QString(line).replace(form, with);
}

// Emphasis and links between pieces of code. Underscores inside words belong to names.
QString proseInline(const QString& prose, const Theme& theme) {
  static const QRegularExpression tags(QStringLiteral("&lt;(/?(?:b|i|em|strong|sub|sup|code|br))\\s*/?&gt;"),
                                       QRegularExpression::CaseInsensitiveOption);
  static const QRegularExpression entities(QStringLiteral("&amp;(lt|gt|amp|quot|nbsp|#\\d{1,6});"));
  static const QRegularExpression link(QStringLiteral(R"(\[([^\]]+)\]\((https?://[^)\s]+)\))"));
  // To a page beside the one that it was written for: there is none here.
  static const QRegularExpression page(QStringLiteral(R"(\[([^\]]+)\]\([\w./-]+\.md(?:#[\w-]*)?\))"));
  static const QRegularExpression bold(QStringLiteral(R"((?<![\w*])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*]))"));
  static const QRegularExpression slanted(QStringLiteral(R"((?<![\w*\\])\*(?=[^\s*])([^*]+?)(?<=\S)\*(?![\w*]))"));
  static const QRegularExpression escaped(QStringLiteral(R"(\\([*_#`\[\]]))"));
  QString html = prose.toHtmlEscaped();
  html = replaced(html, entities, QStringLiteral("&\\1;"));
  html = replaced(html, tags, QStringLiteral("<\\1>"));
  html =
      replaced(html, link,
               QStringLiteral("<a style='color:%1;text-decoration:none' href='\\2'>\\1</a>").arg(theme.accent.name()));
  html = replaced(html, page, QStringLiteral("\\1"));
  html = replaced(html, bold, QStringLiteral("<b>\\2</b>"));
  html = replaced(html, slanted, QStringLiteral("<i>\\1</i>"));
  return replaced(html, escaped, QStringLiteral("\\1"));
}

}  // namespace

QString markdownInline(const QString& line, const Theme& theme) {
  QString html;
  qsizetype from = 0;
  while (from < line.size()) {
    const qsizetype open = line.indexOf(QLatin1Char('`'), from);
    if (open < 0) break;
    qsizetype ticks = 1;
    while (open + ticks < line.size() && line[open + ticks] == QLatin1Char('`'))
      ++ticks;
    const QString mark(ticks, QLatin1Char('`'));
    const qsizetype close = line.indexOf(mark, open + ticks);
    if (close < 0) break;
    html += proseInline(line.mid(from, open - from), theme);
    html += QStringLiteral("<span style=\"font-family:'%1';background-color:%2\">%3</span>")
                .arg(mono(), theme.raised.name(), line.mid(open + ticks, close - open - ticks).toHtmlEscaped());
    from = close + ticks;
  }
  return html + proseInline(line.mid(from), theme);
}

QString codeBlock(const QString& code, const Theme& theme) {
  return QStringLiteral(
             "<table width='100%' cellpadding='8' cellspacing='0' bgcolor='%1' style='margin:4px 0 8px 0'><tr><td><pre "
             "style=\"margin:0;font-family:'%2';font-size:12px\">%3</pre></td></tr></table>")
      .arg(theme.raised.name(), mono(), code.toHtmlEscaped());
}

QString markdownHtml(const QString& markdown, const Theme& theme) {
  return Blocks(markdown, theme).html();
}

}  // namespace cutaway::ui
