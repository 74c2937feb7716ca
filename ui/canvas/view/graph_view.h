#pragma once
// The drawing surface: shows a scene, pans, zooms, says what was pointed at.
//
// Plain wheel scrolls, Ctrl+wheel zooms at the pointer, middle or Space drag and dragging the empty canvas pan, Space
// fits, Shift+Up/Down zoom, Shift+Backspace is 100 %. Thread rule: GUI thread. Example: view->setScene(scene);
// view->setLook(std::move(look));  connect(view, &GraphView::itemClicked, ...);

#include <memory>
#include <optional>

#include <QElapsedTimer>
#include <QImage>
#include <QTimer>
#include <QWidget>

#include "ui/canvas/scene_look.h"
#include "ui/canvas/scene_morph.h"
#include "ui/canvas/view/tile_cache.h"
#include "ui/canvas/view_transform.h"

namespace cutaway::ui {

class GraphView : public QWidget {
  Q_OBJECT
 public:
  explicit GraphView(QWidget* parent = nullptr);

  // Keeps the transform. morphShift: from places of the present scene to the same places in the new one; the picture
  // then goes over into the new one, unless that would be too much.
  void setScene(std::shared_ptr<const Scene> scene, const std::optional<QPointF>& morphShift = std::nullopt);
  void setLook(SceneLook look);                // colours changed: tiles are painted again
  void setTheme(const Theme& theme);           // likewise, and nothing else
  void setHighlights(const SceneLook& look);   // selection, hits: tiles stay
  void setPlayed(std::vector<Played> played);  // execution on the graph: tiles stay
  const Scene* scene() const { return m_scene.get(); }
  std::shared_ptr<const Scene> sharedScene() const { return m_scene; }
  const SceneLook& look() const { return m_look; }

  const ViewTransform& transform() const { return m_transform; }
  void setTransform(const ViewTransform& transform);
  void fit();
  void showStart();                               // as a model is first shown
  enum class Placed { kByHand, kStart, kWhole };  // what stands as it was placed may be placed anew
  Placed placed() const { return m_placed; }
  void zoom(double factor);
  void zoomTo(double scale);
  void reveal(const QRectF& rect);        // pans only when it is out of sight
  void showReadable(const QRectF& rect);  // what was looked for: in the middle, and large enough to be read
  bool wheelZooms() const { return m_wheelZooms; }
  void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }

  void setMotion(bool motion) { m_motion = motion; }  // false: nothing moves by itself
  bool morphing() const { return m_morph != nullptr; }

  // Time the last frame took to paint, for the benchmark.
  qint64 lastFrameNs() const { return m_lastFrameNs; }
  bool complete() const { return m_complete && !m_morph; }

 signals:
  void itemClicked(int item, Qt::KeyboardModifiers modifiers);
  void itemActivated(int item);  // double click
  void netClicked(int net);
  void menuRequested(int item, const QPoint& globalPosition);  // item -1: asked for by key
  void boxFolded(int box);
  void bodyToggled(int item);  // the node's body is to be unfolded in its place
  void emptyClicked();
  void transformChanged();
  void fitted();
  void framePainted();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void keyReleaseEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void changeTransform(const ViewTransform& transform, Placed placed = Placed::kByHand);
  double smallestScale() const;
  bool needsTiles(const QRectF& window) const;
  void hover(const QPointF& position);
  void hoverNet(int net);
  bool paintMorphFrame(QPainter& painter, const QRectF& window);

  std::shared_ptr<const Scene> m_scene;
  SceneLook m_look;
  ViewTransform m_transform;
  Placed m_placed = Placed::kStart;
  TileCache m_tiles;
  bool m_wheelZooms = false;
  bool m_panning = false;
  bool m_moved = false;
  bool m_spaceDown = false;
  bool m_spaceDragged = false;
  QPointF m_pressed;
  QPointF m_last;
  // The picture without selection and pointer, kept while only those change.
  struct Still {
    QImage image;
    ViewTransform transform;
    bool wanted = false;  // the view stood still for a frame
  };
  void paintStill(QPainter& painter, const QRectF& window);

  Still m_still;
  std::unique_ptr<SceneMorph> m_morph;
  SceneLook m_lookBefore;
  QElapsedTimer m_morphClock;  // runs from the first frame on
  QTimer m_frames;
  bool m_motion = true;
  qint64 m_lastFrameNs = 0;
  bool m_complete = true;
};

}  // namespace cutaway::ui
