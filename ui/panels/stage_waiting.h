#pragma once
// A stage's panel before there is something to show: under way, not yet reached, failed, cancelled; with what to do
// about it. Hides what it stands for.
//
// Thread rule: GUI thread. Example: column->addWidget(new StageWaiting(context, Stage::kOptimize, tabs), 1);

#include "engine/report/walk_report.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/panel.h"

namespace cutaway::ui {

class StageWaiting : public EmptyState {
  Q_OBJECT
 public:
  StageWaiting(const PanelContext& context, Stage stage, QWidget* instead, QWidget* parent = nullptr);

 private:
  void follow();
  Words words() const;

  PanelContext m_context;
  Stage m_stage;
  QWidget* m_instead;
};

}  // namespace cutaway::ui
