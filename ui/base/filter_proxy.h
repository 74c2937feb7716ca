#pragma once
// Sorting and filtering over a TableModel: ANDed terms over all columns, sorted by kSortRole with numbers as numbers.
//
// Thread rule: GUI thread.
// Example: proxy.setSourceModel(&model);  proxy.setQuery(FindQuery::parse("conv float"));

#include <functional>

#include <QSortFilterProxyModel>

#include "ui/base/find_query.h"

namespace cutaway::ui {

class FilterProxy : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit FilterProxy(QObject* parent = nullptr);
  void setQuery(FindQuery query);
  // An additional condition on source rows; empty: none.
  void setCondition(std::function<bool(int sourceRow)> condition);

 protected:
  bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  FindQuery m_query;
  std::function<bool(int)> m_condition;
};

}  // namespace cutaway::ui
