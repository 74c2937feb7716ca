#pragma once
// A table tied to the selection: filter line with a live count, sorting, remembered columns; choosing a row selects what it is about, and the selection chooses rows.
//
// Thread rule: GUI thread.
// Example: auto* table = new LinkedTable(context, "resolve/values", this);  table->setModel(&m_model);

#include <QWidget>

#include "ui/base/filter_proxy.h"
#include "ui/panels/panel.h"

class QLabel;
class QLineEdit;
class QTableView;

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
  QLineEdit* filterLine() { return m_filter; }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void copyRows();
  void rowChosen();
  void showSelection();
  void showCount();
  void sizeColumns();

  PanelContext m_context;
  QString m_stateKey;
  TableModel* m_model = nullptr;
  FilterProxy m_proxy;
  QLineEdit* m_filter;
  QLabel* m_count;
  QTableView* m_view;
  bool m_choosing = false;  // the selection changes because a row was chosen, or the other way round
};

}  // namespace cutaway::ui
