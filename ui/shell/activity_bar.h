#pragma once
// The status line: what is going on, how far it is, and a Cancel that answers at once; else what is open.
//
// Thread rule: GUI thread. Example: bar->present(document);  bar->message("Saved graph.svg");

#include <QStatusBar>

class QLabel;
class QProgressBar;
class QPushButton;

namespace cutaway::ui {

class Document;

class ActivityBar : public QStatusBar {
  Q_OBJECT
 public:
  explicit ActivityBar(QWidget* parent = nullptr);
  void present(const Document* document);  // null: nothing is open
  void message(const QString& words);      // for some seconds
  QString words() const;
  QPushButton* cancelButton() { return m_cancel; }

 signals:
  void cancelRequested();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void fitHeight();

  QLabel* m_words;
  QProgressBar* m_progress;
  QPushButton* m_cancel;
  QLabel* m_facts;
};

}  // namespace cutaway::ui
