#pragma once
// Times per node as a tree: nodes with the sub-steps of their kernels below them, alone or rolled up by operator,
// provider or name scope.
//
// Thread rule: GUI thread.
// Example: model.present(view, RollUp::kOperator);  model.targets(item);  model.itemOfTiming(3);

#include <memory>
#include <vector>

#include "ui/base/theme_store.h"
#include "ui/base/tree_model.h"
#include "ui/panels/run/run_view.h"

namespace cutaway::ui {

enum class RollUp { kNone, kOperator, kProvider, kScope };

class NodeTimesModel : public TreeModel {
  Q_OBJECT
 public:
  // Places of the columns.
  enum ColumnIndex {
    kName,
    kOperator,
    kTime,
    kShare,
    kDeviation,
    kCalls,
    kGigaflops,
    kGigabytes,
    kRead,
    kWritten,
    kScratch,
    kAllocated,
    kThread,
    kProvider,
    kVariant,
    kStep,
    kShape,
    kColumnCount
  };

  explicit NodeTimesModel(const ThemeStore* themes, QObject* parent = nullptr);
  void present(std::shared_ptr<const RunView> view, RollUp rollUp);

  RollUp rollUp() const { return m_rollUp; }
  int timingOf(int item) const { return m_items[static_cast<size_t>(item)].timing; }  // kNone: a group
  bool isPart(int item) const { return m_items[static_cast<size_t>(item)].part >= 0; }
  int itemOfTiming(int timing) const {
    return timing < 0 || static_cast<size_t>(timing) >= m_itemOfTiming.size()
               ? kNone
               : m_itemOfTiming[static_cast<size_t>(timing)];
  }
  std::vector<NodeTarget> targets(int item) const;  // the node, or all of a group

 private:
  struct Item {
    int parent = kNone;
    int timing = kNone;
    int part = kNone;  // index of a sub-step of that timing
    QString title;     // of a group
    int nodes = 0;
    int64_t timeNs = 0, calls = 0, read = 0, written = 0, scratch = 0, allocated = 0;
    double variance = 0, flops = 0, flopsNs = 0, bytes = 0, bytesNs = 0;
  };
  void addTo(Item& group, const NodeTiming& timing) const;
  int group(int parent, const QString& title);
  void addNode(int parent, int timing);
  void groupByName(const std::function<QString(const NodeTiming&)>& name);
  void groupByScope();
  std::vector<int> longestFirst() const;

  const std::vector<Column>& columns() const override { return m_columns; }
  const NodeTiming& timingAt(const Item& item) const { return m_view->run->nodes[static_cast<size_t>(item.timing)]; }
  const SubStepTiming& partAt(const Item& item) const {
    return timingAt(item).subSteps[static_cast<size_t>(item.part)];
  }
  // What a column says of the three kinds of items; what is left out says nothing.
  struct Texts {
    std::function<QString(const NodeTiming& timing)> node;
    std::function<QString(const Item& item)> group;
    std::function<QString(const SubStepTiming& part)> part;
  };
  Column column(const QString& title, const QString& help, Texts texts) const;
  // Sorted by a figure of the sums of an item; parts are sorted by `ofPart`, or else by their time.
  Column figureColumn(const QString& title, const QString& help, Texts texts, std::function<CellKey(const Item&)> key,
                      std::function<CellKey(const SubStepTiming&)> ofPart = {}) const;
  Column bytesColumn(const QString& title, const QString& help, int64_t NodeTiming::* ofNode,
                     int64_t Item::* ofGroup) const;
  Column shareColumn() const;
  std::vector<Column> makeColumns() const;
  std::vector<Column> timeColumns() const;
  std::vector<Column> placeColumns() const;
  QVariant providerMark(const std::string& name) const;
  std::optional<double> shareOf(int item) const;
  RowTarget rowTarget(int item) const override;

  const ThemeStore* m_themes;
  std::vector<Column> m_columns;
  std::shared_ptr<const RunView> m_view;
  RollUp m_rollUp = RollUp::kNone;
  std::vector<Item> m_items;
  std::vector<int> m_itemOfTiming;
};

// "/layer1/conv1/Conv" in "layer1", "conv1": what a name is nested in, without its last part. Points separate where
// there are no slashes.
std::vector<std::string_view> scopesOf(std::string_view name);

}  // namespace cutaway::ui
