// Dense: results are worked on in blocks of cells. For each the addresses of the cells under every tap are written down
// once (padding is a cell of its own), then every panel of maps goes over the block while its weights and cells are in
// the cache. Depthwise: rows of results.
//
// Where cells have few channels and windows several columns, as in the first convolution of a network, an address for
// every four bytes costs more than their products: what a row of the window sees is copied with its padding, and counts
// as one tap of so many steps, the last of which may see bytes beyond it that have weights of zero.
//
// Scratch, each part at a multiple of 64 bytes: a cell of padding, and for each thread a table of addresses with the
// rows that are joined.

#include "engine/math/requantized_convolution.h"

#include <algorithm>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "engine/tensor/allocator.h"

namespace cutaway::math {

namespace {

constexpr int64_t kLanes = 16;
constexpr int64_t kTileCells = 14;       // of the loops
constexpr int64_t kMostTiles = 8;        // of a block
constexpr int64_t kTableEntries = 1024;  // of a block, if it has more than one tile
// Multiply-adds below which another thread costs more than it saves: some 3 us of either form.
constexpr int64_t kDenseWork = int64_t{1} << 20, kDepthwiseWork = int64_t{1} << 17;
constexpr int64_t kLeastGroupMaps = 8;  // fewer leave most of a vector empty

int64_t roundUp(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

IntegerConvolutionShape ofThreeAxes(const IntegerConvolutionShape& shape) {
  IntegerConvolutionShape full = shape;
  const size_t missing = kMaxSpatialRank - shape.spatialRank;
  const auto move = [&](SpatialDims& dims, int64_t filler) {
    for (size_t axis = kMaxSpatialRank; axis-- > 0;)
      dims[axis] = axis >= missing ? dims[axis - missing] : filler;
  };
  for (SpatialDims* dims : {&full.input, &full.output, &full.kernel, &full.strides, &full.dilations})
    move(*dims, 1);
  move(full.padsBegin, 0);
  move(full.padsEnd, 0);
  full.spatialRank = kMaxSpatialRank;
  return full;
}

bool isDepthwiseShape(const IntegerConvolutionShape& shape) {
  return shape.groups > 1 && shape.groups == shape.inChannels && shape.groups == shape.outChannels;
}

}  // namespace

struct RequantizedConvolution::Memory {
  uint8_t* padding;
  std::byte* tables;
  uint8_t* joined;
  size_t tableBytes, joinedBytes, bytes;
};

bool RequantizedConvolution::suits(const IntegerConvolutionShape& given) {
  if (requantizedLoops() == nullptr || given.spatialRank < 1 || given.spatialRank > kMaxSpatialRank) return false;
  if (given.inChannels < 1 || given.outChannels < 1) return false;
  const IntegerConvolutionShape shape = ofThreeAxes(given);
  if (isDepthwiseShape(shape))
    return shape.kernel[0] == 1 && shape.kernel[1] <= int64_t{DepthwiseRow::kMostRows} && shape.dilations[2] == 1;
  return shape.groups == 1 ||
         (shape.inChannels / shape.groups % 4 == 0 && shape.outChannels / shape.groups >= kLeastGroupMaps);
}

RequantizedConvolution::RequantizedConvolution(const IntegerConvolutionShape& shape, const RequantizedLoops& loops)
    : m_loops(&loops), m_shape(ofThreeAxes(shape)), m_depthwise(isDepthwiseShape(shape)) {
  m_cellBytes = m_depthwise || joinsRows() ? m_shape.inChannels : roundUp(m_shape.inChannels, 4);
}

int64_t RequantizedConvolution::groupVectors() const {
  return (groupMaps() + kLanes - 1) / kLanes;
}

int64_t RequantizedConvolution::steps() const {
  return m_cellBytes / m_shape.groups / 4;
}

bool RequantizedConvolution::joinsRows() const {
  constexpr int64_t kMostJoined = 8;  // channels of a cell
  return !m_depthwise && m_shape.groups == 1 && m_shape.inChannels <= kMostJoined && m_shape.kernel[2] > 1 &&
         m_shape.dilations[2] == 1;
}

int64_t RequantizedConvolution::denseTaps() const {
  return joinsRows() ? m_shape.kernel[0] * m_shape.kernel[1] : taps();
}

int64_t RequantizedConvolution::denseSteps() const {
  return joinsRows() ? roundUp(m_shape.kernel[2] * m_cellBytes, 4) / 4 : steps();
}

int64_t RequantizedConvolution::vectorBytes() const {
  return denseTaps() * denseSteps() * kLanes * 4;
}

int64_t RequantizedConvolution::blockCells() const {
  return kTileCells * std::clamp<int64_t>(kTableEntries / (kTileCells * denseTaps()), 1, kMostTiles);
}

// Of a block, whose cells may all be in rows of their own.
int64_t RequantizedConvolution::joinedBytes() const {
  if (!joinsRows()) return 0;
  constexpr int64_t kBeyond = 3;
  return denseTaps() * blockCells() * (m_shape.strides[2] + m_shape.kernel[2]) * m_cellBytes + kBeyond;
}

int64_t RequantizedConvolution::packedBytes() const {
  if (m_depthwise) return places() * depthwisePlaceBytes(m_loops->depthwiseOrder, m_shape.kernel[1], m_shape.kernel[2]);
  return m_shape.groups * groupVectors() * vectorBytes();
}

void RequantizedConvolution::pack(const int8_t* weights, int8_t* packed) const {
  if (m_depthwise)
    packDepthwise(weights, packed);
  else
    packDense(weights, packed);
}

void RequantizedConvolution::packDense(const int8_t* weights, int8_t* packed) const {
  const int64_t channels = m_shape.inChannels / m_shape.groups, vectors = groupVectors(), panels = groupPanels();
  const int64_t eachBytes = vectorBytes();
  parallelFor(m_shape.groups * panels, 1, [&](int64_t begin, int64_t end) {
    for (int64_t each = begin; each < end; ++each) {
      const int64_t group = each / panels, first = each % panels * 2, width = std::min<int64_t>(2, vectors - first);
      int8_t* to = packed + (group * vectors + first) * eachBytes;
      std::fill_n(to, width * eachBytes, int8_t{0});
      const int64_t maps = std::min(width * kLanes, groupMaps() - first * kLanes);
      for (int64_t map = 0; map < maps; ++map) {
        const int8_t* from = weights + (group * groupMaps() + first * kLanes + map) * channels * taps();
        if (joinsRows())
          packJoinedMap(from, width * kLanes * 4, to + map * 4);
        else
          packMap(from, width * kLanes * 4, to + map * 4);
      }
    }
  });
}

void RequantizedConvolution::packFactor(const int8_t* factor, int8_t* packed) const {
  const int64_t depth = m_shape.inChannels, columns = m_shape.outChannels, vectors = groupVectors();
  parallelFor(groupPanels(), 1, [&](int64_t begin, int64_t end) {
    for (int64_t panel = begin; panel < end; ++panel) {
      const int64_t first = panel * 2, width = std::min<int64_t>(2, vectors - first) * kLanes;
      const int64_t there = std::min(width, columns - first * kLanes);
      int8_t* to = packed + first * vectorBytes();
      std::fill_n(to, steps() * width * 4, int8_t{0});
      for (int64_t row = 0; row < depth; ++row) {
        const int8_t* const from = factor + row * columns + first * kLanes;
        int8_t* const at = to + row / 4 * width * 4 + row % 4;
        for (int64_t column = 0; column < there; ++column)
          at[column * 4] = from[column];
      }
    }
  });
}

// A map's weights [channel][tap], four channels of a tap side by side: [tap][step], a step stepBytes from the next.
void RequantizedConvolution::packMap(const int8_t* from, int64_t stepBytes, int8_t* to) const {
  const int64_t channels = m_shape.inChannels / m_shape.groups, count = taps(), tapBytes = steps() * stepBytes;
  for (int64_t first = 0; first < channels; first += 4, from += 4 * count, to += stepBytes) {
    const int64_t there = std::min<int64_t>(4, channels - first);
    for (int64_t tap = 0; tap < count; ++tap) {
      int8_t four[4] = {};
      if (there == 4) {
        for (int64_t channel = 0; channel < 4; ++channel)
          four[channel] = from[channel * count + tap];
      } else {
        for (int64_t channel = 0; channel < there; ++channel)
          four[channel] = from[channel * count + tap];
      }
      std::memcpy(to + tap * tapBytes, four, sizeof(four));
    }
  }
}

// The same where rows are joined: [row of the window][step], the bytes of a row [column][channel].
void RequantizedConvolution::packJoinedMap(const int8_t* from, int64_t stepBytes, int8_t* to) const {
  const int64_t channels = m_shape.inChannels, columns = m_shape.kernel[2];
  for (int64_t row = 0; row < denseTaps(); ++row) {
    for (int64_t at = 0; at < columns * channels; ++at)
      to[(row * denseSteps() + at / 4) * stepBytes + at % 4] =
          from[at % channels * taps() + row * columns + at / channels];
  }
}

void RequantizedConvolution::packDepthwise(const int8_t* weights, int8_t* packed) const {
  const DepthwiseOrder order = m_loops->depthwiseOrder;
  const int64_t rows = m_shape.kernel[1], columns = m_shape.kernel[2], channels = m_shape.inChannels;
  std::fill_n(packed, packedBytes(), int8_t{0});
  for (int64_t first = 0; first < channels;) {
    const int64_t block = depthwiseBlock(order, channels - first);
    for (int64_t place = 0; place < block; ++place) {
      const int64_t channel = first + depthwiseChannel(block, place);
      if (channel >= channels) continue;
      for (int64_t tap = 0; tap < rows * columns; ++tap) {
        const int8_t weight = weights[channel * rows * columns + tap];
        if (order == DepthwiseOrder::kTwoTaps) {
          const int16_t wide = weight;
          std::memcpy(packed + ((tap / 2 * block + place) * 2 + tap % 2) * 2, &wide, sizeof(wide));
        } else {
          const int64_t row = tap / columns, column = tap % columns;
          packed[((row / 4 * columns + column) * block + place) * 4 + row % 4] = weight;
        }
      }
    }
    packed += block * depthwisePlaceBytes(order, rows, columns);
    first += block;
  }
}

RequantizedConvolution::Memory RequantizedConvolution::memoryIn(std::span<std::byte> scratch) const {
  size_t used = 0;
  const auto take = [&](int64_t bytes) {
    std::byte* const at = scratch.data() + used;
    used += static_cast<size_t>(alignUp(bytes, kBlockAlignment));
    return at;
  };
  Memory memory{};
  memory.padding = reinterpret_cast<uint8_t*>(take(m_cellBytes));
  memory.tableBytes =
      m_depthwise ? 0 : static_cast<size_t>(blockCells() * denseTaps() * static_cast<int64_t>(sizeof(const uint8_t*)));
  memory.tables = take(currentThreads() * static_cast<int64_t>(memory.tableBytes));
  memory.joinedBytes = static_cast<size_t>(alignUp(joinedBytes(), kBlockAlignment));
  memory.joined = reinterpret_cast<uint8_t*>(take(currentThreads() * static_cast<int64_t>(memory.joinedBytes)));
  memory.bytes = used;
  return memory;
}

size_t RequantizedConvolution::scratchBytes() const {
  return memoryIn({}).bytes;
}

int64_t RequantizedConvolution::places() const {
  return m_depthwise ? depthwisePlaces(m_shape.inChannels) : m_shape.groups * groupVectors() * kLanes;
}

void RequantizedConvolution::placeTerms(const SumsToBytes& terms, int32_t* added, float* scales) const {
  int64_t at = 0;
  const auto place = [&](int64_t map, bool there) {
    added[at] = there ? terms.added[map] : 0;
    scales[at++] = there ? terms.scales[map] : 0.0f;
  };
  if (!m_depthwise) {
    for (int64_t group = 0; group < m_shape.groups; ++group) {
      for (int64_t map = 0; map < groupVectors() * kLanes; ++map)
        place(group * groupMaps() + map, map < groupMaps());
    }
    return;
  }
  for (int64_t first = 0; first < m_shape.inChannels;) {
    const int64_t block = depthwiseBlock(m_loops->depthwiseOrder, m_shape.inChannels - first);
    for (int64_t i = 0; i < block; ++i) {
      const int64_t channel = first + depthwiseChannel(block, i);
      place(channel, channel < m_shape.inChannels);
    }
    first += block;
  }
}

// Neighbouring results of a row see neighbouring cells, as far as they lie inside of the input.
void RequantizedConvolution::findCells(const RequantizedInput& input, const uint8_t* padding, int64_t first,
                                       int64_t count, const uint8_t** table) const {
  const IntegerConvolutionShape& s = m_shape;
  const int64_t step = s.strides[2] * m_cellBytes, tableStride = blockCells();
  for (int64_t at = 0; at < count;) {
    const int64_t cell = first + at, column = cell % s.output[2], line = cell / s.output[2];
    const int64_t row = line % s.output[1], plane = line / s.output[1] % s.output[0];
    const int64_t entry = line / s.output[1] / s.output[0], run = std::min(count - at, s.output[2] - column);
    const uint8_t** to = table + at;
    for (int64_t k0 = 0; k0 < s.kernel[0]; ++k0) {
      const int64_t z = plane * s.strides[0] - s.padsBegin[0] + k0 * s.dilations[0];
      for (int64_t k1 = 0; k1 < s.kernel[1]; ++k1) {
        const int64_t y = row * s.strides[1] - s.padsBegin[1] + k1 * s.dilations[1];
        const bool inside = z >= 0 && z < s.input[0] && y >= 0 && y < s.input[1];
        const int64_t firstCell = inside ? ((entry * s.input[0] + z) * s.input[1] + y) * s.input[2] : 0;
        for (int64_t k2 = 0; k2 < s.kernel[2]; ++k2, to += tableStride) {
          const int64_t x = column * s.strides[2] - s.padsBegin[2] + k2 * s.dilations[2];
          const int64_t low = inside ? std::clamp<int64_t>((-x + s.strides[2] - 1) / s.strides[2], 0, run) : run;
          const int64_t high = std::clamp<int64_t>((s.input[2] - x + s.strides[2] - 1) / s.strides[2], low, run);
          std::fill_n(to, low, padding);
          for (int64_t i = low; i < high; ++i)
            to[i] = input.bytes + (firstCell + x) * m_cellBytes + i * step;
          std::fill_n(to + high, run - high, padding);
        }
      }
    }
    at += run;
  }
}

// As findCells, for rows of windows: cells that lie side by side in them follow each other in `rows`.
void RequantizedConvolution::joinRows(const RequantizedInput& input, uint8_t padding, int64_t first, int64_t count,
                                      const uint8_t** table, uint8_t* rows) const {
  const IntegerConvolutionShape& s = m_shape;
  const int64_t step = s.strides[2] * m_cellBytes, tableStride = blockCells();
  const auto fill = [&](uint8_t* to, int64_t cells) {
    std::memset(to, padding, static_cast<size_t>(cells * m_cellBytes));
  };
  for (int64_t at = 0; at < count;) {
    const int64_t cell = first + at, column = cell % s.output[2], line = cell / s.output[2];
    const int64_t row = line % s.output[1], plane = line / s.output[1] % s.output[0];
    const int64_t entry = line / s.output[1] / s.output[0], run = std::min(count - at, s.output[2] - column);
    const int64_t x = column * s.strides[2] - s.padsBegin[2], width = (run - 1) * s.strides[2] + s.kernel[2];
    const int64_t low = std::clamp<int64_t>(-x, 0, width), high = std::clamp<int64_t>(s.input[2] - x, low, width);
    const uint8_t** to = table + at;
    for (int64_t k0 = 0; k0 < s.kernel[0]; ++k0) {
      const int64_t z = plane * s.strides[0] - s.padsBegin[0] + k0 * s.dilations[0];
      for (int64_t k1 = 0; k1 < s.kernel[1]; ++k1, to += tableStride, rows += width * m_cellBytes) {
        const int64_t y = row * s.strides[1] - s.padsBegin[1] + k1 * s.dilations[1];
        if (z >= 0 && z < s.input[0] && y >= 0 && y < s.input[1]) {
          const int64_t firstCell = ((entry * s.input[0] + z) * s.input[1] + y) * s.input[2];
          fill(rows, low);
          std::memcpy(rows + low * m_cellBytes, input.bytes + (firstCell + x + low) * m_cellBytes,
                      static_cast<size_t>((high - low) * m_cellBytes));
          fill(rows + high * m_cellBytes, width - high);
        } else {
          fill(rows, width);
        }
        for (int64_t i = 0; i < run; ++i)
          to[i] = rows + i * step;
      }
    }
    at += run;
  }
}

template <typename Each>
void RequantizedConvolution::overPanels(const RequantizedInput& input, const int8_t* packed, const Memory& memory,
                                        const Each& each) const {
  const int64_t cells = outputCells(), blockSize = blockCells(), threads = currentThreads();
  const int64_t tiles = (cells + kTileCells - 1) / kTileCells;
  // As many for each thread, and of one size.
  int64_t blocks = (cells + blockSize - 1) / blockSize;
  if (blocks > 1) blocks = std::min(roundUp(blocks, threads), tiles);
  const int64_t vectors = groupVectors(), panels = groupPanels(), all = m_shape.groups * panels;
  const int64_t eachBytes = vectorBytes();
  // Panels are shared out, too, where there are few blocks.
  const int64_t parts = threads == 1 ? 1 : std::clamp<int64_t>(4 * threads / blocks, 1, all);
  parallelFor(blocks * parts, 1, [&](int64_t begin, int64_t end) {
    auto** table =
        reinterpret_cast<const uint8_t**>(memory.tables + static_cast<size_t>(loopPart()) * memory.tableBytes);
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t part = unit % parts, block = unit / parts, first = tiles * block / blocks * kTileCells;
      const int64_t count = std::min(tiles * (block + 1) / blocks * kTileCells, cells) - first;
      if (joinsRows())
        joinRows(input, input.padding, first, count, table,
                 memory.joined + static_cast<size_t>(loopPart()) * memory.joinedBytes);
      else
        findCells(input, memory.padding, first, count, table);
      const DenseCells seen{.table = table,
                            .tableStride = blockSize,
                            .count = count,
                            .taps = denseTaps(),
                            .steps = denseSteps(),
                            .flip = input.flip * 0x01010101u};
      for (int64_t at = all * part / parts; at < all * (part + 1) / parts; ++at) {
        const int64_t group = at / panels, vector = at % panels * 2;
        const int64_t place = group * vectors + vector, map = vector * kLanes;
        MapPanel panel{.weights = packed + place * eachBytes, .vectors = std::min<int64_t>(2, vectors - vector)};
        panel.maps = std::min(panel.vectors * kLanes, groupMaps() - map);
        panel.channelOffset = group * steps() * 4;
        each(seen, panel, place * kLanes, first * m_shape.outChannels + group * groupMaps() + map);
      }
    }
  });
}

void RequantizedConvolution::runDepthwise(const RequantizedInput& input, const int8_t* packed, const SumsToBytes& terms,
                                          uint8_t* output, const Memory& memory) const {
  const IntegerConvolutionShape& s = m_shape;
  const int64_t inputRow = s.input[2] * m_cellBytes;
  parallelFor(s.batch * s.output[1], 1, [&](int64_t begin, int64_t end) {
    for (int64_t line = begin; line < end; ++line) {
      DepthwiseRow row{.kernelRows = s.kernel[1],
                       .kernelColumns = s.kernel[2],
                       .stride = s.strides[2],
                       .firstColumn = -s.padsBegin[2],
                       .inputColumns = s.input[2],
                       .count = s.output[2],
                       .channels = s.inChannels,
                       .flip = input.flip,
                       .padding = input.padding,
                       .weights = packed};
      for (int64_t k = 0; k < s.kernel[1]; ++k) {
        const int64_t y = line % s.output[1] * s.strides[1] - s.padsBegin[1] + k * s.dilations[1];
        const bool inside = y >= 0 && y < s.input[1];
        const size_t at = static_cast<size_t>(k);
        row.rows[at] = inside ? input.bytes + (line / s.output[1] * s.input[1] + y) * inputRow : memory.padding;
        row.rowSteps[at] = inside ? m_cellBytes : 0;
      }
      m_loops->depthwise(row, terms, output + line * s.output[2] * s.outChannels);
    }
  });
}

int RequantizedConvolution::usefulThreadsOf(int64_t workPerThread) const {
  const double work = static_cast<double>(outputCells()) * static_cast<double>(m_shape.outChannels) *
                      static_cast<double>(m_shape.inChannels / m_shape.groups * taps());
  return usefulThreads(static_cast<int64_t>(std::min(work, 1e15)), workPerThread);
}

void RequantizedConvolution::run(const RequantizedInput& input, const int8_t* packed, const SumsToBytes& terms,
                                 uint8_t* output, std::span<std::byte> scratch) const {
  const Memory memory = memoryIn(scratch);
  std::memset(memory.padding, input.padding, static_cast<size_t>(m_cellBytes));
  const ThreadShare share(usefulThreadsOf(m_depthwise ? kDepthwiseWork : kDenseWork));
  if (m_depthwise) return runDepthwise(input, packed, terms, output, memory);
  overPanels(input, packed, memory, [&](const DenseCells& seen, const MapPanel& panel, int64_t place, int64_t target) {
    SumsToBytes own = terms;
    own.added += place;
    own.scales += place;
    m_loops->dense(seen, panel, own, output + target, m_shape.outChannels);
  });
}

bool RequantizedConvolution::sumsSuit(const IntegerConvolutionShape& shape) {
  return requantizedLoops() != nullptr && requantizedLoops()->sums != nullptr && suits(shape) &&
         !isDepthwiseShape(ofThreeAxes(shape));
}

void RequantizedConvolution::sums(const RequantizedInput& input, const int8_t* packed, int32_t* output,
                                  std::span<std::byte> scratch) const {
  const Memory memory = memoryIn(scratch);
  std::memset(memory.padding, input.padding, static_cast<size_t>(m_cellBytes));
  const ThreadShare share(usefulThreadsOf(kDenseWork));
  overPanels(input, packed, memory, [&](const DenseCells& seen, const MapPanel& panel, int64_t, int64_t target) {
    m_loops->sums(seen, panel, output + target, m_shape.outChannels);
  });
}

}  // namespace cutaway::math
