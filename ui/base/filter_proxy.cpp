#include "ui/base/filter_proxy.h"

#include "ui/base/table_model.h"

namespace cutaway::ui {

FilterProxy::FilterProxy(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(kSortRole);
  setRecursiveFilteringEnabled(true);
  setDynamicSortFilter(true);
}

void FilterProxy::setQuery(FindQuery query) {
  m_query = std::move(query);
  invalidateFilter();
}

void FilterProxy::setCondition(std::function<bool(int)> condition) {
  m_condition = std::move(condition);
  invalidateFilter();
}

bool FilterProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
  if (m_condition && !m_condition(sourceRow)) return false;
  if (m_query.empty() && !m_query.problem()) return true;
  QString line;
  const int width = sourceModel()->columnCount(sourceParent);
  for (int column = 0; column < width; ++column) {
    line += sourceModel()->index(sourceRow, column, sourceParent).data().toString();
    line += QLatin1Char('\n');
  }
  return m_query.matches(line);
}

bool FilterProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const QVariant a = left.data(kSortRole), b = right.data(kSortRole);
  if (a.userType() == QMetaType::QString || b.userType() == QMetaType::QString) {
    const int order = QString::localeAwareCompare(a.toString(), b.toString());
    return order == 0 ? left.row() < right.row() : order < 0;
  }
  const QPartialOrdering order = QVariant::compare(a, b);
  return order == QPartialOrdering::Equivalent ? left.row() < right.row() : order == QPartialOrdering::Less;
}

}  // namespace cutaway::ui
