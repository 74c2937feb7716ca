#pragma once
// A strip that says something and offers answers: a file that changed, a session that can be restored, settings that
// were damaged. Never in the way of the work.
//
// Thread rule: GUI thread.
// Example: bar->tell({.id = "changed", .words = tr("%1 changed on disk.").arg(name), .answers = {{tr("Reload"), [this]
// { reload(); }}}});

#include <functional>
#include <utility>
#include <vector>

#include <QFrame>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace cutaway::ui {

class ThemeStore;

struct Notice {
  QString id;  // a later one with the same id replaces it
  QString words;
  bool warning = false;
  std::vector<std::pair<QString, std::function<void()>>> answers;  // a button each; pressing one closes the strip
  std::function<void()> dismissed = {};                            // closed without an answer
};

class NoticeBar : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(ThemeStore* themes, QWidget* parent = nullptr);

  void tell(Notice notice);          // after those that wait already
  void withdraw(const QString& id);  // it is settled otherwise
  QString words() const;             // of the one on screen; empty: none
  QString id() const { return m_notices.empty() ? QString() : m_notices.front().id; }

 private:
  void present();
  void paint();
  void end(size_t answer);

  ThemeStore* m_themes;
  std::vector<Notice> m_notices;  // the first is on screen
  QLabel* m_icon;
  QLabel* m_words;
  QHBoxLayout* m_answers;
  QToolButton* m_close;
};

}  // namespace cutaway::ui
