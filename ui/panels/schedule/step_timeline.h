#pragma once
// The steps of a graph as a timeline, by step or by cost.
//
// Thread rule: GUI thread.
// Example: page->present(walk);

#include <memory>

#include <QWidget>

#include "engine/report/walk_report.h"
#include "ui/panels/panel.h"

class QButtonGroup;
class QComboBox;
class QLabel;

namespace cutaway::ui {

class LifeChart;

class StepTimeline : public QWidget {
  Q_OBJECT
 public:
  explicit StepTimeline(const PanelContext& context, QWidget* parent = nullptr);
  void present(std::shared_ptr<const WalkReport> walk);
  LifeChart* chart() { return m_chart; }
  QButtonGroup* axis() { return m_axis; }

 private:
  void draw();

  std::shared_ptr<const WalkReport> m_walk;
  LifeChart* m_chart;
  QButtonGroup* m_axis;
  QComboBox* m_graph;
  QLabel* m_words;
};

}  // namespace cutaway::ui
