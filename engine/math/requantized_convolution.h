#pragma once
// Convolutions of bytes whose results are bytes again: sums are exact in 32 bits and become bytes before they leave the
// registers, so that nothing but bytes goes through memory.
//
// Tensors have their channels last. Two forms: *dense*, where each group has a multiple of four channels (or there is
// one group, whose cells are then that long), as products of the cells under the window; *depthwise*, one window for
// each channel. The result of a sum is round((sum + added) * scale) + zero point, in float, to nearest, ties to even,
// saturated. Results do not depend on the number of threads. Thread rule: immutable; concurrent callers have scratch of
// their own. Example:
//   if (RequantizedConvolution::suits(shape)) {
//     const RequantizedConvolution convolution(shape);
//     convolution.pack(weights, packed);              // convolution.packedBytes()
//     convolution.placeTerms(terms, added, scales);   // convolution.places() of each
//     convolution.run({.bytes = x, .padding = zero}, packed, {added, scales, 3}, y, scratch);   // scratchBytes()
//   }

#include <span>

#include "engine/math/integer_convolution.h"
#include "engine/math/requantized_loops.h"

namespace cutaway::math {

// The input as it is stored, [batch, cells, cellBytes]. Bytes count as unsigned after `flip` is applied (0x80 for
// signed ones); padding is a byte of the input.
struct RequantizedInput {
  const uint8_t* bytes = nullptr;
  uint8_t flip = 0, padding = 0;
};

class RequantizedConvolution {
 public:
  // Asks for groups, channels, window and dilations only. False on processors without the instructions.
  static bool suits(const IntegerConvolutionShape& shape);

  // A shape that suits; padsEnd is not read, the output says how far windows reach.
  explicit RequantizedConvolution(const IntegerConvolutionShape& shape,
                                  const RequantizedLoops& loops = *requantizedLoops());

  // Whether sums() can be asked, and is faster than the library.
  static bool sumsSuit(const IntegerConvolutionShape& shape);
  // Sums as they are, modulo 2^32: output [batch, cells, outChannels].
  void sums(const RequantizedInput& input, const int8_t* packed, int32_t* output, std::span<std::byte> scratch) const;

  bool isDepthwise() const { return m_depthwise; }
  // From one cell of the input to the next: as many as channels, or up to three more where there are many.
  int64_t cellBytes() const { return m_cellBytes; }
  int64_t packedBytes() const;
  // weights: row-major [outChannels, inChannels / groups, kernel...].
  void pack(const int8_t* weights, int8_t* packed) const;
  // The same for a window of one cell and one group. factor: row-major [inChannels, outChannels].
  void packFactor(const int8_t* factor, int8_t* packed) const;
  // Summands and scales stand in the order of the packed weights, filled up to whole vectors. terms: one for each
  // output channel; added, scales: `places` of each.
  int64_t places() const;
  void placeTerms(const SumsToBytes& terms, int32_t* added, float* scales) const;
  size_t scratchBytes() const;  // for the caller's number of threads
  // terms: placed. output: [batch, cells, outChannels].
  void run(const RequantizedInput& input, const int8_t* packed, const SumsToBytes& terms, uint8_t* output,
           std::span<std::byte> scratch) const;

 private:
  struct Memory;
  Memory memoryIn(std::span<std::byte> scratch) const;
  int usefulThreadsOf(int64_t workPerThread) const;
  int64_t groupMaps() const { return m_shape.outChannels / m_shape.groups; }
  int64_t groupVectors() const;
  int64_t groupPanels() const { return (groupVectors() + 1) / 2; }
  int64_t steps() const;
  int64_t taps() const { return m_shape.kernel[0] * m_shape.kernel[1] * m_shape.kernel[2]; }
  int64_t outputCells() const { return m_shape.batch * m_shape.output[0] * m_shape.output[1] * m_shape.output[2]; }
  int64_t blockCells() const;
  bool joinsRows() const;
  // Of the loops: rows of the window where those are joined, and their steps.
  int64_t denseTaps() const;
  int64_t denseSteps() const;
  int64_t vectorBytes() const;
  int64_t joinedBytes() const;
  void packDense(const int8_t* weights, int8_t* packed) const;
  void packMap(const int8_t* from, int64_t stepBytes, int8_t* to) const;
  void packJoinedMap(const int8_t* from, int64_t stepBytes, int8_t* to) const;
  void packDepthwise(const int8_t* weights, int8_t* packed) const;
  void findCells(const RequantizedInput& input, const uint8_t* padding, int64_t first, int64_t count,
                 const uint8_t** table) const;
  void joinRows(const RequantizedInput& input, uint8_t padding, int64_t first, int64_t count, const uint8_t** table,
                uint8_t* rows) const;
  // each: (cells, panel of maps, its place, its first cell and map of the output).
  template <typename Each>
  void overPanels(const RequantizedInput& input, const int8_t* packed, const Memory& memory, const Each& each) const;
  void runDepthwise(const RequantizedInput& input, const int8_t* packed, const SumsToBytes& terms, uint8_t* output,
                    const Memory& memory) const;

  const RequantizedLoops* m_loops;
  IntegerConvolutionShape m_shape;  // of three axes, the leading ones of size 1 where there are fewer
  bool m_depthwise = false;
  int64_t m_cellBytes = 0;
};

}  // namespace cutaway::math
