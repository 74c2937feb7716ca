#pragma once
// Markdown of operator schemas as rich text in the theme's colours: paragraphs, headings, lists, code, tables,
// emphasis, links; formulas stay readable as they are.
//
// Everything that is not known is escaped, so hostile text stays text. Thread rule: pure.
// Example: html += markdownHtml(text(docs.text), theme);

#include <QString>

namespace cutaway::ui {

struct Theme;

QString markdownHtml(const QString& markdown, const Theme& theme);
// One line: code, emphasis and links only.
QString markdownInline(const QString& line, const Theme& theme);
// Code in a box of its own.
QString codeBlock(const QString& code, const Theme& theme);

}  // namespace cutaway::ui
