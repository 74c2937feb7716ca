#include "providers/cpu/kernels/shape/strided_copy.h"

#include <array>
#include <cstring>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/word_tiles.h"

namespace cutaway::cpu {
namespace {

// Bytes below which a move is not worth another thread.
constexpr int64_t kGrainBytes = int64_t{1} << 15;
// Edge of the square that a transposition reads and writes at once, so that both sides stay in the first cache.
constexpr int64_t kTile = 16;
// Every axis that is left has at least two elements, and a tensor has fewer than 2^63.
constexpr size_t kMaxAxes = 64;

struct Axis {
  int64_t count;
  int64_t from;  // bytes
  int64_t to;    // bytes
};

using RowMove = void (*)(const std::byte* from, std::byte* to, const Axis& row);
using TileMove = void (*)(const std::byte* from, std::byte* to, const Axis& rows, const Axis& columns);

// One element to every place of a dense run. What is moved together may be several elements, which are aligned as one
// of them only.
template <typename Word>
void fillRow(const std::byte* from, std::byte* to, int64_t count) {
  using Loose [[gnu::aligned(1), gnu::may_alias]] = Word;
  Word word;
  std::memcpy(&word, from, sizeof word);
  Loose* target = reinterpret_cast<Loose*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = word;
}

// Every second element into a dense run, in a form that compilers make vectors of.
template <typename Word>
void moveEverySecond(const std::byte* from, std::byte* to, int64_t count) {
  using Loose [[gnu::aligned(1), gnu::may_alias]] = Word;
  const Loose* source = reinterpret_cast<const Loose*>(from);
  Loose* target = reinterpret_cast<Loose*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = source[2 * i];
}

template <size_t kBytes>
void moveRow(const std::byte* from, std::byte* to, const Axis& row) {
  if (row.from == 0 && row.to == static_cast<int64_t>(kBytes)) {
    if constexpr (kBytes == 1) return fillRow<uint8_t>(from, to, row.count);
    if constexpr (kBytes == 2) return fillRow<uint16_t>(from, to, row.count);
    if constexpr (kBytes == 4) return fillRow<uint32_t>(from, to, row.count);
    if constexpr (kBytes == 8) return fillRow<uint64_t>(from, to, row.count);
  }
  if (row.from == 2 * static_cast<int64_t>(kBytes) && row.to == static_cast<int64_t>(kBytes)) {
    if constexpr (kBytes == 1) return moveEverySecond<uint8_t>(from, to, row.count);
    if constexpr (kBytes == 2) return moveEverySecond<uint16_t>(from, to, row.count);
    if constexpr (kBytes == 4) return moveEverySecond<uint32_t>(from, to, row.count);
    if constexpr (kBytes == 8) return moveEverySecond<uint64_t>(from, to, row.count);
  }
  for (int64_t i = 0; i < row.count; ++i)
    std::memcpy(to + i * row.to, from + i * row.from, kBytes);
}

void moveStringRow(const std::byte* from, std::byte* to, const Axis& row) {
  for (int64_t i = 0; i < row.count; ++i) {
    *reinterpret_cast<std::string*>(to + i * row.to) = *reinterpret_cast<const std::string*>(from + i * row.from);
  }
}

// rows: the axis along which the input is dense; columns: the axis along which the output is dense.
template <size_t kBytes>
void moveTiles(const std::byte* from, std::byte* to, const Axis& rows, const Axis& columns) {
  for (int64_t row = 0; row < rows.count; row += kTile) {
    const int64_t rowEnd = std::min(rows.count, row + kTile);
    for (int64_t column = 0; column < columns.count; column += kTile) {
      const int64_t columnEnd = std::min(columns.count, column + kTile);
      for (int64_t r = row; r < rowEnd; ++r) {
        const std::byte* source = from + r * static_cast<int64_t>(kBytes);
        std::byte* target = to + r * rows.to;
        for (int64_t c = column; c < columnEnd; ++c) {
          std::memcpy(target + c * static_cast<int64_t>(kBytes), source + c * columns.from, kBytes);
        }
      }
    }
  }
}

RowMove rowMoveOf(int64_t bytes) {
  switch (bytes) {
    case 1:
      return moveRow<1>;
    case 2:
      return moveRow<2>;
    case 4:
      return moveRow<4>;
    case 8:
      return moveRow<8>;
    default:
      return moveRow<16>;
  }
}

void moveWordTiles(const std::byte* from, std::byte* to, const Axis& rows, const Axis& columns) {
  turnWords(from, columns.from, to, rows.to, rows.count, columns.count);
}

TileMove tileMoveOf(int64_t bytes) {
  switch (bytes) {
    case 1:
      return moveTiles<1>;
    case 2:
      return moveTiles<2>;
    case 4:
      return moveWordTiles;
    case 8:
      return moveTiles<8>;
    default:
      return moveTiles<16>;
  }
}

// A move with the axes of one element dropped, neighbours that step as one joined, and the innermost work chosen.
struct MovePlan {
  std::array<Axis, kMaxAxes> axes;
  size_t rank = 0;
  int64_t unitBytes = 0;  // what one step of the innermost axis moves
  bool strings = false;
  bool empty = false;

