#pragma once
// All nodes of the graphs that are shown, with what every stage knows about them; or rolled up by operator, provider,
// scope ... with sums.
//
// Sorting and filtering are done here, on prepared keys, because 50,000 rows must not stall the window.
// Thread rule: GUI thread.
// Example: model.present(index, facts, version);  model.setHits(hits);  model.sort(NodesModel::kTime,
// Qt::DescendingOrder);

#include <memory>
#include <optional>
#include <vector>

#include "ui/base/table_model.h"
#include "ui/canvas/find_index.h"
#include "ui/panels/nodes/node_columns.h"

namespace cutaway::ui {

enum class NodesGrouping { kNone, kOperator, kProvider, kScope, kType, kPass, kGroup, kGraph };

class NodesModel : public TableModel {
  Q_OBJECT
 public:
  using enum NodeColumns::Index;
  using Totals = NodeTotals;

  using TableModel::TableModel;

  void present(std::shared_ptr<const FindIndex> index, FindFacts facts, GraphVersion version);
  // Only these; nullopt: all.
  void setHits(std::optional<std::vector<FindHit>> hits);
  void setGrouping(NodesGrouping grouping);
  NodesGrouping grouping() const { return m_grouping; }
  void sort(int column, Qt::SortOrder order) override;

  const Totals& totals() const { return m_totals; }  // of what is shown
  std::vector<NodeTarget> targets(int row) const;    // the node, or all of a group
  const std::vector<int>& shownPlaces() const { return m_shown; }
  FindHit hitOf(int place) const;
  int rowOf(int place) const {
    return static_cast<size_t>(place) < m_rowOf.size() ? m_rowOf[static_cast<size_t>(place)] : -1;
  }  // that shows a node
  int placeCount() const { return static_cast<int>(m_places.size()); }

 private:
  struct Group {
    QString title;
    Totals totals;
    std::vector<int> places;
  };
  std::vector<Column> columns() const override;
  int rows() const override {
    return static_cast<int>(m_grouping == NodesGrouping::kNone ? m_shown.size() : m_groups.size());
  }
  RowTarget rowTarget(int row) const override;

  KnownNode known(int place) const;
  QString cell(int row, const NodeColumn& column) const;
  std::optional<double> shareOfLongest(int row) const;
  void add(Totals& totals, int place) const;
  void gather();   // shown rows, groups and totals, then order
  void arrange();  // by the chosen column
  void makeGroups();
  QString groupTitle(int place) const;

  std::shared_ptr<const FindIndex> m_index;
  FindFacts m_facts;
  GraphVersion m_version = GraphVersion::kLoaded;
  std::vector<FindHit> m_places;
  std::vector<int> m_shown;  // places, in the order of the rows
  std::vector<Group> m_groups;
  std::vector<int> m_rowOf;  // per place
  std::optional<std::vector<FindHit>> m_hits;
  NodesGrouping m_grouping = NodesGrouping::kNone;
  Totals m_totals;
  double m_longest = 0;  // time of a row, for bars
  int m_sortColumn = -1;
  Qt::SortOrder m_sortOrder = Qt::AscendingOrder;
};

}  // namespace cutaway::ui
