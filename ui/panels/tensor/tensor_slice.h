#pragma once
// Two axes of a tensor as rows and columns, the others held at an index: which element a cell is.
//
// Thread rule: plain values, pure functions.
// Example: TensorSlice slice = firstSlice({1, 3, 224, 224});  slice.fixed[1] = 2;  content->number(slice.index(10,
// 20));

#include <cstdint>
#include <optional>
#include <vector>

#include <QString>

namespace cutaway::ui {

inline constexpr int64_t kWrapColumns = 10;  // vectors are shown in rows of ten

struct TensorSlice {
  std::vector<int64_t> dims;
  std::vector<int64_t> fixed;  // per axis; those of rowAxis and columnAxis are not read
  int rowAxis = -1;            // -1: one row, or a wrapped vector
  int columnAxis = -1;

  bool wrapped() const { return dims.size() == 1; }
  int64_t rows() const;
  int64_t columns() const;
  int64_t index(int64_t row, int64_t column) const;  // row-major; -1: no such element (the end of a wrapped vector)
  std::vector<int64_t> place(int64_t row, int64_t column) const;
  // The cell of an element, other axes moved to it.
  std::pair<int64_t, int64_t> show(const std::vector<int64_t>& place);
  bool operator==(const TensorSlice&) const = default;
};

// The last two axes.
TensorSlice firstSlice(const std::vector<int64_t>& dims);

// "2,0,17" as a place, or one number as a row-major index; nullopt: not inside. An empty list is the place in a scalar.
std::optional<std::vector<int64_t>> parsePlace(const QString& words, const std::vector<int64_t>& dims);
QString placeText(const std::vector<int64_t>& place);  // "[2, 0, 17]"

// What axes of an image mean.
enum class ImageLayout { kPlane, kChannelsFirst, kChannelsLast };
ImageLayout guessLayout(const std::vector<int64_t>& dims);
// Height and width as rows and columns; channelAxis: -1 when there is none.
TensorSlice imageSlice(const std::vector<int64_t>& dims, ImageLayout layout, int* channelAxis);

}  // namespace cutaway::ui
