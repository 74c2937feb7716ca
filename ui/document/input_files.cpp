#include "ui/document/input_files.h"

#include <algorithm>

#include <QDir>
#include <QFileInfo>
#include <QImageReader>

#include "engine/session/model_files.h"
#include "ui/base/format.h"
#include "ui/document/sequence_files.h"

namespace cutaway::ui {
namespace {

const QStringList kTensorEndings = {QStringLiteral("npy"), QStringLiteral("pb")};
const QStringList kPictureEndings = {QStringLiteral("png"),  QStringLiteral("jpg"), QStringLiteral("jpeg"),
                                     QStringLiteral("bmp"),  QStringLiteral("ppm"), QStringLiteral("pgm"),
                                     QStringLiteral("webp"), QStringLiteral("gif")};
constexpr int kMostPixels = 1 << 14;  // of a side

QString endingOf(const QString& file) {
  return QFileInfo(file).suffix().toLower();
}

// Where an input has its channels, rows and columns; -1: any size.
struct PictureShape {
  bool channelsLast = false;
  int64_t batch = 1, channels = 3, height = -1, width = -1;
  bool hasBatch = true;
};

Result<PictureShape> pictureShape(const ValueType& type, const PictureRecipe& recipe) {
  if (!type.isTensor() || (type.element != ElementType::kFloat && type.element != ElementType::kUint8))
    return fail(ErrorCode::kInvalidArgument,
                "a picture becomes float or uint8, and this input is {}: give .npy or .pb files", toText(type));
  PictureShape shape{.channelsLast = recipe.channelsLast};
  if (!type.shape) return shape;
  const size_t rank = type.shape->rank();
  if (rank != 3 && rank != 4)
    return fail(ErrorCode::kInvalidArgument,
                "a picture has 3 or 4 dimensions, and this input is {}: give .npy or .pb files", toText(type));
  const size_t first = rank - 3;
  const auto size = [&](size_t axis) { return (*type.shape)[axis].value(); };
  const auto isChannels = [](int64_t count) { return count == 1 || count == 3; };
  if (isChannels(size(first)))
    shape.channelsLast = false;
  else if (isChannels(size(rank - 1)))
    shape.channelsLast = true;
  const size_t channelAxis = shape.channelsLast ? rank - 1 : first;
  shape.hasBatch = rank == 4;
  if (shape.hasBatch && size(0) > 0) shape.batch = size(0);
  if (size(channelAxis) >= 0) shape.channels = size(channelAxis);
  if (!isChannels(shape.channels))
    return fail(ErrorCode::kInvalidArgument,
                "a picture has 1 or 3 channels, and this input is {}: give .npy or .pb files", toText(type));
  shape.height = size(shape.channelsLast ? first : first + 1);
  shape.width = size(shape.channelsLast ? first + 1 : first + 2);
  return shape;
}

Result<QImage> cut(QImage picture, const PictureShape& shape, const PictureRecipe& recipe) {
  const bool sized = shape.height > 0 && shape.width > 0;
  if (recipe.resize > 0) {
    const bool isWide = picture.width() >= picture.height();
    picture = isWide ? picture.scaledToHeight(recipe.resize, Qt::SmoothTransformation)
                     : picture.scaledToWidth(recipe.resize, Qt::SmoothTransformation);
  } else if (recipe.crop == 0 && sized) {
    picture = picture.scaled(static_cast<int>(shape.width), static_cast<int>(shape.height), Qt::IgnoreAspectRatio,
                             Qt::SmoothTransformation);
  }
  QSize wanted = picture.size();
  if (recipe.crop > 0)
    wanted = {recipe.crop, recipe.crop};
  else if (sized)
    wanted = {static_cast<int>(shape.width), static_cast<int>(shape.height)};
  if (wanted.width() > picture.width() || wanted.height() > picture.height())
    return fail(ErrorCode::kInvalidArgument,
                "the middle of {} x {} is larger than the picture of {} x {}: resize it to more, or crop less",
                wanted.width(), wanted.height(), picture.width(), picture.height());
  if ((shape.width > 0 && wanted.width() != shape.width) || (shape.height > 0 && wanted.height() != shape.height))
    return fail(ErrorCode::kInvalidArgument,
                "the picture becomes {} x {}, and the input takes {} x {}: change crop or resize", wanted.width(),
                wanted.height(), shape.width, shape.height);
  return picture.copy((picture.width() - wanted.width()) / 2, (picture.height() - wanted.height()) / 2, wanted.width(),
                      wanted.height());
}

// One channel of a pixel, 0 to 255.
int channelOf(QRgb pixel, int64_t channel, int64_t channels, bool blueFirst) {
  if (channels == 1) return qGray(pixel);
  const int64_t which = blueFirst ? 2 - channel : channel;
  return which == 0 ? qRed(pixel) : which == 1 ? qGreen(pixel) : qBlue(pixel);
}

template <typename T, typename Convert>
void fill(std::span<T> numbers, const QImage& picture, const PictureShape& shape, bool blueFirst,
          const Convert& convert) {
  const int64_t height = picture.height(), width = picture.width();
  const int64_t one = shape.channels * height * width;
  for (int64_t y = 0; y < height; ++y) {
    const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(static_cast<int>(y)));
    for (int64_t x = 0; x < width; ++x)
      for (int64_t c = 0; c < shape.channels; ++c) {
        const int64_t place = shape.channelsLast ? (y * width + x) * shape.channels + c : (c * height + y) * width + x;
        numbers[static_cast<size_t>(place)] = convert(channelOf(line[x], c, shape.channels, blueFirst), c);
      }
  }
  for (int64_t copy = 1; copy < shape.batch; ++copy)
    std::copy_n(numbers.begin(), one, numbers.begin() + copy * one);
}

Result<RuntimeValue> pictureTensor(const QString& file, const ValueType& type, const PictureRecipe& recipe) {
  CUTAWAY_TRY(const PictureShape shape, pictureShape(type, recipe));
  QImageReader reader(file);
  reader.setAutoTransform(true);
  const QSize size = reader.size();
  if (size.width() > kMostPixels || size.height() > kMostPixels)
    return fail(ErrorCode::kInvalidArgument, "the picture is {} x {}: at most {} a side are read", size.width(),
                size.height(), kMostPixels);
  QImage picture = reader.read();
  if (picture.isNull())
    return fail(ErrorCode::kInvalidArgument, "it cannot be read as a picture ({}): give PNG, JPEG, .npy or .pb",
                reader.errorString().toStdString());
  CUTAWAY_TRY(picture, cut(picture.convertToFormat(QImage::Format_RGB32), shape, recipe));
  std::vector<int64_t> dims = shape.channelsLast
                                  ? std::vector<int64_t>{picture.height(), picture.width(), shape.channels}
                                  : std::vector<int64_t>{shape.channels, picture.height(), picture.width()};
  if (shape.hasBatch) dims.insert(dims.begin(), shape.batch);
  CUTAWAY_TRY(Tensor tensor, Tensor::create(type.element, dims));
  if (type.element == ElementType::kUint8)
    fill(tensor.span<uint8_t>(), picture, shape, recipe.blueFirst,
         [](int value, int64_t) { return static_cast<uint8_t>(value); });
  else
    fill(tensor.span<float>(), picture, shape, recipe.blueFirst, [&](int value, int64_t channel) {
      const auto c = static_cast<size_t>(channel);
      return static_cast<float>((value / 255.0 - recipe.mean[c]) / recipe.deviation[c]);
    });
  return RuntimeValue(std::move(tensor));
}

}  // namespace

