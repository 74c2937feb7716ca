#include "ui/panels/tensor/tensor_slice.h"

#include <algorithm>

#include <QStringList>

namespace cutaway::ui {

int64_t TensorSlice::rows() const {
  if (wrapped()) return (dims[0] + kWrapColumns - 1) / kWrapColumns;
  return rowAxis < 0 ? 1 : dims[static_cast<size_t>(rowAxis)];
}

int64_t TensorSlice::columns() const {
  if (wrapped()) return std::min(dims[0], kWrapColumns);
  return columnAxis < 0 ? 1 : dims[static_cast<size_t>(columnAxis)];
}

std::vector<int64_t> TensorSlice::place(int64_t row, int64_t column) const {
  std::vector<int64_t> at = fixed;
  if (wrapped()) at[0] = row * kWrapColumns + column;
  if (rowAxis >= 0) at[static_cast<size_t>(rowAxis)] = row;
  if (columnAxis >= 0) at[static_cast<size_t>(columnAxis)] = column;
  return at;
}

int64_t TensorSlice::index(int64_t row, int64_t column) const {
  if (wrapped()) {
    const int64_t at = row * kWrapColumns + column;
    return row >= 0 && column >= 0 && at < dims[0] ? at : -1;
  }
  int64_t at = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const int64_t here = static_cast<int>(axis) == rowAxis      ? row
                         : static_cast<int>(axis) == columnAxis ? column
                                                                : fixed[axis];
    if (here < 0 || here >= dims[axis]) return -1;
    at = at * dims[axis] + here;
  }
  return at;
}

std::pair<int64_t, int64_t> TensorSlice::show(const std::vector<int64_t>& place) {
  if (wrapped()) return {place[0] / kWrapColumns, place[0] % kWrapColumns};
  for (size_t axis = 0; axis < dims.size() && axis < place.size(); ++axis)
    fixed[axis] = place[axis];
  return {rowAxis < 0 ? 0 : place[static_cast<size_t>(rowAxis)],
          columnAxis < 0 ? 0 : place[static_cast<size_t>(columnAxis)]};
}

TensorSlice firstSlice(const std::vector<int64_t>& dims) {
  const int rank = static_cast<int>(dims.size());
  return {.dims = dims,
          .fixed = std::vector<int64_t>(dims.size(), 0),
          .rowAxis = rank >= 2 ? rank - 2 : -1,
          .columnAxis = rank >= 2 ? rank - 1 : -1};
}

std::optional<std::vector<int64_t>> parsePlace(const QString& words, const std::vector<int64_t>& dims) {
  QString plain = words;
  plain.remove(QLatin1Char('[')).remove(QLatin1Char(']'));
  QStringList parts = plain.split(QLatin1Char(','));
  if (plain.trimmed().isEmpty()) parts.clear();
  std::vector<int64_t> numbers;
  for (const QString& part : parts) {
    bool ok = false;
    numbers.push_back(part.trimmed().toLongLong(&ok));
    if (!ok || numbers.back() < 0) return std::nullopt;
  }
  if (numbers.size() == 1 && dims.size() != 1) {  // row-major
    int64_t rest = numbers[0];
    std::vector<int64_t> place(dims.size());
    for (size_t axis = dims.size(); axis-- > 0;) {
      if (dims[axis] <= 0) return std::nullopt;
      place[axis] = rest % dims[axis];
      rest /= dims[axis];
    }
    return rest == 0 ? std::optional(place) : std::nullopt;
  }
  if (numbers.size() != dims.size()) return std::nullopt;
  for (size_t axis = 0; axis < dims.size(); ++axis)
    if (numbers[axis] >= dims[axis]) return std::nullopt;
  return numbers;
}

QString placeText(const std::vector<int64_t>& place) {
  QStringList parts;
  for (const int64_t each : place)
    parts << QString::number(each);
  return QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
}

ImageLayout guessLayout(const std::vector<int64_t>& dims) {
  const auto channels = [](int64_t count) { return count == 1 || count == 3 || count == 4; };
  if (dims.size() < 3) return ImageLayout::kPlane;
  if (!channels(dims[dims.size() - 3]) && channels(dims.back())) return ImageLayout::kChannelsLast;
  return ImageLayout::kChannelsFirst;
}

TensorSlice imageSlice(const std::vector<int64_t>& dims, ImageLayout layout, int* channelAxis) {
  TensorSlice slice = firstSlice(dims);
  const int rank = static_cast<int>(dims.size());
  *channelAxis = rank >= 3 && layout == ImageLayout::kChannelsFirst ? rank - 3 : -1;
  if (rank >= 3 && layout == ImageLayout::kChannelsLast) {
    slice.rowAxis = rank - 3;
    slice.columnAxis = rank - 2;
    *channelAxis = rank - 1;
  }
  return slice;
}

}  // namespace cutaway::ui
