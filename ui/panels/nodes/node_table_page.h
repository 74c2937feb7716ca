#pragma once
// The table of all nodes: filtered by the query language, grouped with sums, columns to choose, in step with the
// selection.
//
// Thread rule: GUI thread. Example: new NodeTablePage(context, parent);

#include <QTimer>
#include <QWidget>

#include "engine/base/progress.h"
#include "ui/panels/nodes/nodes_model.h"
#include "ui/panels/panel.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QTableView;

namespace cutaway::ui {

class ReadingController;

class NodeTablePage : public QWidget {
  Q_OBJECT
 public:
  explicit NodeTablePage(const PanelContext& context, QWidget* parent = nullptr);
  ~NodeTablePage() override;

  NodesModel* model() { return &m_model; }
  QTableView* view() { return m_view; }
  QLineEdit* filterLine() { return m_filter; }
  QComboBox* groupBox() { return m_group; }
  QLabel* totals() { return m_totals; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void arrange();
  void refresh();
  void filter();
  void showProblem(const QString& words);
  void rowsChosen();
  void showSelection();
  void showTotals();
  void showColumns();
  void columnMenu(const QPoint& position);
  void rowMenu(const QPoint& position);
  void saveCsv();
  bool columnWanted(int column) const;

  PanelContext m_context;
  ReadingController* m_controller;
  NodesModel m_model;
  QLineEdit* m_filter;
  QComboBox* m_group;
  QLabel* m_problem;
  QLabel* m_totals;
  QTableView* m_view;
  CancelToken m_cancel;
  bool m_stale = true;
  bool m_choosing = false;
};

}  // namespace cutaway::ui
