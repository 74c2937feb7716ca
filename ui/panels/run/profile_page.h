#pragma once
// Two profiles beside each other: the baseline and the present run, as a whole and node by node, with what is more than
// noise.
//
// Thread rule: GUI thread.
// Example: addTab(new ProfilePage(context), tr("Compare"));

#include <memory>

#include <QWidget>

#include "ui/panels/panel.h"
#include "ui/panels/run/profile_words.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;

namespace cutaway::ui {

class DistributionView;
class LinkedTable;
class ReportModel;

class ProfilePage : public QWidget {
  Q_OBJECT
 public:
  explicit ProfilePage(const PanelContext& context, QWidget* parent = nullptr);

  QPushButton* keepButton() { return m_keep; }
  QLabel* sentence() { return m_sentence; }
  LinkedTable* table() { return m_table; }
  void loadFile(const QString& path);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makeTop();
  void makeTable();
  void refresh();
  void presentComparison();
  void chooseFile(bool asBaseline);
  void showSignificant();

  PanelContext m_context;
  QPushButton* m_keep;
  QPushButton* m_load;
  QPushButton* m_swap;
  QPushButton* m_drop;
  QLabel* m_sentence;
  QLabel* m_detail;
  QLabel* m_error;
  QLabel* m_empty;
  DistributionView* m_distributions;
  QCheckBox* m_significant;
  QStackedWidget* m_pages;
  ReportModel* m_model;
  LinkedTable* m_table;
  std::shared_ptr<const RunComparison> m_shown;
  std::shared_ptr<double> m_largest;  // of all differences: the length of a full bar
};

}  // namespace cutaway::ui
