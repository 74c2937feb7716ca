#pragma once
// What stage panels have in common: facts on top, tabs with tables and pictures below, filled when the stage's report
// arrives.
//
// Thread rule: GUI thread.
// Example:
//   class LoadPanel : public StagePanel {
//     LoadPanel(...) : StagePanel(context, "load", parent) { m_operators = addTable(tr("Operators")); }
//     const void* source(const WalkReport& walk) const override { return walk.load.get(); }
//     void fill(const WalkReport& walk) override { setFacts({{tr("Nodes"), ...}}); m_operators->present(...); }
//   };

#include <functional>
#include <memory>
#include <vector>

#include <QWidget>

#include "engine/report/truth.h"
#include "engine/report/walk_report.h"
#include "ui/panels/panel.h"
#include "ui/panels/report_model.h"

class QBoxLayout;
class QGridLayout;
class QTabWidget;
class QVBoxLayout;

namespace cutaway::ui {

class LinkedTable;
class TruthLine;
class WholeLabel;

// A figure and what it is: whatever is not exact has its sign before it.
struct Fact {
  QString title;
  QString figure;
  TruthKind truth = TruthKind::kExact;
};
using Facts = std::vector<Fact>;

class StagePanel : public QWidget {
  Q_OBJECT
 public:
  StagePanel(const PanelContext& context, const QString& id, QWidget* parent);

  // Reads the document's snapshot when it is another one than before.
  void refresh();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

  ReportModel* addTable(const QString& title, LinkedTable** table = nullptr);
  QTabWidget* tabs() { return m_tabs; }
  void addTab(QWidget* widget, const QString& title);
  void setTabTitle(int index, const QString& title);
  void setTabShown(int index, bool shown);
  void setFacts(Facts facts);  // above the tabs, or left of them where there is more width than height
  void setFactsShown(bool shown);
  void setNote(const QString& words);  // one line above the tabs; empty: none
  void addTop(QWidget* widget);        // between facts and tabs
  // A tab that has all the room to itself; its title says when there is a draft. What is in it is made when the panel
  // is there already: a panel that is looked at for the first time must not wait for it.
  void addWhatIf(std::function<QWidget*(QWidget* parent)> make);
  const PanelContext& context() const { return m_context; }
  Document& document() const { return *m_context.document; }

 private:
  // The report this panel reads; it is filled again when that is another one.
  virtual const void* source(const WalkReport& walk) const = 0;
  virtual void fill(const WalkReport& walk) = 0;
  void makeRoom();
  void makeWhatIf();
  void placeFacts();
  void tellTruth();

  PanelContext m_context;
  QString m_id;
  QBoxLayout* m_sides;  // facts, and what they are about
  QVBoxLayout* m_column;
  QWidget* m_factsBox;
  QGridLayout* m_facts;
  Facts m_shownFacts;
  int m_factColumns = 0;
  WholeLabel* m_note;
  TruthLine* m_truth;  // of the stage's figures
  QTabWidget* m_tabs;
  QVBoxLayout* m_top;
  QWidget* m_whatIf = nullptr;
  std::function<QWidget*(QWidget* parent)> m_makeWhatIf;  // until it was called
  std::shared_ptr<const void> m_result;                   // of what-if, that was seen already
  int m_before = -1;                                      // tab that what-if came in front of by itself
  std::shared_ptr<const WalkReport> m_walk;               // keeps alive what m_source points to
  const void* m_source = nullptr;
  bool m_filled = false;
};

// What a node is called, and where it is, in one of the versions.
QString nodeName(const ModelGraphs* graphs, int graph, int node);
QString valueName(const ModelGraphs* graphs, int graph, int value);
// The order of one graph; null: none.
const GraphSchedule* scheduleOf(const WalkReport& walk, int graph);
// Steps of the playhead count in this graph's order.
bool isMainOrder(const WalkReport& walk, int graph);

}  // namespace cutaway::ui
