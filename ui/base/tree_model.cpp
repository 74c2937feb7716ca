#include "ui/base/tree_model.h"

namespace cutaway::ui {

void TreeModel::reset(const std::function<std::vector<int>()>& change) {
  beginResetModel();
  m_parents = change();
  const int count = static_cast<int>(m_parents.size());
  m_roots.clear();
  m_rows.assign(count, 0);
  m_children.assign(count, {});
  for (int item = 0; item < count; ++item) {
    if (m_parents[item] >= item) m_parents[item] = -1;
    std::vector<int>& siblings = m_parents[item] < 0 ? m_roots : m_children[m_parents[item]];
    m_rows[item] = static_cast<int>(siblings.size());
    siblings.push_back(item);
  }
  endResetModel();
}

QModelIndex TreeModel::index(int row, int column, const QModelIndex& parent) const {
  if (column < 0 || column >= columnCount() || (parent.isValid() && parent.column() != 0)) return {};
  const std::vector<int>& siblings = childrenOf(itemAt(parent));
  if (row < 0 || row >= static_cast<int>(siblings.size())) return {};
  return createIndex(row, column, static_cast<quintptr>(siblings[row]));
}

QModelIndex TreeModel::indexOf(int item, int column) const {
  if (item < 0 || item >= static_cast<int>(m_parents.size())) return {};
  return createIndex(m_rows[item], column, static_cast<quintptr>(item));
}

QModelIndex TreeModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(m_parents[itemAt(index)]) : QModelIndex();
}

int TreeModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(itemAt(parent)).size());
}

int TreeModel::columnCount(const QModelIndex&) const {
  return static_cast<int>(columns().size());
}

QVariant TreeModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  return cellData(columns()[static_cast<size_t>(index.column())], itemAt(index), role,
                  [this](int item) { return rowTarget(item); });
}

QVariant TreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  return headData(columns()[static_cast<size_t>(section)], role);
}

}  // namespace cutaway::ui
