#pragma once
// One open dimension over a range of sizes: peak and lower bound as curves and in a table, planned on demand.
//
// Thread rule: GUI thread; the engine works on the document's worker.
// Example: auto* page = new SweepPage(context);

#include <vector>

#include <QString>
#include <QWidget>

#include "ui/panels/panel.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace cutaway::ui {

class CurveChart;
class LinkedTable;
class ReportModel;

// "1, 2, 4" as numbers, each once, ascending; empty when a word is none, below 1, or there are more than
// kMostSweepSizes.
inline constexpr size_t kMostSweepSizes = 64;
std::vector<int64_t> sizesOf(const QString& line);

class SweepPage : public QWidget {
  Q_OBJECT
 public:
  explicit SweepPage(const PanelContext& context, QWidget* parent = nullptr);
  QComboBox* dimension() { return m_dimension; }
  QLineEdit* sizes() { return m_sizes; }
  QPushButton* planButton() { return m_plan; }
  CurveChart* chart() { return m_chart; }

 private:
  void refresh();
  void presentDimensions();

  PanelContext m_context;
  QComboBox* m_dimension;
  QLineEdit* m_sizes;
  QPushButton* m_plan;
  QLabel* m_error;
  CurveChart* m_chart;
  LinkedTable* m_table;
  ReportModel* m_model;
  const void* m_shown = nullptr;
};

}  // namespace cutaway::ui
