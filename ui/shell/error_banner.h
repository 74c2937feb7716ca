#pragma once
// What went wrong, where in the model, and what can be done: a strip above the canvas that leaves the window usable.
//
// Long messages, such as those of vendors' compilers, are folded to their beginning; Details shows all of them, Copy
// takes all of them along.
//
// Thread rule: GUI thread. Example: banner->present(document->error());

#include <optional>

#include <QFrame>

#include "engine/base/result.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace cutaway::ui {

struct Theme;
class WholeLabel;

class ErrorBanner : public QFrame {
  Q_OBJECT
 public:
  explicit ErrorBanner(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void present(const std::optional<Error>& error,
               const QString& note = {});  // none: hides; a note says what that means for the window
  QString plainText() const;
  bool unfolded() const { return m_unfolded; }

 signals:
  void placeRequested(const cutaway::ErrorPlace& place);
  void reloadRequested();
  void problemsRequested();  // everything else that is wrong

 private:
  void showWords();
  void resizeEvent(QResizeEvent* event) override;

  std::optional<Error> m_error;
  bool m_unfolded = false;
  QBoxLayout* m_body;  // words and buttons
  QLabel* m_icon;
  WholeLabel* m_message;
  WholeLabel* m_place;
  WholeLabel* m_next;
  QPushButton* m_details;
  QPushButton* m_copy;
  QPushButton* m_show;
  QPushButton* m_reload;
  QPushButton* m_all;
  QToolButton* m_close;
};

}  // namespace cutaway::ui
