#pragma once
// Convolutions by our own loops, for shapes where they beat the library's.
//
// Input, output and residual have their channels last unless a shape asks for blocks; weights are put in order once.
// Results do not depend on the number of threads. Thread rule: immutable; concurrent callers have scratch of their own.
// Example:
//   if (const auto own = OwnConvolution::forShape(shape)) {
//     ...   // weights in the order of own->weightStrides()
//     own->transformWeights(weights, packed);   // own->weightCount() floats
//     own->run(input, packed, {.bias = bias}, output, scratch);   // own->scratchBytes()
//   }

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/math/channel_loops.h"
#include "engine/math/convolution.h"

namespace cutaway::math {

class OwnConvolution {
 public:
  // nullptr: the library's is expected to be faster, or the only one. Made for the caller's number of threads.
  static std::shared_ptr<const OwnConvolution> forShape(const ConvolutionShape& shape);
  // For a shape that the library computes as products of gathered columns, or in a plain loop; nullptr: as well as
  // ours.
  static std::shared_ptr<const OwnConvolution> insteadOfSlowForm(const ConvolutionShape& shape);

  virtual ~OwnConvolution() = default;
  virtual std::string implementation() const = 0;  // "winograd:4x4"; weights in order differ only where it or they do
  virtual Layout inputLayout() const { return Layout::kChannelsLast; }
  virtual Layout outputLayout() const { return Layout::kChannelsLast; }  // of the residual too
  // Of the weights that transformWeights reads: floats from one output channel, input channel, row and column of the
  // window to the next. Groups lie one behind the other.
  virtual std::array<int64_t, 4> weightStrides() const = 0;
  virtual int64_t weightCount() const = 0;  // floats after transformWeights
  virtual void transformWeights(const float* weights, float* packed) const = 0;
  virtual size_t scratchBytes() const = 0;
  // The residual may be output itself.
  virtual void run(const float* input, const float* packed, const ChannelEpilogue& epilogue, float* output,
                   std::span<std::byte> scratch) const = 0;
};

}  // namespace cutaway::math
