#pragma once
// Base of every tree: items are numbers, parents are given once as an array; a concrete model gives its columns.
//
// Thread rule: GUI thread.
// Example: setParents({-1, 0, 0, -1}) makes two roots, the first with two children; columns are asked for item numbers
// 0 to 3.

#include <functional>
#include <vector>

#include <QAbstractItemModel>

#include "ui/base/table_model.h"

namespace cutaway::ui {

class TreeModel : public QAbstractItemModel {
  Q_OBJECT
 public:
  explicit TreeModel(QObject* parent = nullptr) : QAbstractItemModel(parent) {}

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const final;
  QModelIndex parent(const QModelIndex& index) const final;
  int rowCount(const QModelIndex& parent = {}) const final;
  int columnCount(const QModelIndex& parent = {}) const final;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

  QModelIndex indexOf(int item, int column = 0) const;
  int itemAt(const QModelIndex& index) const { return index.isValid() ? static_cast<int>(index.internalId()) : -1; }

 protected:
  // Replaces content and shape; `change` returns the parent of every item, -1 for roots. A parent must come before its
  // children.
  void reset(const std::function<std::vector<int>()>& change);

 private:
  virtual const std::vector<Column>& columns() const = 0;  // of items
  virtual RowTarget rowTarget(int) const { return {}; }

  const std::vector<int>& childrenOf(int item) const { return item < 0 ? m_roots : m_children[item]; }

  std::vector<int> m_parents;
  std::vector<int> m_rows;  // position below its parent
  std::vector<std::vector<int>> m_children;
  std::vector<int> m_roots;
};

}  // namespace cutaway::ui
