#pragma once
// The line to type what is looked for: live count, next and previous, completion, last searches, what is wrong with a
// query and where; Esc clears and closes.
//
// Thread rule: GUI thread. Example: connect(bar, &FindBar::queryChanged, ...);  bar->setCount(3, 17);

#include <QFrame>
#include <QStringList>

#include "ui/base/find_query.h"
#include "ui/canvas/find_index.h"

class QCompleter;
class QLabel;
class QLineEdit;
class QStringListModel;
class QToolButton;

namespace cutaway::ui {

struct Theme;

class FindBar : public QFrame {
  Q_OBJECT
 public:
  explicit FindBar(QWidget* parent = nullptr);
  void open();
  void setTheme(const Theme& theme);
  // current from 0; -1: none chosen. `place`: where the current one is, or how many are elsewhere.
  void setCount(int current, int all, const QString& place = {});
  void setSearching() { m_searching = true; }  // until setCount()
  bool searching() const { return m_searching; }
  void setVocabulary(const FindVocabulary& words, const QStringList& providers);
  void setLastSearches(const QStringList& lines) { m_lastSearches = lines; }
  // As wide as it likes to be and at most so wide: the beginning of the place gives way, then the line. All of the
  // place is in its tool tip.
  void fitInto(int width);
  QLineEdit* line() { return m_line; }
  QString text() const;
  QLabel* problem() { return m_problem; }
  void setProblem(const QString& words);  // instead of a count, until the next one

 signals:
  void queryChanged(const cutaway::ui::FindQuery& query);
  void nextRequested();
  void previousRequested();
  void closed();
  void resized();  // its words need more or less room

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void dress();
  void close();
  void lineChanged(const QString& line);
  void complete();
  void take(const QString& option);
  void showProblem(const FindQuery& query);
  bool keyPressed(int key, bool shift);

  QLineEdit* m_line;
  QLabel* m_count;
  QLabel* m_place;
  QString m_placeWords;
  QLabel* m_problem;
  QToolButton* m_previous;
  QToolButton* m_next;
  QToolButton* m_help;
  QToolButton* m_close;
  QCompleter* m_completer;
  QStringListModel* m_options;
  FindVocabulary m_words;
  QStringList m_providers;
  QStringList m_lastSearches;
  const Theme* m_theme = nullptr;
  const Theme* m_dressed = nullptr;  // in this one
  bool m_searching = false;
  bool m_taking = false;
};

}  // namespace cutaway::ui
