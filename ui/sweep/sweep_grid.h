#pragma once
// The matrix of a sweep: models down, configurations across, heads that stay in sight. Only what is in sight is
// painted.
//
// Drag, wheel and arrows move; Ctrl+wheel, + and - change the size of cells, 0 gives it back; a click or an arrow
// chooses a cell, Enter or a double click opens it. Thread rule: GUI thread. Example:
//   grid->present(rowTitles(*sweep), columnTitles(*sweep), sweepFaces(*sweep, view, theme));
//   connect(grid, &SweepGrid::chosen, ...);

#include <QAbstractScrollArea>

#include "ui/sweep/sweep_faces.h"

namespace cutaway::ui {

class ThemeStore;

class SweepGrid : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit SweepGrid(const ThemeStore* themes, QWidget* parent = nullptr);

  // Keeps the place and the cell that is chosen where the matrix has the same size.
  void present(QStringList rows, QStringList columns, std::vector<SweepFace> faces);
  void choose(int row, int column);
  int row() const { return m_row; }  // of the cell that is chosen; -1: none
  int column() const { return m_column; }
  QString wordsAt(int row, int column) const;
  QRect cellRect(int row, int column) const;  // in the viewport
  void setZoom(double zoom);
  double zoom() const { return m_zoom; }

 signals:
  void chosen(int row, int column);
  void opened(int row, int column);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  QPoint cellAt(const QPoint& point) const;  // x: column, y: row; -1: none
  const SweepFace& face(int row, int column) const;
  void measure();
  void paintCells(QPainter& painter, const QRect& sight) const;
  void paintHeads(QPainter& painter, const QRect& sight) const;
  void ensureInSight();

  const ThemeStore* m_themes;
  QStringList m_rows, m_columns;
  std::vector<SweepFace> m_faces;
  double m_zoom = 1;
  QSize m_cell, m_head;  // of one cell; of the heads: width of the left one, height of the upper one
  int m_row = -1, m_column = -1;
  QPoint m_pressed, m_scrolled;  // where a drag began, and where the page stood
  bool m_dragging = false;
};

}  // namespace cutaway::ui
