#pragma once
// A rewrite as two small pictures: the original nodes that it touched with the lines between them, and what is left of
// them after optimising.
//
// Thread rule: the geometry is pure; the widget belongs to the GUI thread.
// Example: view->present(smallGraph(*walk.loadedGraphs, nodes), smallGraph(*walk.optimizedGraphs, later));

#include <vector>

#include <QString>
#include <QWidget>

#include "engine/report/graph_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class ThemeStore;

// Nodes in rows: each below what it reads; places count in columns and rows.
struct SmallGraph {
  struct Box {
    NodeTarget node;
    QString title, name;
    int row = 0, column = 0;
  };
  std::vector<Box> boxes;
  std::vector<std::pair<int, int>> lines;  // from box, to box
  int rows = 0, columns = 0;
  int left = 0;  // nodes that found no room
};
SmallGraph smallGraph(const ModelGraphs& graphs, const std::vector<NodeTarget>& nodes);

class RewritePicture : public QWidget {
  Q_OBJECT
 public:
  explicit RewritePicture(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(SmallGraph before, SmallGraph after, const QString& pass, const QString& note);
  void clear();
  const SmallGraph& before() const { return m_before; }
  const SmallGraph& after() const { return m_after; }
  QSize sizeHint() const override { return {420, 190}; }
  QSize minimumSizeHint() const override { return {240, 120}; }
  QRectF boxRect(bool after, int box) const;

 signals:
  void nodeChosen(const cutaway::ui::NodeTarget& node);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  QRectF half(bool after) const;
  const SmallGraph::Box* boxAt(const QPointF& position) const;
  void paintSide(QPainter& painter, bool after) const;

  const ThemeStore* m_themes;
  SmallGraph m_before, m_after;
  QString m_pass, m_note;
  bool m_filled = false;
};

}  // namespace cutaway::ui
