#pragma once
// Base of every table: index arithmetic, roles, headers and CSV are written here once; a concrete model gives its
// columns, how many rows there are, and what a row is about.
//
// Thread rule: GUI thread.
// Example: class NodesModel : public TableModel { std::vector<Column> columns() const override; int rows() ... };

#include <functional>
#include <vector>

#include <QAbstractTableModel>

#include "ui/base/table_columns.h"

namespace cutaway::ui {

enum TableRole {
  kSortRole = Qt::UserRole + 1,  // QVariant to compare; the cell's text when a model says nothing
  kTargetRole,                   // RowTarget
  kShareRole,                    // 0..1: length of a bar behind the cell; invalid: none
};

// What a cell and a header say in a role; `target` is asked for kTargetRole only. Tables and trees read columns so.
QVariant cellData(const Column& column, int row, int role, const std::function<RowTarget(int)>& target);
QVariant headData(const Column& column, int role);

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
  virtual RowTarget rowTarget(int row) const;

  mutable std::vector<Column> m_columns;  // asked once
  const std::vector<Column>& cachedColumns() const;
};

}  // namespace cutaway::ui
