#pragma once
// A PNG written row by row, so that a picture may be larger than memory.
//
// Thread rule: one thread. Example: PngStream png(file, size, 1);  CUTAWAY_CHECK(png.writeRow(rgb));  ...  return
// png.finish();

#include <memory>

#include <QIODevice>
#include <QSize>

#include "engine/base/result.h"

namespace cutaway::ui {

// FAIL with what to do about it.
tl::unexpected<Error> noMemoryForPng(const QSize& size);

class PngStream {
 public:
  // scale: pixels per unit, told to readers as resolution (96 dots an inch at 1).
  PngStream(QIODevice& file, const QSize& size, double scale);
  ~PngStream();

  Result<void> writeRow(const uchar* rgb);  // three bytes a pixel; FAIL: what the device said, or noMemoryForPng()
  Result<void> finish();

 private:
  struct Writer;
  std::unique_ptr<Writer> m_writer;
};

}  // namespace cutaway::ui