Result<std::array<double, 3>> readChannels(const QString& words) {
  const QStringList parts = words.split(QLatin1Char(','), Qt::SkipEmptyParts);
  std::array<double, 3> numbers{};
  bool good = parts.size() == 1 || parts.size() == 3;
  for (size_t i = 0; good && i < numbers.size(); ++i)
    numbers[i] = parts[parts.size() == 1 ? 0 : static_cast<qsizetype>(i)].trimmed().toDouble(&good);
  if (!good)
    return fail(ErrorCode::kInvalidArgument, "'{}' is not one number or three, such as 0.485, 0.456, 0.406",
                words.toStdString());
  return numbers;
}

// Texts of a folder explain it as often as they are inputs: they are chosen by name.
QStringList inputFilesIn(const QStringList& paths) {
  QStringList files;
  for (const QString& path : paths) {
    if (!QFileInfo(path).isDir()) {
      files << path;
      continue;
    }
    for (const QFileInfo& entry : QDir(path).entryInfoList(QDir::Files, QDir::Name))
      if (const QString ending = endingOf(entry.fileName());
          kTensorEndings.contains(ending) || kPictureEndings.contains(ending) || ending == QLatin1String("wav"))
        files << entry.filePath();
  }
  return files;
}

Result<RuntimeValue> readInputFile(const QString& file, const ValueType& type, const PictureRecipe& recipe) {
  const QString ending = endingOf(file);
  Result<RuntimeValue> value = kTensorEndings.contains(ending)      ? session::readValueFile(file.toStdString(), type)
                               : sequenceEndings().contains(ending) ? readSequence(file, type)
                                                                    : pictureTensor(file, type, recipe);
  if (!value) return fail(atFile(std::move(value).error(), file.toStdString()));
  return value;
}

}  // namespace cutaway::ui
