#pragma once
// An answer of ONNX Runtime as tables: the stages of both engines side by side, and what differs, figures and nodes
// behind them. A stage that is chosen shows its own differences and marks their nodes in the graph.
//
// Thread rule: GUI thread.
// Example: page->present(controller.opinion());

#include <array>
#include <optional>
#include <vector>

#include <QWidget>

#include "ui/panels/opinion/opinion_tables.h"
#include "ui/panels/panel.h"

class QStackedWidget;
class QTabWidget;
class QTableView;

namespace cutaway::ui {

class LinkedTable;

class OpinionPage : public QWidget {
  Q_OBJECT
 public:
  explicit OpinionPage(const PanelContext& context, QWidget* parent = nullptr);
  void present(const OpinionPointer& opinion);  // null: nothing

 private:
  enum Tab { kStages, kDifferences, kFigures, kNodes, kTabCount };

  void makeStages();
  void makeTables();
  LinkedTable* table(Tab tab) const { return m_tables[static_cast<size_t>(tab)]; }
  // Differences and figures of one stage, or of all.
  void restrict(std::optional<OpinionStage> stage);
  void enterStage(int row);
  void followStage();
  void showTitles();
  RowTarget targetOf(const std::string& value) const;
  std::vector<NodeTarget> nodesOf(const OpinionDifference& difference) const;

  PanelContext m_context;
  QTabWidget* m_tabs;
  QStackedWidget* m_bars;
  QTableView* m_stages;
  std::array<ReportModel*, kTabCount> m_models{};
  std::array<LinkedTable*, kTabCount> m_tables{};
  OpinionPointer m_opinion;
  std::vector<StageDifference> m_differences;
  std::vector<StageFigure> m_figures;
  std::optional<OpinionStage> m_stage;  // that the tables are restricted to
};

}  // namespace cutaway::ui
