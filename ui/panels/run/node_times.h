#pragma once
// The tree of node times in the window: filter line, how to roll up, share bars, in step with the selection and with
// the range marked in the timeline.
//
// Thread rule: GUI thread.
// Example: auto* times = new NodeTimes(context);  times->present(view);  times->restrict("1.2 ms to 1.9 ms",
// ranInRange);

#include <memory>
#include <vector>

#include <QWidget>

#include "ui/base/filter_proxy.h"
#include "ui/panels/panel.h"
#include "ui/panels/run/node_times_model.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTreeView;

namespace cutaway::ui {

// Lets items through that match the words and ran in the range; what holds such an item stays too.
class NodeTimesFilter : public FilterProxy {
 public:
  NodeTimesFilter(const NodeTimesModel* model, QObject* parent);
  void setTimings(std::vector<bool> timings, bool active);

 protected:
  bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

 private:
  const NodeTimesModel* m_model;
  std::vector<bool> m_timings;
  bool m_active = false;
};

class NodeTimes : public QWidget {
  Q_OBJECT
 public:
  explicit NodeTimes(const PanelContext& context, QWidget* parent = nullptr);
  ~NodeTimes() override;

  void present(std::shared_ptr<const RunView> view);
  void setRollUp(RollUp rollUp);
  // Only the timings that are set, and says why.
  void restrict(const QString& words, std::vector<bool> timings);
  void release();

  NodeTimesModel* model() { return m_model; }
  NodeTimesFilter* proxy() { return m_proxy; }
  QTreeView* view() { return m_tree; }
  QLineEdit* filterLine() { return m_filter; }

 signals:
  void released();  // the restriction was taken off by hand

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void makeTree();
  void showCount();
  void rowChosen();
  void showSelection();
  void sizeColumns();
  void chooseColumns(const QPoint& position);
  QString textOfRows(QChar separator, bool selectedOnly) const;
  void showMenu(const QPoint& position);

  PanelContext m_context;
  NodeTimesModel* m_model;
  NodeTimesFilter* m_proxy;
  QComboBox* m_rollUp;
  QLineEdit* m_filter;
  QLabel* m_count;
  QWidget* m_restriction;
  QLabel* m_restrictionWords;
  QTreeView* m_tree;
  std::shared_ptr<const RunView> m_view;
  bool m_choosing = false;
};

}  // namespace cutaway::ui
