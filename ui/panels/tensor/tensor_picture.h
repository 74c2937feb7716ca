#pragma once
// A tensor's slice as a picture: grey, three channels as red, green and blue, or heat.
//
// Thread rule: pure; made on a worker. Large slices are sampled, `rowStep` and `columnStep` tell how.
// Example: const TensorPicture picture = makePicture({.content = content, .slice = slice, .kind = PictureKind::kHeat});

#include <array>
#include <memory>

#include <QImage>
#include <QString>

#include "engine/study/tensor/tensor_content.h"
#include "ui/panels/tensor/tensor_slice.h"
#include "ui/panels/tensor/value_scale.h"

namespace cutaway::ui {

enum class PictureKind { kGrey, kRgb, kHeat };

struct TensorPictureRequest {
  std::shared_ptr<const study::TensorContent> content;
  TensorSlice slice;
  int channelAxis = -1;  // of kRgb: its first three
  PictureKind kind = PictureKind::kHeat;
  ScaleRange range = ScaleRange::kRobust;
};

struct TensorPicture {
  TensorPictureRequest request;
  QImage image;  // one pixel for a sampled element
  int64_t rowStep = 1, columnStep = 1;
  ValueScale scale;

  bool valid() const { return !image.isNull(); }
  // The element under a pixel; -1: none.
  int64_t element(int x, int y) const { return request.slice.index(y * rowStep, x * columnStep); }
  QString valueText(int x, int y) const;  // "[0, 3, 17] = 0.25"
};

inline constexpr int64_t kMostPixels = 2048;  // of a side

TensorPicture makePicture(const TensorPictureRequest& request);

}  // namespace cutaway::ui
