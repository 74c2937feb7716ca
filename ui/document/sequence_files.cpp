#include "ui/document/sequence_files.h"

#include <algorithm>
#include <cmath>

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QtEndian>

namespace cutaway::ui {
namespace {

constexpr qint64 kMostBytes = qint64{256} << 20;

Result<QByteArray> bytesOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return fail(ErrorCode::kNoSuchFile, "it cannot be read: {}", file.errorString().toStdString());
  if (file.size() > kMostBytes)
    return fail(ErrorCode::kInvalidArgument, "it has {} bytes, and at most {} are read", file.size(), kMostBytes);
  return file.readAll();
}

Result<std::vector<double>> numbersIn(const QByteArray& bytes) {
  static const QRegularExpression between(QStringLiteral("[\\s,;\\[\\]]+"));
  std::vector<double> numbers;
  for (const QString& word : QString::fromUtf8(bytes).split(between, Qt::SkipEmptyParts)) {
    bool isNumber = false;
    numbers.push_back(word.toDouble(&isNumber));
    if (!isNumber)
      return fail(ErrorCode::kInvalidArgument,
                  "'{}' is no number: a text file has numbers alone, such as ids of tokens",
                  word.left(40).toStdString());
  }
  return numbers;
}

// The chunk of a RIFF file that is called so; empty: there is none.
QByteArrayView chunkOf(const QByteArray& bytes, const char* name) {
  for (qsizetype at = 12; at + 8 <= bytes.size();) {
    const auto size = static_cast<qsizetype>(qFromLittleEndian<quint32>(bytes.constData() + at + 4));
    const QByteArrayView rest = QByteArrayView(bytes).sliced(at + 8);
    if (QByteArrayView(bytes).sliced(at, 4) == QByteArrayView(name)) return rest.first(std::min(size, rest.size()));
    if (size > rest.size()) break;
    at += 8 + size + (size & 1);
  }
  return {};
}

Result<std::vector<double>> samplesIn(const QByteArray& bytes) {
  const QByteArrayView format = chunkOf(bytes, "fmt "), data = chunkOf(bytes, "data");
  if (!bytes.startsWith("RIFF") || format.size() < 16)
    return fail(ErrorCode::kInvalidArgument, "it is no WAV file: give WAV or .npy");
  constexpr int kPcm = 1, kFloat = 3, kExtensible = 0xfffe;
  int code = qFromLittleEndian<quint16>(format.data());
  if (code == kExtensible && format.size() >= 26) code = qFromLittleEndian<quint16>(format.data() + 24);
  const qsizetype channels = qFromLittleEndian<quint16>(format.data() + 2);
  const int bits = qFromLittleEndian<quint16>(format.data() + 14);
  const bool isShort = code == kPcm && bits == 16, isFloat = code == kFloat && bits == 32;
  if (channels == 0 || (!isShort && !isFloat))
    return fail(ErrorCode::kInvalidArgument, "its samples have format {} and {} bits: give 16 bit or float samples",
                code, bits);
  const qsizetype sample = bits / 8, frames = data.size() / (sample * channels);
  std::vector<double> mean(static_cast<size_t>(frames));
  for (qsizetype frame = 0; frame < frames; ++frame) {
    double sum = 0;
    for (qsizetype channel = 0; channel < channels; ++channel) {
      const char* at = data.data() + (frame * channels + channel) * sample;
      sum += isShort ? qFromLittleEndian<qint16>(at) / 32768.0 : static_cast<double>(qFromLittleEndian<float>(at));
    }
    mean[static_cast<size_t>(frame)] = sum / static_cast<double>(channels);
  }
  return mean;
}

// Where the numbers go: the last open dimension takes them.
Result<std::vector<int64_t>> dimsFor(const ValueType& type, int64_t count) {
  if (!type.isTensor())
    return fail(ErrorCode::kInvalidArgument, "this input is {}: give .npy or .pb files", toText(type));
  if (!type.shape) return std::vector<int64_t>{count};
  std::vector<int64_t> dims;
  int64_t fixed = 1;
  ptrdiff_t open = -1;
  for (size_t axis = 0; axis < type.shape->rank(); ++axis) {
    const int64_t size = (*type.shape)[axis].value();
    if (size < 0) open = static_cast<ptrdiff_t>(axis);
    dims.push_back(size < 0 ? 1 : size);
    if (size > 0 && fixed > kMostBytes / size)
      return fail(ErrorCode::kInvalidArgument, "this input is {}: give .npy or .pb files", toText(type));
    fixed *= dims.back();
  }
  if (open >= 0 && fixed > 0) dims[static_cast<size_t>(open)] = count / fixed;
  return dims;
}

Result<void> fill(Tensor& tensor, const std::vector<double>& numbers, const ValueType& type) {
  const auto put = [&]<typename T>(std::span<T> places) {
    std::ranges::transform(numbers, places.begin(), [](double number) { return static_cast<T>(number); });
  };
  const auto isWithin = [&](double least, double most) {
    return std::ranges::all_of(numbers,
                               [&](double each) { return each >= least && each <= most && each == std::trunc(each); });
  };
  switch (type.element) {
    case ElementType::kFloat:
      put(tensor.span<float>());
      return {};
    case ElementType::kDouble:
      put(tensor.span<double>());
      return {};
    case ElementType::kInt64:
      if (!isWithin(-0x1p53, 0x1p53)) break;
      put(tensor.span<int64_t>());
      return {};
    case ElementType::kInt32:
      if (!isWithin(-0x1p31, 0x1p31 - 1)) break;
      put(tensor.span<int32_t>());
      return {};
    default:
      break;
  }
  return fail(ErrorCode::kInvalidArgument, "its numbers cannot stand in {}: give .npy or .pb files", toText(type));
}

}  // namespace

const QStringList& sequenceEndings() {
  static const QStringList endings = {QStringLiteral("txt"), QStringLiteral("wav")};
  return endings;
}

Result<RuntimeValue> readSequence(const QString& file, const ValueType& type) {
  CUTAWAY_TRY(const QByteArray bytes, bytesOf(file));
  const bool isSound = QFileInfo(file).suffix().compare(QLatin1String("wav"), Qt::CaseInsensitive) == 0;
  CUTAWAY_TRY(std::vector<double> numbers, isSound ? samplesIn(bytes) : numbersIn(bytes));
  CUTAWAY_TRY(const std::vector<int64_t> dims, dimsFor(type, static_cast<int64_t>(numbers.size())));
  CUTAWAY_TRY(Tensor tensor, Tensor::create(type.element, dims));
  const auto wanted = static_cast<size_t>(tensor.elementCount());
  if (isSound) numbers.resize(wanted, 0.0);
  if (numbers.size() != wanted || wanted == 0)
    return fail(ErrorCode::kInvalidArgument, "it has {} numbers, and the input {} takes {}", numbers.size(),
                toText(type), wanted);
  CUTAWAY_CHECK(fill(tensor, numbers, type));
  return RuntimeValue(std::move(tensor));
}

}  // namespace cutaway::ui
