#pragma once
// The run over time: the timeline with its legend, memory below it on the same axis, and what lies in the marked range.
//
// Thread rule: GUI thread.
// Example: page->present(view, walk);  connect(page, &TimelinePage::rangeChosen, this, restrictTheTable);

#include <memory>
#include <optional>

#include <QWidget>

#include "ui/document/playhead.h"
#include "ui/panels/panel.h"
#include "ui/panels/run/device_tables.h"
#include "ui/panels/run/run_view.h"
#include "ui/panels/run/step_times.h"
#include "ui/panels/run/timeline/time_window.h"

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;
class QVBoxLayout;

namespace cutaway::ui {

class MemoryChart;
class PartsBar;
class Timeline;

class TimelinePage : public QWidget {
  Q_OBJECT
 public:
  explicit TimelinePage(const PanelContext& context, QWidget* parent = nullptr);
  ~TimelinePage() override;
  void present(std::shared_ptr<const RunView> view, const QString& empty);

  TimeWindow& window() { return m_window; }
  Timeline* timeline() { return m_timeline; }
  MemoryChart* memory() { return m_memory; }
  QComboBox* memoryChoice() { return m_memoryOf; }  // whose memory the chart shows
  QLabel* totals() { return m_totals; }

 signals:
  // The range was marked or taken off; the totals of it.
  void rangeChosen(std::shared_ptr<const cutaway::ui::RangeTotals> totals, const QString& words);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeTop();
  void arrange();
  void presentMemory(const QString& empty);
  void showMemory();
  void setColouring(int colouring);
  void showLegend();
  void makeRoom();
  void showTotals();
  void settle();
  void linkPlayhead();
  void followPlayhead();
  void rangeToSteps();

  PanelContext m_context;
  TimeWindow m_window;
  Timeline* m_timeline;
  MemoryChart* m_memory;
  QComboBox* m_memoryOf;  // there where a device has memory of its own
  std::vector<PlaceMemory> m_places;
  PartsBar* m_legend;
  PartsBar* m_breakdown;
  QSplitter* m_splitter;
  QHBoxLayout* m_top = nullptr;
  QVBoxLayout* m_column;
  QButtonGroup* m_colours;
  QLabel* m_totals;
  QPushButton* m_release;
  std::shared_ptr<const RunView> m_view;
  bool m_restricted = false;
  StepTimes m_steps;
  std::optional<Playhead::Range> m_shownRange;  // of the playhead, as the marked time stands for it
  bool m_linking = false;
};

// What a session holds, as parts of one bar; empty where nothing is known.
struct BarPart;
std::vector<BarPart> breakdownParts(const RunReport& run);
// Time by category of a colouring, longest first.
std::vector<BarPart> colouringParts(const RunView& view, Colouring colouring);

}  // namespace cutaway::ui
