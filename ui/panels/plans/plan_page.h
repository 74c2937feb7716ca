#pragma once
// What if the model were planned otherwise: the draft's plan, both plans in figures, curves and values, a dimension
// over its sizes.
//
// Every panel of plans holds one; all follow the document's draft and its comparison. Thread rule: GUI thread; plans
// are made on the document's worker. Example: makePlanWhatIf(context, "pattern", room);

#include <memory>

#include <QWidget>

#include "engine/study/what_if/what_if.h"
#include "ui/panels/panel.h"

class QButtonGroup;
class QPushButton;
class QStackedWidget;

namespace cutaway::ui {

class ComparisonControls;
class CurveChart;
class FiguresView;
class LinkedTable;
class PlanDraftEditor;
class ReportModel;
class SweepPage;

class PlanPage : public QWidget {
  Q_OBJECT
 public:
  enum Page { kChange, kFigures, kMemory, kValues, kSweep, kPageCount };

  PlanPage(const PanelContext& context, const QString& id, QWidget* parent = nullptr);
  void showPage(Page page);
  PlanDraftEditor* editor() { return m_editor; }
  FiguresView* figures() { return m_figures; }
  CurveChart* curves() { return m_curves; }
  SweepPage* sweepPage() { return m_sweep; }
  QPushButton* compareButton();
  QPushButton* applyButton();

 private:
  QWidget* makeTop();
  bool isReady() const;
  QString resultSentence() const;
  void refresh();
  void presentResult();

  PanelContext m_context;
  PlanDraftEditor* m_editor;
  FiguresView* m_figures;
  CurveChart* m_curves;
  LinkedTable* m_values;
  ReportModel* m_valueModel;
  SweepPage* m_sweep;
  QButtonGroup* m_choice;
  QStackedWidget* m_pages;
  ComparisonControls* m_controls;
  std::shared_ptr<const study::WhatIfResult> m_shown;
};

}  // namespace cutaway::ui
