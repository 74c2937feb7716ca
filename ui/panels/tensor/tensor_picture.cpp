#include "ui/panels/tensor/tensor_picture.h"

#include <algorithm>
#include <cmath>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr int64_t kSamples = 40'000;  // numbers that the range is taken from

int64_t stepFor(int64_t length) {
  return std::max<int64_t>(1, (length + kMostPixels - 1) / kMostPixels);
}

double numberAt(const study::TensorContent& content, int64_t index) {
  return index < 0 || index >= content.count() ? 0 : content.number(index);
}

std::vector<double> samplesOf(const TensorPictureRequest& request) {
  const int channels = request.kind == PictureKind::kRgb ? 3 : 1;
  const int64_t rows = request.slice.rows(), columns = request.slice.columns();
  const int64_t step = std::max<int64_t>(1, rows * columns * channels / kSamples);
  std::vector<double> samples;
  TensorSlice slice = request.slice;
  for (int channel = 0; channel < channels; ++channel) {
    if (request.kind == PictureKind::kRgb) slice.fixed[static_cast<size_t>(request.channelAxis)] = channel;
    for (int64_t i = 0; i < rows * columns; i += step)
      if (const int64_t at = slice.index(i / columns, i % columns); at >= 0 && at < request.content->count())
        samples.push_back(request.content->number(at));
  }
  return samples;
}

}  // namespace

QString TensorPicture::valueText(int x, int y) const {
  const int64_t row = y * rowStep, column = x * columnStep;
  const int64_t at = element(x, y);
  if (at < 0 || at >= request.content->count()) return {};
  if (request.kind != PictureKind::kRgb)
    return QStringLiteral("%1 = %2").arg(placeText(request.slice.place(row, column)), text(request.content->text(at)));
  QStringList parts;
  TensorSlice slice = request.slice;
  for (int64_t channel = 0; channel < 3; ++channel) {
    slice.fixed[static_cast<size_t>(request.channelAxis)] = channel;
    parts << text(request.content->text(slice.index(row, column)));
  }
  return QStringLiteral("(%1, %2) = %3").arg(row).arg(column).arg(parts.join(QStringLiteral(" / ")));
}

TensorPicture makePicture(const TensorPictureRequest& request) {
  TensorPicture made{.request = request};
  const int64_t rows = request.slice.rows(), columns = request.slice.columns();
  if (!request.content || !request.content->isNumeric() || rows <= 0 || columns <= 0 || request.content->count() <= 0)
    return made;
  made.rowStep = stepFor(rows);
  made.columnStep = stepFor(columns);
  made.scale = scaleOf(samplesOf(request), request.range);
  const study::TensorContent& content = *request.content;
  made.image = QImage(static_cast<int>((columns + made.columnStep - 1) / made.columnStep),
                      static_cast<int>((rows + made.rowStep - 1) / made.rowStep), QImage::Format_ARGB32);
  std::array<TensorSlice, 3> planes = {request.slice, request.slice, request.slice};
  for (size_t channel = 0; channel < 3 && request.kind == PictureKind::kRgb; ++channel)
    planes[channel].fixed[static_cast<size_t>(request.channelAxis)] = static_cast<int64_t>(channel);
  for (int y = 0; y < made.image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(made.image.scanLine(y));
    for (int x = 0; x < made.image.width(); ++x) {
      const int64_t row = y * made.rowStep, column = x * made.columnStep;
      const int64_t at = planes[0].index(row, column);
      if (at < 0) {
        line[x] = 0;
        continue;
      }
      if (request.kind == PictureKind::kHeat) line[x] = made.scale.color(numberAt(content, at));
      if (request.kind == PictureKind::kGrey) line[x] = made.scale.grey(numberAt(content, at));
      if (request.kind == PictureKind::kRgb) {
        std::array<double, 3> numbers{};
        for (size_t channel = 0; channel < 3; ++channel)
          numbers[channel] = numberAt(content, planes[channel].index(row, column));
        const bool any = std::any_of(numbers.begin(), numbers.end(), [](double each) { return std::isnan(each); });
        line[x] = any ? kNotANumberInGrey
                      : qRgb(qRed(made.scale.grey(numbers[0])), qRed(made.scale.grey(numbers[1])),
                             qRed(made.scale.grey(numbers[2])));
      }
    }
  }
  return made;
}

}  // namespace cutaway::ui
