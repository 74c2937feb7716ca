#pragma once
// A table over a snapshot whose cells are computed when they are looked at: fifty thousand rows cost nothing to show.
//
// Thread rule: GUI thread. The functions keep the snapshot alive that they read.
// Example:
//   model.present({.columns = {{"Pass"}, {"Time", Column::kNumber}}, .rows = count,
//                  .cell = [report](int row, int column) { ... }, .sortKey = [report](int row, int column) { ... }});

#include <functional>

#include "ui/base/table_model.h"

namespace cutaway::ui {

struct ReportRows {
  std::vector<Column> columns;
  int rows = 0;
  std::function<QString(int row, int column)> cell;
  std::function<QVariant(int row, int column)> sortKey = {};  // invalid: the cell's text
  std::function<RowTarget(int row)> target = {};
  std::function<QString(int row, int column)> toolTip = {};
  std::function<QVariant(int row, int column)> decoration = {};
  std::function<QVariant(int row, int column)> share = {};  // 0..1, see BarCell
};

class ReportModel : public TableModel {
  Q_OBJECT
 public:
  using TableModel::TableModel;
  void present(ReportRows rows) {
    reset([&] { m_rows = std::move(rows); });
  }

 private:
  std::vector<Column> columns() const override { return m_rows.columns; }
  int rows() const override { return m_rows.rows; }
  QString cell(int row, int column) const override { return m_rows.cell(row, column); }
  QVariant sortKey(int row, int column) const override {
    const QVariant key = m_rows.sortKey ? m_rows.sortKey(row, column) : QVariant();
    return key.isValid() ? key : QVariant(cell(row, column));
  }
  RowTarget rowTarget(int row) const override { return m_rows.target ? m_rows.target(row) : RowTarget{}; }
  QString toolTip(int row, int column) const override {
    const QString tip = m_rows.toolTip ? m_rows.toolTip(row, column) : QString();
    return tip.isEmpty() && m_rows.cell(row, column).size() > 40 ? m_rows.cell(row, column) : tip;
  }
  QVariant decoration(int row, int column) const override {
    return m_rows.decoration ? m_rows.decoration(row, column) : QVariant();
  }
  QVariant share(int row, int column) const override { return m_rows.share ? m_rows.share(row, column) : QVariant(); }

  ReportRows m_rows;
};

}  // namespace cutaway::ui
