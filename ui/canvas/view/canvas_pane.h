#pragma once
// The canvas of one document: follows its stage, its snapshots and its selection; folds, enters bodies, finds.
//
// Thread rule: GUI thread; scenes are built on a worker.
// Example: auto* pane = new CanvasPane(document, themes, viewState, this);  pane->openFind();

#include <QHash>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/base/graph_target.h"
#include "ui/canvas/view/scene_loader.h"
#include "ui/canvas/view_transform.h"

namespace cutaway::ui {

class CanvasBar;
class Document;
class FindBar;
class GraphView;
class Legend;
class Minimap;
class ThemeStore;
class ViewState;
struct Overlay;
enum class OverlayKind;

class CanvasPane : public QWidget {
  Q_OBJECT
 public:
  CanvasPane(Document* document, ThemeStore* themes, ViewState* viewState, QWidget* parent = nullptr);
  ~CanvasPane() override;

  GraphView* view() { return m_view; }
  FindBar* findBar() { return m_find; }
  int graph() const { return m_graph; }
  OverlayKind overlayKind() const;
  const LoadedScene& loaded() const { return m_loaded; }
  bool loading() const { return m_loader.busy(); }

  void openFind();
  void enterGraph(int graph);
  void leaveGraph();
  void setOverlay(OverlayKind kind);  // until the stage changes
  void foldAll();
  void unfoldAll();
  void toggleMinimap();
  void setWheelZooms(bool zooms);

 signals:
  void sceneShown();
  void busyChanged();
  void nodeMenuRequested(const cutaway::ui::NodeTarget& target, const QPoint& globalPosition);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Anchor {
    int node = -1;   // in the new scene
    QPointF before;  // where it, or what it came from, stood in the old one
  };
  Anchor anchorFor(const LoadedScene& next) const;
  void connectView();
  void connectBar();
  void documentChanged();
  void requestScene(bool keepPlace);
  void showScene(const LoadedScene& loaded);
  void refreshLook();
  void refreshHighlights();
  void refreshTrail();
  void revealSelection();
  void activate(int item);
  void requestMenu(int item, const QPoint& globalPosition);
  void moveSelection(int key);
  void search();
  void stepHit(int by);
  void placeOverlays();
  void placeFirst();
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
  FindBar* m_find;
  std::unique_ptr<Overlay> m_overlay;
  std::optional<OverlayKind> m_chosenOverlay;
  std::shared_ptr<const ModelGraphs> m_graphs;   // what the scene was asked for
  std::shared_ptr<const ModelGraphs> m_indexed;  // what the find index is of
  std::shared_ptr<const FindIndex> m_findIndex;
  GraphVersion m_version = GraphVersion::kLoaded;
  int m_graph = 0;
  std::vector<int> m_trail = {0};
  QHash<int, QSet<QString>> m_unfolded;          // per graph, once it was shown
  FindQuery m_query;
  std::vector<FindHit> m_hits;
  int m_hit = -1;
  bool m_placeWanted = true;                     // show the start of the graph once there is a scene
  bool m_revealWanted = false;
};

}  // namespace cutaway::ui
