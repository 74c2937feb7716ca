#pragma once
// The strip above the graph: where we are (breadcrumbs), what colours mean, folding and zoom.
//
// Thread rule: GUI thread. Example: bar->setTrail({{0, "main graph"}, {3, "then_branch of If 'gate'"}});

#include <vector>

#include <QWidget>

#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_settings.h"
#include "ui/document/document.h"

class QButtonGroup;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace cutaway::ui {

struct Theme;

struct Crumb {
  int graph = 0;
  QString title;
};

class CanvasBar : public QWidget {
  Q_OBJECT
 public:
  explicit CanvasBar(QWidget* parent = nullptr);
  void setTheme(const Theme& theme);
  void setTrail(const std::vector<Crumb>& trail);
  void setOverlay(const QString& id);
  void setScale(double scale);
  void setGrouping(const CanvasSettings& settings);
  // The switch between the two sides of a comparison; without one it is hidden.
  void setComparison(bool shown, Side side);

 signals:
  void graphChosen(int graph);
  void overlayChosen(const QString& id);
  void settingsChosen(const cutaway::ui::CanvasSettings& settings);
  void foldAllRequested();
  void unfoldAllRequested();
  void zoomRequested(double factor);
  void fitRequested();
  void actualSizeRequested();
  void findRequested();
  void sideChosen(cutaway::ui::Side side);
  void comparisonClosed();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void makeSides();
  void makeSettings();
  void fillSettings();
  void fit();  // hides and shortens until nothing overlaps
  void nameCrumbs(int letters);
  QToolButton* addButton(const char* icon, const QString& tip, void (CanvasBar::*signal)());

  QHBoxLayout* m_crumbs;
  QComboBox* m_overlay;
  QToolButton* m_scale;
  QToolButton* m_shape = nullptr;  // how graphs are shown
  CanvasSettings m_settings;
  QWidget* m_comparison;
  QButtonGroup* m_sides;
  std::vector<std::pair<QToolButton*, QString>> m_icons;
  QHBoxLayout* m_row;
  std::vector<std::pair<QToolButton*, QString>> m_trail;  // with the whole title
  std::vector<std::vector<QWidget*>> m_givingWay;         // in the order in which they do
};

}  // namespace cutaway::ui
