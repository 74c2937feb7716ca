#pragma once
// The canvas of one document: follows its stage, its snapshots and its selection; folds, enters bodies, finds.
//
// Thread rule: GUI thread; scenes are built on a worker.
// Example: auto* pane = new CanvasPane(document, themes, viewState, this);  pane->openFind();

#include <map>
#include <optional>
#include <vector>

#include <QHash>
#include <QTimer>
#include <QWidget>

#include "engine/base/result.h"
#include "ui/base/graph_target.h"
#include "ui/canvas/find_index.h"
#include "ui/canvas/opened_groups.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/view/canvas_settings.h"
#include "ui/canvas/view/canvas_trail.h"
#include "ui/canvas/view/scene_loader.h"
#include "ui/canvas/view_transform.h"

class QLabel;

namespace cutaway {
struct ModelDiff;
}

namespace cutaway::ui {

class CanvasBar;
class Document;
class CanvasFinder;
class CanvasPlaces;
class FindBar;
class GraphView;
class Legend;
class Minimap;
class ThemeStore;
class ViewState;

class CanvasPane : public QWidget {
  Q_OBJECT
 public:
  CanvasPane(Document* document, ThemeStore* themes, ViewState* viewState, QWidget* parent = nullptr);
  ~CanvasPane() override;

  GraphView* view() { return m_view; }
  FindBar* findBar();
  CanvasPlaces* places() { return m_places; }
  int graph() const { return m_trail.graph(); }
  QString overlayId() const;
  const LoadedScene& loaded() const { return m_loaded; }
  bool loading() const { return m_loader.busy(); }

  void openFind();
  void enterGraph(int graph);
  void leaveGraph();
  void setOverlay(const QString& id);  // until the stage changes; empty: what the stage shows
  // What the overlay "diff" colours; sideA: this graph is the left one. null: nothing is compared.
  void setDifference(std::shared_ptr<const ModelDiff> diff, bool sideA);
  // How graphs are shown; remembered, and taken over by other panes when they come to sight.
  const CanvasSettings& settings() const { return m_settings; }
  void setSettings(const CanvasSettings& settings);
  // Opens a folded scope, or the body of a node in its place; folds what holds the selection.
  void unfold(int item);
  void foldBox(int box);
  void unfoldSelected();
  void foldSelected();
  // Paths of what is open in the shown graph, for bookmarks and sessions.
  QStringList unfoldedPaths() const;
  void setUnfoldedPaths(const QStringList& paths);
  void foldAll();
  void unfoldAll();
  void toggleMinimap();
  void setWheelZooms(bool zooms);

 signals:
  void sceneShown();
  void busyChanged();
  void noted(const QString& words);  // for the status line
  void nodeMenuRequested(const cutaway::ui::NodeTarget& target, const QPoint& globalPosition);
  void groupMenuRequested(int item, const QPoint& globalPosition);  // of a folded scope, whose nodes are selected

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QSet<QString>& unfolded() { return m_unfolded[foldKey()]; }
  int foldKey() const { return graph() * kGroupingCount + static_cast<int>(m_settings.grouping); }
  // What is seen of a scene, whatever size the view gets.
  struct Place {
    std::shared_ptr<const Scene> scene;  // null: none was placed yet
    QPointF middle;
    double scale = 1;
  };
  struct Placing {
    ViewTransform transform;
    bool same = false;  // the scene has what the one before had, where it had it
  };
  bool showsGraphs() const { return m_loaded.scene && m_loaded.scene->graphs == m_opened.graphs; }
  // What an item is about: of a node inside a compiled group the optimised node.
  NodeTarget targetOf(const SceneItem& item, int node) const;
  int firstItemOf(int ofGraph, int node) const;
  void makeOverlays(const ProviderMarks& marks);
  void connectView();
  void connectBar();
  void documentChanged();
  void requestScene(bool keepPlace);
  void showScene(const LoadedScene& loaded);
  void showFailure(const Error& error);
  void leaveScene();
  Place here() const;
  bool isMoved() const;
  void dropPlace();
  std::optional<Placing> placingOf(const Scene& scene) const;
  void refreshLook();
  void refreshTheme();
  void refreshHighlights();
  void refreshPlayed();
  void refreshTrail();
  void revealSelection();
  void openWay();
  void activate(int item);
  void requestMenu(int item, const QPoint& globalPosition);
  void selectGroup(int item);
  void moveSelection(int key);
  void placeOverlays();
  double coveredByCards(const QRect& place) const;
  void placeFirst();
  void followSize();
  int currentItem() const;

  Document* m_document;
  ThemeStore* m_themes;
  ViewState* m_viewState;
  SceneLoader m_loader;
  LoadedScene m_loaded;
  CanvasBar* m_bar;
  GraphView* m_view;
  Minimap* m_minimap;
  Legend* m_legend;
  QLabel* m_failure;  // why there is no scene, in its place
  CanvasFinder* m_finder;
  CanvasPlaces* m_places;
  std::unique_ptr<Overlay> m_overlay;
  std::map<int, Overlay> m_bodyOverlays;  // of bodies unfolded in place, by graph
  std::optional<QString> m_chosenOverlay;
  std::shared_ptr<const ModelGraphs> m_graphs;  // of the document
  OpenedGroups m_opened;                        // what the scene was asked for: these with the insides of groups
  bool m_openWanted = false;                    // with the next scene all compiled groups are opened
  GraphVersion m_version = GraphVersion::kLoaded;
  CanvasTrail m_trail;
  CanvasSettings m_settings;
  QHash<int, QSet<QString>> m_unfolded;  // per graph and grouping, once it was shown
  QString m_foldedPath;                  // that the scene being built folds or unfolds: it stays under the eye
  int m_playedStep = -1;                 // that was brought into sight
  std::shared_ptr<const ModelDiff> m_diff;
  bool m_diffSideA = true;
  std::optional<Place> m_kept;    // as the user left it before or within the present walk: its scenes are placed by it
  std::optional<Place> m_placed;  // as we placed the view; anything else is the user's
  bool m_placeWanted = true;      // show the start of the graph once there is a scene
  bool m_revealWanted = false;
  bool m_readableWanted = false;  // and large enough to be read
  bool m_fitWanted = false;       // the scene being built is to be seen whole
  QTimer m_resized;
  std::optional<FindHit> m_wayWanted;  // found, and not yet seen to be in the open
};

}  // namespace cutaway::ui
