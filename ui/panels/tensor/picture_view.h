#pragma once
// Shows a tensor's picture: fits, zooms to single elements, writes their numbers when there is room, tells the value
// under the pointer.
//
// Keys: + and - zoom, 0 fits, arrows move from element to element. Thread rule: GUI thread.
// Example: view->present(picture);  connect(view, &PictureView::pointed, label, &QLabel::setText);

#include <QWidget>

#include "ui/panels/tensor/tensor_picture.h"

namespace cutaway::ui {

class ThemeStore;

class PictureView : public QWidget {
  Q_OBJECT
 public:
  explicit PictureView(const ThemeStore* themes, QWidget* parent = nullptr);
  void present(TensorPicture picture, bool keepPlace);
  const TensorPicture& picture() const { return m_picture; }
  double zoom() const { return m_zoom; }
  void fit();
  void zoomAt(const QPointF& place, double factor);
  QPoint pixelAt(const QPointF& place) const;  // of the picture; may lie outside
  QSize sizeHint() const override { return {420, 320}; }

 signals:
  void pointed(const QString& words);  // empty: the pointer left

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QRectF room() const;  // without the legend
  void paintNumbers(QPainter& painter) const;
  void paintLegend(QPainter& painter) const;
  void point(const QPoint& pixel);

  const ThemeStore* m_themes;
  TensorPicture m_picture;
  double m_zoom = 1;
  QPointF m_origin;  // of the picture in the widget
  bool m_fitted = true;
  QPoint m_pixel{-1, -1};
  QPointF m_grip;
};

}  // namespace cutaway::ui
