#pragma once
// A panel around a StudyJob: what it is about and a button while nobody has asked, progress with Cancel, then a
// sentence, buttons and a table of what was found.
//
// Thread rule: GUI thread. Example: see cure/cure.cpp.

#include <QWidget>

#include "ui/base/table_columns.h"
#include "ui/document/study_job.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/panel.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QToolButton;
class QVBoxLayout;

namespace cutaway::ui {

class LinkedTable;
class ReportModel;

class StudyPanel : public QWidget {
  Q_OBJECT
 public:
  // name: for the table's settings, "cure/proposals".
  StudyPanel(const PanelContext& context, StudyJob::Study study, const QString& name, QWidget* parent);

 protected:
  using EmptyWords =
      EmptyState::Words;  // lupdate takes a function that begins with another class's name for that class's

  // Of the result, which is there.
  virtual QString sentence() const = 0;
  virtual ReportRows rows() const = 0;
  virtual void updateButtons(bool busy) = 0;
  // Without one. reason: why it cannot start, empty where it can.
  virtual EmptyWords emptyWords(bool busy, const QString& reason) const = 0;
  virtual std::vector<NodeTarget> nodesOf(int row) const = 0;
  // Why it cannot start; empty: it can.
  virtual QString whyNot() const { return m_job->whyNot(); }
  virtual void presentPicture() {}  // of the result, or of none

  // To be called by the constructor of what is derived, once it is ready to answer.
  void begin(const QString& tableTitle);
  QPushButton* addButton(const QString& toolTip);  // right of the sentence, in order
  void setAgainText(const QString& text);          // of the button that starts anew; "Search again" unless set
  void setPicture(QWidget* picture, const QString& title, const QString& tableTitle);  // a tab before the table's
  void refresh();
  QVBoxLayout* column() const { return m_column; }  // of all there is: a form goes on top
  int chosenRow() const;                            // of the result; -1: none
  const PanelContext& context() const { return m_context; }
  StudyJob* job() const { return m_job; }
  // "name-suffix.onnx" beside the model; asks where, and says why it may not be the open model. Empty: not saved.
  QString askForCopy(const QString& suffix);
  // Tells that `file` was written and opens it, or why it was not.
  void showCopy(const Result<void>& saved, const QString& file);
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  void arrange();

  PanelContext m_context;
  StudyJob* m_job;
  EmptyState* m_empty;
  QString m_emptyText;
  LinkedTable* m_table;
  ReportModel* m_rows;
  QWidget* m_work;
  QProgressBar* m_bar;
  QLabel* m_state;
  QPushButton* m_cancel;
  QStackedWidget* m_stack;
  QLabel* m_words;
  QHBoxLayout* m_top;
  QToolButton* m_again;
  QVBoxLayout* m_result;
  QVBoxLayout* m_column = nullptr;
  std::shared_ptr<const void> m_shown;
};

}  // namespace cutaway::ui
