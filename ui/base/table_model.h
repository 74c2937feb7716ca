#pragma once
// Base of every table: index arithmetic, roles and headers are written here once; a concrete model names its columns
// and gives the text of a cell.
//
// Thread rule: GUI thread.
// Example:
//   class PassModel : public TableModel {
//    public:
//     void show(std::shared_ptr<const OptimizeReport> report) { reset([&] { m_report = std::move(report); }); }
//    private:
//     std::vector<Column> columns() const override { return {{"Pass"}, {"Time", Column::kNumber}}; }
//     int rows() const override { return m_report ? m_report->passes.size() : 0; }
//     QString cell(int row, int column) const override { ... }
//   };

#include <functional>
#include <vector>

#include <QAbstractTableModel>
#include <QVariant>

#include "ui/base/graph_target.h"

namespace cutaway::ui {

struct Column {
  enum Kind { kText, kNumber };
  QString title;
  Kind kind = kText;  // numbers stand to the right
  QString help;       // tool tip of the header
};

enum TableRole {
  kSortRole = Qt::UserRole + 1,  // QVariant to compare; the cell's text when a model says nothing
  kTargetRole,                   // RowTarget
  kShareRole,                    // 0..1: length of a bar behind the cell; invalid: none
};

class TableModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  explicit TableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

  int rowCount(const QModelIndex& parent = {}) const final;
  int columnCount(const QModelIndex& parent = {}) const final;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

  RowTarget target(int row) const { return rowTarget(row); }
  // Header and rows as comma-separated values, for copying and export.
  QString toCsv() const;

 protected:
  // Replaces the whole content: views see one reset.
  void reset(const std::function<void()>& change);

 private:
  virtual std::vector<Column> columns() const = 0;
  virtual int rows() const = 0;
  virtual QString cell(int row, int column) const = 0;
  virtual QVariant sortKey(int row, int column) const;
  virtual QString toolTip(int row, int column) const;
  virtual QVariant decoration(int row, int column) const;  // QIcon or QColor
  virtual QVariant share(int row, int column) const;
  virtual RowTarget rowTarget(int row) const;

  mutable std::vector<Column> m_columns;  // asked once
  const std::vector<Column>& cachedColumns() const;
};

}  // namespace cutaway::ui
