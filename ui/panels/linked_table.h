#pragma once
// A table tied to the selection: filter line with a live count, sorting, remembered columns; choosing a row selects
// what it is about, and the selection chooses rows.
//
// Thread rule: GUI thread.
// Example: auto* table = new LinkedTable(context, "resolve/values", this);  table->setModel(&m_model);

#include <functional>
#include <vector>

#include <QByteArray>
#include <QWidget>

#include "ui/base/filter_proxy.h"
#include "ui/base/graph_target.h"
#include "ui/panels/panel.h"

class QLabel;
class QLineEdit;
class QMenu;
class QTableView;
class QVBoxLayout;

namespace cutaway::ui {

class TableModel;

class LinkedTable : public QWidget {
  Q_OBJECT
 public:
  // `stateKey` names the remembered columns in the view state.
  LinkedTable(const PanelContext& context, QString stateKey, QWidget* parent = nullptr);
  ~LinkedTable() override;

  void setModel(TableModel* model);  // not owned
  void setFilterText(const QString& text);
  FilterProxy* proxy() { return &m_proxy; }
  QTableView* view() { return m_view; }
  // Rows that are about several nodes: choosing one selects them all.
  void setRowNodes(std::function<std::vector<NodeTarget>(int sourceRow)> nodes) { m_rowNodes = std::move(nodes); }
  // Further entries of a row's context menu.
  void setRowMenu(std::function<void(QMenu* menu, int sourceRow)> fill) { m_rowMenu = std::move(fill); }
  // Shows only some source rows, and says above the table why; an empty condition shows all again.
  void restrict(const QString& words, std::function<bool(int sourceRow)> condition);
  QLineEdit* filterLine() { return m_filter; }
  // The filter line, the count and, where rows are restricted, what shows all again, in one row: for a place beside the
  // table, where height is dear. Belongs to who takes it.
  QWidget* takeBar();
  // Shows only rows whose node, or the node that makes or reads their value, takes part in the range of steps that the
  // playhead has.
  void followRange();

 signals:
  void rowActivated(int sourceRow);  // Enter or a double click
  void released();                   // the restriction was taken off by hand

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void saveCsv();
  void showMenu(const QPoint& position);
  void makeRestriction(QVBoxLayout* column);
  void rowChosen();
  void showSelection();
  void showCount();
  void applyConditions();
  bool inRange(int sourceRow) const;
  void sizeColumns();
  void leaveRows();
  void takeRows();

  PanelContext m_context;
  QString m_stateKey;
  TableModel* m_model = nullptr;
  FilterProxy m_proxy;
  QWidget* m_bar;
  QLineEdit* m_filter;
  QLabel* m_count;
  QTableView* m_view;
  QWidget* m_restriction = nullptr;
  QLabel* m_restrictionWords = nullptr;
  std::function<bool(int)> m_condition;  // of restrict()
  QString m_conditionWords;
  bool m_followsRange = false;
  std::function<std::vector<NodeTarget>(int)> m_rowNodes;
  std::function<void(QMenu*, int)> m_rowMenu;
  bool m_isLeft = false;     // proxy and view have no rows until the table is shown
  QByteArray m_columns;      // of the header meanwhile
  bool m_isUnsized = false;  // columns are as wide as earlier rows asked for
  bool m_choosing = false;   // the selection changes because a row was chosen, or the other way round
};

}  // namespace cutaway::ui
