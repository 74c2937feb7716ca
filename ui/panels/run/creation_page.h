#pragma once
// Where the time goes before the first run: the spans of making the session as a flame chart, and the longest of them
// as a table.
//
// Thread rule: GUI thread.
// Example: page->present(walk.creation);

#include <memory>
#include <vector>

#include <QWidget>

#include "engine/report/run_report.h"
#include "ui/panels/panel.h"
#include "ui/panels/run/timeline/time_window.h"
#include "ui/panels/run/timeline/trace_lanes.h"

class QLabel;

namespace cutaway::ui {

class LinkedTable;
class ReportModel;
class Timeline;

// A span with what it took itself, without the spans below it.
struct LongSpan {
  int32_t span = 0;
  int64_t selfNs = 0;
  int stage = -1;  // index in CreationView::stages
};
struct CreationView {
  std::shared_ptr<const std::vector<TraceSpan>> spans;
  std::shared_ptr<const TraceLanes> lanes;
  std::vector<LongSpan> longest;    // the longest first; the rest are in the picture
  std::vector<std::string> stages;  // names of the spans at that depth, by category
  int stageDepth = 0;               // of the spans that give the colours
  int64_t totalNs = 0;
};
CreationView creationView(std::shared_ptr<const std::vector<TraceSpan>> spans);
// "Ready after 38 ms. Partition takes 55 %, most of it "compile openvino" (17 ms)."
QString creationSentence(const CreationView& view);

class CreationPage : public QWidget {
  Q_OBJECT
 public:
  explicit CreationPage(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const std::vector<TraceSpan>> spans);
  Timeline* timeline() { return m_timeline; }
  LinkedTable* table() { return m_table; }
  QLabel* sentence() { return m_sentence; }

 private:
  TimeWindow m_window;
  QLabel* m_sentence;
  Timeline* m_timeline;
  ReportModel* m_model;
  LinkedTable* m_table;
  std::shared_ptr<const CreationView> m_view;
  bool m_presented = false;
};

}  // namespace cutaway::ui
