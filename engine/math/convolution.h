#pragma once
// Convolution and transposed convolution of floats over raw pointers, with bias, residual sum and activation in one go.
//
// A Convolution is made for one shape and one number of threads. Weights are packed once (pack) into the order the
// chosen implementation reads; activations may be plain or blocked, and are reordered on the way in and out when the
// implementation wants another order than the caller has. Thread rule: Convolution and PackedWeights are immutable and
// shared; each concurrent caller has its own Call. Example:
//   CUTAWAY_TRY(auto convolution, Convolution::create(shape));
//   CUTAWAY_TRY(auto packed, convolution->pack(weights));
//   Convolution::Call call(convolution);
//   CUTAWAY_CHECK(call.run({.input = x, .packed = packed.get(), .bias = b, .output = y, .scratch = scratch}));   //
//   scratch: convolution->scratchBytes()

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "engine/base/result.h"
#include "engine/math/activation.h"
#include "engine/math/precision.h"
#include "engine/tensor/shape.h"

namespace cutaway::math {

inline constexpr size_t kMaxSpatialRank = 3;
using SpatialDims = std::array<int64_t, kMaxSpatialRank>;

struct ConvolutionShape {
  int64_t batch = 1;
  int64_t inChannels = 1;
  int64_t outChannels = 1;
  int64_t groups = 1;
  size_t spatialRank = 2;
  SpatialDims input{}, output{}, kernel{}, strides{}, dilations{}, padsBegin{}, padsEnd{};  // dilations: 1 is dense
  bool transposed = false;  // weights are [in, out/groups, ...] then, and pads cut the output
  bool bias = false;
  bool residual = false;  // output = activation(convolution + bias + residual)
  Layout inputLayout = Layout::kPlain;
  Layout outputLayout = Layout::kPlain;  // of the residual too
  Precision precision = Precision::kFast;
  Activation activation;

  bool operator==(const ConvolutionShape&) const = default;
};

// Whether operands of this convolution are rounded to bfloat16 (precision.h). Winograd's algorithm on floats is as
// fast.
bool roundsToBfloat16(const ConvolutionShape& shape);

class PackedWeights;

struct ConvolutionArguments {
  const float* input = nullptr;
  const PackedWeights* packed = nullptr;  // or weights
  const float* weights = nullptr;         // row-major [out, in/groups, kernel...]; packed into scratch on every run
  const float* bias = nullptr;
  const float* residual = nullptr;  // may be output itself
  float* output = nullptr;
  std::span<std::byte> scratch;
};

class Convolution {
 public:
  struct Plan;
  // NOT_IMPLEMENTED when the library refuses the shape.
  static Result<std::shared_ptr<const Convolution>> create(const ConvolutionShape& shape);
  explicit Convolution(std::unique_ptr<const Plan> plan);
  ~Convolution();

  const ConvolutionShape& shape() const;
  int threads() const;  // currentThreads() when it was made; run it with the same
  size_t scratchBytes() const;
  std::string implementation() const;  // "jit:avx512_core", "brgconv:avx512_core_bf16", "winograd:4x4"
  Result<std::shared_ptr<const PackedWeights>> pack(const float* weights) const;
  // Whether weights packed for another shape fit here.
  bool accepts(const PackedWeights& packed) const;

  class Call {
   public:
    explicit Call(std::shared_ptr<const Convolution> convolution);
    ~Call();
    Call(Call&&) noexcept;
    Call& operator=(Call&&) noexcept;
    const Convolution& convolution() const { return *m_convolution; }
    Result<void> run(const ConvolutionArguments& arguments);

   private:
    struct Handles;
    std::shared_ptr<const Convolution> m_convolution;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
