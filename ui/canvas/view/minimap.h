#pragma once
// The whole graph small, with a frame around what the view shows; click and drag move the view.
//
// Thread rule: GUI thread. Example: minimap->follow(view);

#include <vector>

#include <QPixmap>
#include <QWidget>

#include "ui/canvas/view/graph_view.h"

namespace cutaway::ui {

// A bookmark on the map.
struct MinimapFlag {
  int digit = 0;
  QPointF point;  // scene units
};

class Minimap : public QWidget {
  Q_OBJECT
 public:
  explicit Minimap(QWidget* parent = nullptr);
  void follow(GraphView* view);
  void refresh();  // scene or colours changed
  void setFlags(std::vector<MinimapFlag> flags) {
    m_flags = std::move(flags);
    update();
  }
  // The size that suits the scene within the given room; invalid: nothing to show.
  QSize wantedSize(const QSize& room) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent*) override { refresh(); }

 private:
  void moveView(const QPointF& position);
  void drawGraph();
  void drawFlags(QPainter& painter) const;
  QPointF scales() const;  // pixels per unit, across and down: very long graphs are widened

  GraphView* m_view = nullptr;
  QPixmap m_picture;
  std::vector<MinimapFlag> m_flags;
};

}  // namespace cutaway::ui
