#pragma once
// Writes a page of facts as rich text: headings, rows of name and value, links, bars.
//
// Thread rule: one writer, one thread. Example: PageWriter page(theme);  page.heading("Conv", "stem/conv");
// page.text("runs on", "cpu");  browser->setHtml(page.finish());

#include <QString>

namespace cutaway::ui {

struct Theme;

class PageWriter {
 public:
  explicit PageWriter(const Theme& theme) : m_theme(theme) {}

  void heading(const QString& title, const QString& below);
  void section(const QString& title);
  void paragraph(const QString& words);
  void row(const QString& name, const QString& html);
  void text(const QString& name, const QString& words);  // shortened; empty words: no row
  // A bar as long as its share (0..1) of the value's column, and words behind it.
  void bar(const QString& name, double share, bool strong, const QString& words);
  // A mark with its word in a colour of success, warning or failure, and a sentence.
  enum Tone { kGood, kCareful, kBad, kQuiet };
  void verdict(const QString& name, Tone tone, const QString& mark, const QString& word, const QString& sentence);
  QString link(const QString& target, const QString& words) const;
  QString finish();

 private:
  void close();

  const Theme& m_theme;
  QString m_html;
  bool m_open = false;
};

}  // namespace cutaway::ui
