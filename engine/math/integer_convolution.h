#pragma once
// Convolutions of bytes in exact 32-bit sums: unsigned input, signed weights, sums modulo 2^32; activations are stored
// channels last.
//
// Padding counts as byte 0. A caller whose zero point is another pads the input itself, so that every window counts the
// same and zero points need only sums of the weights. Thread rule: IntegerConvolution and PackedBytes are immutable and
// shared; each concurrent caller has its own Call. Example:
//   CUTAWAY_TRY(auto convolution, IntegerConvolution::create(shape));
//   CUTAWAY_TRY(auto packed, convolution->pack(weights));
//   IntegerConvolution::Call call(convolution);  CUTAWAY_CHECK(call.run(x, *packed, sums, scratch));

#include "engine/math/convolution.h"
#include "engine/math/integer_product.h"

namespace cutaway::math {

struct IntegerConvolutionShape {
  int64_t batch = 1;
  int64_t inChannels = 1;
  int64_t outChannels = 1;
  int64_t groups = 1;
  size_t spatialRank = 2;
  SpatialDims input{}, output{}, kernel{}, strides{}, dilations{}, padsBegin{}, padsEnd{};  // dilations: 1 is dense
  bool operator==(const IntegerConvolutionShape&) const = default;
};

class IntegerConvolution {
 public:
  struct Plan;
  // All extents are at least 1. NOT_IMPLEMENTED when the library refuses the shape.
  static Result<std::shared_ptr<const IntegerConvolution>> create(const IntegerConvolutionShape& shape);
  explicit IntegerConvolution(std::unique_ptr<const Plan> plan);
  ~IntegerConvolution();

  const IntegerConvolutionShape& shape() const;
  int threads() const;
  size_t scratchBytes() const;
  std::string implementation() const;
  // weights: row-major [outChannels, inChannels / groups, kernel...].
  Result<std::shared_ptr<const PackedBytes>> pack(const int8_t* weights) const;
  bool accepts(const PackedBytes& packed) const;

  class Call {
   public:
    explicit Call(std::shared_ptr<const IntegerConvolution> convolution);
    ~Call();
    Call(Call&&) noexcept;
    Call& operator=(Call&&) noexcept;
    const IntegerConvolution& convolution() const { return *m_convolution; }
    Result<void> run(const uint8_t* input, const PackedBytes& weights, int32_t* output, std::span<std::byte> scratch);

   private:
    struct Handles;
    std::shared_ptr<const IntegerConvolution> m_convolution;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
