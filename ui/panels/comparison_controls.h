#pragma once
// What every what-if page has: Compare (Cancel while it runs), Apply and Reset, progress, and a sentence about the
// draft or the result.
//
// The widget is the strip below a page's contents; the Compare button is the page's to place. It follows the document
// by itself and says with `refreshed` that a result may be new. Thread rule: GUI thread. Example: m_controls(new
// ComparisonControls(document, {.ready = ..., .sentence = ...}));  row->addWidget(m_controls->compareButton());
// column->addWidget(m_controls);

#include <functional>

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace cutaway::ui {

class Document;

class ComparisonControls : public QWidget {
  Q_OBJECT
 public:
  struct Asks {
    std::function<bool()> ready;        // the walk has what this comparison needs
    std::function<QString()> sentence;  // of the result; empty: there is none
    std::function<int()> measureRuns = {};
  };

  ComparisonControls(Document* document, Asks asks, QWidget* parent = nullptr);
  QPushButton* compareButton() { return m_compare; }
  QPushButton* applyButton() { return m_apply; }
  void addToEnd(QWidget* widget);          // right of the buttons
  void showError(const QString& message);  // until the next refresh
  void refresh();

 signals:
  void refreshed();

 private:
  QString summary() const;

  Document* m_document;
  Asks m_asks;
  QLabel* m_summary;
  QLabel* m_error;
  QProgressBar* m_progress;
  QPushButton* m_compare;
  QPushButton* m_apply;
  QPushButton* m_revert;
  QHBoxLayout* m_buttons;
};

}  // namespace cutaway::ui
