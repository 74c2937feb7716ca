#pragma once
// The table of a report: whatever rows and columns it is given. A long text is its cell's tool tip too.
//
// Thread rule: GUI thread. Example: model.present(rowsOf<PassReport>(partOf(report, report->passes), {...}));

#include "ui/base/table_model.h"

namespace cutaway::ui {

class ReportModel : public TableModel {
  Q_OBJECT
 public:
  using TableModel::TableModel;
  void present(ReportRows rows);

 private:
  std::vector<Column> columns() const override { return m_rows.columns; }
  int rows() const override { return m_rows.rows; }
  RowTarget rowTarget(int row) const override { return m_rows.target ? m_rows.target(row) : RowTarget{}; }

  ReportRows m_rows;
};

}  // namespace cutaway::ui
