#pragma once
// A sweep in a tab of the window: controls, the matrix, and the page about the cell that is chosen.
//
// Files are read on a thread; nothing here waits for them. Thread rule: GUI thread. Example:
//   auto* page = new SweepTab(themes, viewState);
//   page->open("nightly.sweep/results.sqlite");
//   connect(page, &SweepTab::modelRequested, window, ...);

#include <QWidget>

#include "ui/sweep/sweep_faces.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QTextBrowser;

namespace cutaway::ui {

class EmptyState;
class SweepGrid;
class ThemeStore;
class ViewState;

class SweepTab : public QWidget {
  Q_OBJECT
 public:
  SweepTab(ThemeStore* themes, ViewState* viewState, QWidget* parent = nullptr);

  // A file of results, a plan or a sweep's folder.
  void open(const QString& named);
  QString path() const;                               // of the file of results
  QString title() const;                              // "nightly"
  const SweepPart& sweep() const { return m_sweep; }  // null until it was read
  SweepGrid* grid() { return m_grid; }
  void compareWith(const QString& file);  // another file of results
  void setView(SweepView view);

 signals:
  // The model of a cell, in the cell's configuration: the text of a configuration file.
  void modelRequested(const QString& file, const QString& configuration);
  void shown();  // what was read is there, or the reason why it is not

 private:
  QWidget* makeControls();
  QWidget* makeDetails();
  void read(SweepRequest request);
  void present(const Result<SweepPart>& read);
  void fillPrograms();
  void showFaces();
  void showCell();
  void showTrend(const sweep::Trend& trend);
  void chooseBaseline(int index);
  void openModel();
  const sweep::CellResult* chosenResult() const;

  ThemeStore* m_themes;
  ViewState* m_viewState;
  SweepRequest m_request;
  SweepPart m_sweep;
  sweep::Trend m_trend;
  int m_reading = 0;  // which reading is the latest
  QComboBox* m_view;
  QComboBox* m_program;
  QComboBox* m_baseline;
  QPushButton* m_reload;
  QPushButton* m_open;
  QLabel* m_summary;
  QLabel* m_legend;
  SweepGrid* m_grid;
  QTextBrowser* m_details;
  EmptyState* m_empty;
  QStackedLayout* m_stack;
};

}  // namespace cutaway::ui
