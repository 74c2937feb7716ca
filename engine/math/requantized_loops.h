#pragma once
// The loops of requantized_convolution.h: sums of byte products that leave the registers as bytes.
//
// For processors that multiply and add four bytes at a time in 32 bits (AVX-512 VNNI), and for those with AVX2, where
// bytes are widened and pairs of products added in 32 bits: nothing saturates. Input bytes are unsigned after `flip` is
// applied, weights signed; sums are modulo 2^32. A sum becomes round(sum * scale) + zero point, to nearest,
// ties to even, and saturates. Thread rule: pure functions.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace cutaway::math {

// How sums become bytes. added, scales: one for each map, as many as the vectors that are written have lanes.
struct SumsToBytes {
  const int32_t* added = nullptr;
  const float* scales = nullptr;
  int32_t zeroPoint = 0;
  bool isSigned = false;
  bool mayOverflow = true;  // a sum * scale may leave 32 bits: not where all scales are below 1 (staysInRange)
};
// The largest result before the zero point is added.
inline float highOf(const SumsToBytes& terms) {
  return static_cast<float>((terms.isSigned ? 127 : 255) - terms.zeroPoint);
}
inline bool staysInRange(std::span<const float> scales) {
  return std::ranges::all_of(scales, [](float scale) { return scale > -1 && scale < 1; });
}

// Maps that are worked on together, of one group; a vector holds 16 of them.
struct MapPanel {
  const int8_t* weights = nullptr;  // [tap][step][vector][16 maps][4 channels]
  int64_t vectors = 1;              // 1 or 2
  int64_t maps = 16;                // that are there; the others have weights of zero
  int64_t channelOffset = 0;        // bytes from a cell to the group's first channel
};

// Cells of the input under each tap of the window, as addresses: table[tap * tableStride + cell].
struct DenseCells {
  const uint8_t* const* table = nullptr;
  int64_t tableStride = 0, count = 0;
  int64_t taps = 1, steps = 1;  // a step is four channels
  uint32_t flip = 0;            // for four bytes
};

// A row of results where each channel has its own window.
struct DepthwiseRow {
  static constexpr size_t kMostRows = 8;
  std::array<const uint8_t*, kMostRows> rows{};  // of the input, first cell; what lies outside: cells of padding
  std::array<int64_t, kMostRows> rowSteps{};     // from cell to cell: 0 for padding
  int64_t kernelRows = 1, kernelColumns = 1, stride = 1;
  int64_t firstColumn = 0;  // of the first result's window; negative in padding
  int64_t inputColumns = 0, count = 0, channels = 0;
  uint8_t flip = 0, padding = 0;  // padding: as the input has it
  const int8_t* weights = nullptr;
};

// How weights of depthwise convolutions lie. Channels are worked on in blocks, inside of which they stand in the order
// that interleaving bytes gives them: the channel at place i is
//   first of block + depthwiseChannel(block, i).
// added and scales by place, too.
enum class DepthwiseOrder : uint8_t {
  // Blocks of 64, the last of 32 where that is enough: [block][four rows of the window][column][place][row of the
  // four].
  kFourRows,
  // Blocks of 32, in 16 bits: [block][two taps of the window][place][tap of the two].
  kTwoTaps,
};
inline int64_t depthwiseBlock(DepthwiseOrder order, int64_t channelsLeft) {
  return order == DepthwiseOrder::kFourRows && channelsLeft > 32 ? 64 : 32;
}
inline int64_t depthwisePlaces(int64_t channels) {
  return (channels + 31) / 32 * 32;
}
inline int64_t depthwiseChannel(int64_t block, int64_t place) {
  const int64_t quarter = block / 4;
  return place % quarter / 4 * 16 + place / quarter * 4 + place % 4;
}
// Of weights, for each place.
inline int64_t depthwisePlaceBytes(DepthwiseOrder order, int64_t kernelRows, int64_t kernelColumns) {
  if (order == DepthwiseOrder::kTwoTaps) return (kernelRows * kernelColumns + 1) / 2 * 2 * int64_t{sizeof(int16_t)};
  return (kernelRows + 3) / 4 * 4 * kernelColumns;
}

struct RequantizedLoops {
  std::string_view instructions;
  // to: of the panel's first map; a result's cells lie toStride apart.
  void (*dense)(const DenseCells&, const MapPanel&, const SumsToBytes&, uint8_t* to, int64_t toStride);
  void (*depthwise)(const DepthwiseRow&, const SumsToBytes&, uint8_t* to);
  DepthwiseOrder depthwiseOrder;
  // Sums as they are: to, toStride in sums. nullptr: the library's products are as fast.
  void (*sums)(const DenseCells&, const MapPanel&, int32_t* to, int64_t toStride);
};

// nullptr where this processor has not got the instructions.
const RequantizedLoops* vnniLoops();
const RequantizedLoops* avx2Loops();
// The fastest of them for this processor, or nullptr.
const RequantizedLoops* requantizedLoops();

}  // namespace cutaway::math
