#pragma once
// Max and average pooling of floats over raw pointers, in plain or blocked layouts.
//
// Thread rule: Pooling is immutable and shared; each concurrent caller has its own Call.
// Example: CUTAWAY_TRY(auto pooling, Pooling::create(shape));  Pooling::Call call(pooling);  CUTAWAY_CHECK(call.run(x,
// y, scratch));

#include <memory>
#include <span>
#include <string>

#include "engine/math/convolution.h"

namespace cutaway::math {

enum class PoolingKind : uint8_t { kMax, kAverageIncludingPadding, kAverageExcludingPadding };

struct PoolingShape {
  PoolingKind kind = PoolingKind::kMax;
  int64_t batch = 1;
  int64_t channels = 1;
  size_t spatialRank = 2;
  SpatialDims input{}, output{}, kernel{}, strides{}, dilations{}, padsBegin{}, padsEnd{};  // dilations: 1 is dense
  Layout layout = Layout::kPlain;
  bool operator==(const PoolingShape&) const = default;
};

class Pooling {
 public:
  struct Plan;
  static Result<std::shared_ptr<const Pooling>> create(const PoolingShape& shape);
  explicit Pooling(std::unique_ptr<const Plan> plan);
  ~Pooling();
  const PoolingShape& shape() const;
  int threads() const;
  size_t scratchBytes() const;
  std::string implementation() const;

  class Call {
   public:
    explicit Call(std::shared_ptr<const Pooling> pooling);
    ~Call();
    Call(Call&&) noexcept;
    Call& operator=(Call&&) noexcept;
    const Pooling& pooling() const { return *m_pooling; }
    Result<void> run(const float* input, float* output, std::span<std::byte> scratch);

   private:
    struct Handles;
    std::shared_ptr<const Pooling> m_pooling;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
