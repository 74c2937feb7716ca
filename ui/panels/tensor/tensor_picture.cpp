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

double numberAt(const TensorContent& content, int64_t index) {
  return index < 0 || index >= content.count() ? 0 : content.number(index);
}

std::vector<double> samplesOf(const PictureWish& wish) {
  const int channels = wish.kind == PictureKind::kRgb ? 3 : 1;
  const int64_t rows = wish.slice.rows(), columns = wish.slice.columns();
  const int64_t step = std::max<int64_t>(1, rows * columns * channels / kSamples);
  std::vector<double> samples;
  TensorSlice slice = wish.slice;
  for (int channel = 0; channel < channels; ++channel) {
    if (wish.kind == PictureKind::kRgb) slice.fixed[static_cast<size_t>(wish.channelAxis)] = channel;
    for (int64_t i = 0; i < rows * columns; i += step)
      if (const int64_t at = slice.index(i / columns, i % columns); at >= 0 && at < wish.content->count())
        samples.push_back(wish.content->number(at));
  }
  return samples;
}

}  // namespace

QString TensorPicture::valueText(int x, int y) const {
  const int64_t row = y * rowStep, column = x * columnStep;
  const int64_t at = element(x, y);
  if (at < 0 || at >= wish.content->count()) return {};
  if (wish.kind != PictureKind::kRgb)
    return QStringLiteral("%1 = %2").arg(placeText(wish.slice.place(row, column)), text(wish.content->text(at)));
  QStringList parts;
  TensorSlice slice = wish.slice;
  for (int64_t channel = 0; channel < 3; ++channel) {
    slice.fixed[static_cast<size_t>(wish.channelAxis)] = channel;
    parts << text(wish.content->text(slice.index(row, column)));
  }
  return QStringLiteral("(%1, %2) = %3").arg(row).arg(column).arg(parts.join(QStringLiteral(" / ")));
}

TensorPicture makePicture(const PictureWish& wish) {
  TensorPicture made{.wish = wish};
  const int64_t rows = wish.slice.rows(), columns = wish.slice.columns();
  if (!wish.content || !wish.content->isNumeric() || rows <= 0 || columns <= 0 || wish.content->count() <= 0)
    return made;
  made.rowStep = stepFor(rows);
  made.columnStep = stepFor(columns);
  made.scale = scaleOf(samplesOf(wish), wish.range);
  const TensorContent& content = *wish.content;
  made.image = QImage(static_cast<int>((columns + made.columnStep - 1) / made.columnStep),
                      static_cast<int>((rows + made.rowStep - 1) / made.rowStep), QImage::Format_ARGB32);
  std::array<TensorSlice, 3> planes = {wish.slice, wish.slice, wish.slice};
  for (size_t channel = 0; channel < 3 && wish.kind == PictureKind::kRgb; ++channel)
    planes[channel].fixed[static_cast<size_t>(wish.channelAxis)] = static_cast<int64_t>(channel);
  for (int y = 0; y < made.image.height(); ++y) {
    auto* line = reinterpret_cast<QRgb*>(made.image.scanLine(y));
    for (int x = 0; x < made.image.width(); ++x) {
      const int64_t row = y * made.rowStep, column = x * made.columnStep;
      const int64_t at = planes[0].index(row, column);
      if (at < 0) {
        line[x] = 0;
        continue;
      }
      if (wish.kind == PictureKind::kHeat) line[x] = made.scale.color(numberAt(content, at));
      if (wish.kind == PictureKind::kGrey) line[x] = made.scale.grey(numberAt(content, at));
      if (wish.kind == PictureKind::kRgb) {
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