  bool dense(const Axis& axis) const { return axis.from == unitBytes && axis.to == unitBytes; }
};

MovePlan planMove(ElementType type, const StridedMove& move) {
  MovePlan plan;
  plan.unitBytes = elementBytes(type);
  plan.strings = type == ElementType::kString;
  plan.empty = std::ranges::find(move.dims, 0) != move.dims.end();
  for (size_t i = 0; i < move.dims.size() && !plan.empty; ++i) {
    if (move.dims[i] == 1) continue;
    const Axis axis{move.dims[i], move.fromStrides[i] * plan.unitBytes, move.toStrides[i] * plan.unitBytes};
    Axis* last = plan.rank == 0 ? nullptr : &plan.axes[plan.rank - 1];
    if (last != nullptr && last->from == axis.from * axis.count && last->to == axis.to * axis.count) {
      *last = {last->count * axis.count, axis.from, axis.to};
    } else {
      plan.axes[plan.rank++] = axis;
    }
  }
  // A short dense run is one wider element: rows of two floats move as one of eight bytes.
  if (plan.rank > 1 && !plan.strings && plan.dense(plan.axes[plan.rank - 1])) {
    const int64_t bytes = plan.axes[plan.rank - 1].count * plan.unitBytes;
    if (bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16) {
      plan.unitBytes = bytes;
      --plan.rank;
    }
  }
  return plan;
}

// Steps through the outer axes like the wheels of an odometer.
class Odometer {
 public:
  Odometer(std::span<const Axis> axes, int64_t start) : m_axes(axes) {
    for (size_t i = axes.size(); i-- > 0;) {
      m_index[i] = start % axes[i].count;
      start /= axes[i].count;
      m_from += m_index[i] * axes[i].from;
      m_to += m_index[i] * axes[i].to;
    }
  }
  int64_t from() const { return m_from; }
  int64_t to() const { return m_to; }
  void advance() {
    for (size_t i = m_axes.size(); i-- > 0;) {
      m_from += m_axes[i].from;
      m_to += m_axes[i].to;
      if (++m_index[i] < m_axes[i].count) return;
      m_from -= m_axes[i].count * m_axes[i].from;
      m_to -= m_axes[i].count * m_axes[i].to;
      m_index[i] = 0;
    }
  }

 private:
  std::span<const Axis> m_axes;
  std::array<int64_t, kMaxAxes> m_index;
  int64_t m_from = 0;
  int64_t m_to = 0;
};

// Runs inner(from, to) for every index of the outer axes, split over threads.
template <typename Inner>
void forOuter(std::span<const Axis> outer, int64_t innerBytes, const std::byte* from, std::byte* to, Inner&& inner) {
  int64_t count = 1;
  for (const Axis& axis : outer)
    count *= axis.count;
  const int64_t grain = std::max<int64_t>(1, kGrainBytes / std::max<int64_t>(1, innerBytes));
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    Odometer odometer(outer, begin);
    for (int64_t i = begin; i < end; ++i, odometer.advance())
      inner(from + odometer.from(), to + odometer.to());
  });
}

void moveDense(std::byte* to, const std::byte* from, int64_t bytes) {
  parallelFor(bytes, kGrainBytes, [&](int64_t begin, int64_t end) {
    std::memcpy(to + begin, from + begin, static_cast<size_t>(end - begin));
  });
}

// The axis, other than the last, along which the input is dense; rank when there is none.
size_t transposedAxis(const MovePlan& plan) {
  const Axis& last = plan.axes[plan.rank - 1];
  if (plan.strings || plan.rank < 2 || last.to != plan.unitBytes || last.from == 0)
    return plan.rank;  // a repeated element is a fill
  for (size_t i = plan.rank - 1; i-- > 0;) {
    if (plan.axes[i].from == plan.unitBytes) return i;
  }
  return plan.rank;
}

void moveTransposed(MovePlan& plan, size_t rowAxis, const std::byte* from, std::byte* to) {
  const Axis columns = plan.axes[plan.rank - 1];
  const Axis rows = plan.axes[rowAxis];
  // Rows go in strips, so that one large matrix is shared out as well as many small ones.
  constexpr int64_t kStripRows = 4 * kTile;
  const int64_t strips = (rows.count + kStripRows - 1) / kStripRows;
  for (size_t i = rowAxis; i + 2 < plan.rank; ++i)
    plan.axes[i] = plan.axes[i + 1];
  plan.axes[plan.rank - 2] = {strips, 0, 0};
  const std::span<const Axis> outer(plan.axes.data(), plan.rank - 1);
  const TileMove tile = tileMoveOf(plan.unitBytes);
  int64_t count = 1;
  for (const Axis& axis : outer)
    count *= axis.count;
  const int64_t grain =
      std::max<int64_t>(1, kGrainBytes / (std::min(rows.count, kStripRows) * columns.count * plan.unitBytes));
  parallelFor(count, grain, [&](int64_t begin, int64_t end) {
    Odometer odometer(outer, begin);
    for (int64_t i = begin; i < end; ++i, odometer.advance()) {
      const int64_t first = (i % strips) * kStripRows;
      const Axis strip{std::min(kStripRows, rows.count - first), rows.from, rows.to};
      tile(from + odometer.from() + first * rows.from, to + odometer.to() + first * rows.to, strip, columns);
    }
  });
}

}  // namespace

