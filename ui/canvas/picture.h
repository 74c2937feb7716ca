#pragma once
// A scene as a picture in a file: PNG of any size, written band by band, or SVG; with a legend, in light or dark, whole
// or in part.
//
// The file's size in memory never matters: a PNG is painted in tiles and handed on row by row. What a picture will
// measure is known before. Thread rule: any thread with a QGuiApplication about; one call at a time on one picture.
// Example: const Picture picture({.scene = scene, .overlay = overlay, .scale = 4});  show(picture.pixels());
// CUTAWAY_CHECK(picture.writePng(file, cancel, nullptr));

#include <atomic>
#include <memory>

#include <QIODevice>
#include <QImage>

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

struct PictureRequest {
  std::shared_ptr<const Scene> scene;
  Overlay overlay;
  bool dark = false;
  bool legend = true;
  QRectF part;                            // in scene units; empty: the whole scene
  double scale = 1;                       // pixels per unit of a PNG
  std::vector<ItemFigures> figures = {};  // per item, for the cards of groups; empty: none
};

class Picture {
 public:
  explicit Picture(PictureRequest request);

  QSizeF size() const { return m_size; }  // in units, with the legend
  QSize pixels() const;                   // of a PNG

  // INVALID_ARGUMENT: larger than the format can say; FAIL with the device's words; MODEL_LOAD_CANCELED. `permille`
  // follows the work.
  Result<void> writePng(QIODevice& file, const CancelToken& cancel, std::atomic<int>* permille) const;
  Result<void> writeSvg(QIODevice& file, const CancelToken& cancel) const;
  // A tile of it: `tile` in pixels. The whole of a large picture does not fit into memory.
  QImage image(const QRect& tile, const CancelToken& cancel) const;

 private:
  void paint(QPainter& painter, const QRectF& window, double scale, const CancelToken& cancel) const;

  PictureRequest m_request;
  SceneLook m_look;
  QRectF m_part;
  QSizeF m_legend;
  QSizeF m_size;
};

}  // namespace cutaway::ui