int64_t elementBytes(ElementType type) {
  return bitsOf(type) / 8;
}

void moveStrided(ElementType type, const StridedMove& move, const void* fromData, void* toData) {
  MovePlan plan = planMove(type, move);
  if (plan.empty) return;
  const std::byte* from = static_cast<const std::byte*>(fromData);
  std::byte* to = static_cast<std::byte*>(toData);
  if (plan.rank == 0) plan.axes[plan.rank++] = {1, plan.unitBytes, plan.unitBytes};
  const Axis last = plan.axes[plan.rank - 1];
  const std::span<const Axis> outer(plan.axes.data(), plan.rank - 1);
  const int64_t rowBytes = last.count * plan.unitBytes;
  if (plan.strings) {
    forOuter(outer, rowBytes, from, to, [&](const std::byte* f, std::byte* t) { moveStringRow(f, t, last); });
  } else if (plan.dense(last) && plan.rank == 1) {
    moveDense(to, from, rowBytes);
  } else if (plan.dense(last)) {
    forOuter(outer, rowBytes, from, to,
             [&](const std::byte* f, std::byte* t) { std::memcpy(t, f, static_cast<size_t>(rowBytes)); });
  } else if (const size_t rowAxis = transposedAxis(plan); rowAxis < plan.rank) {
    moveTransposed(plan, rowAxis, from, to);
  } else {
    const RowMove row = rowMoveOf(plan.unitBytes);
    forOuter(outer, rowBytes, from, to, [&](const std::byte* f, std::byte* t) { row(f, t, last); });
  }
}

void moveElements(ElementType type, const void* from, void* to, int64_t count) {
  if (from == to || count <= 0) return;
  if (type == ElementType::kString) {
    const std::string* source = static_cast<const std::string*>(from);
    std::copy(source, source + count, static_cast<std::string*>(to));
    return;
  }
  moveDense(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), (count * bitsOf(type) + 7) / 8);
}

void fillElements(ElementType type, const void* value, void* to, int64_t count) {
  const int64_t unit = elementBytes(type);
  parallelFor(count, kGrainBytes / std::max<int64_t>(1, unit), [&](int64_t begin, int64_t end) {
    moveStrided(type, {.dims = Dims{end - begin}, .fromStrides = Dims{0}, .toStrides = Dims{1}}, value,
                static_cast<std::byte*>(to) + begin * unit);
  });
}

Result<void> copyReshaped(KernelContext& context, const Tensor& data, std::span<const int64_t> dims) {
  CUTAWAY_TRY(Tensor * output, context.output(0, data.type(), dims));
  moveElements(data.type(), data.data(), output->mutableData(), data.elementCount());
  return {};
}

void gatherBlocks(ElementType type, const void* from, std::span<const int64_t> offsets, int64_t blockElements,
                  void* to) {
  const int64_t unit = elementBytes(type);
  const int64_t blockBytes = unit * blockElements;
  if (blockBytes == 0) return;
  const std::byte* source = static_cast<const std::byte*>(from);
  std::byte* target = static_cast<std::byte*>(to);
  const bool strings = type == ElementType::kString;
  const bool small = !strings && blockElements == 1;
  const int64_t grain = std::max<int64_t>(1, kGrainBytes / blockBytes);
  parallelFor(static_cast<int64_t>(offsets.size()), grain, [&](int64_t begin, int64_t end) {
    const auto each = [&](auto&& copy) {
      for (int64_t i = begin; i < end; ++i)
        copy(target + i * blockBytes, source + offsets[static_cast<size_t>(i)] * unit);
    };
    if (strings) {
      each([&](std::byte* t, const std::byte* f) { moveElements(type, f, t, blockElements); });
    } else if (small && unit == 4) {
      each([](std::byte* t, const std::byte* f) { std::memcpy(t, f, 4); });
    } else if (small && unit == 8) {
      each([](std::byte* t, const std::byte* f) { std::memcpy(t, f, 8); });
    } else if (small && unit == 1) {
      each([](std::byte* t, const std::byte* f) { *t = *f; });
    } else {
      each([&](std::byte* t, const std::byte* f) { std::memcpy(t, f, static_cast<size_t>(blockBytes)); });
    }
  });
}

void scatterBlocks(ElementType type, const void* from, std::span<const int64_t> offsets, int64_t blockElements,
                   void* to) {
  const int64_t unit = elementBytes(type);
  const int64_t blockBytes = unit * blockElements;
  const std::byte* source = static_cast<const std::byte*>(from);
  std::byte* target = static_cast<std::byte*>(to);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const std::byte* f = source + static_cast<int64_t>(i) * blockBytes;
    std::byte* t = target + offsets[i] * unit;
    if (type == ElementType::kString) {
      moveElements(type, f, t, blockElements);
    } else {
      std::memcpy(t, f, static_cast<size_t>(blockBytes));
    }
  }
}

}  // namespace cutaway::cpu
