#pragma once
// What this machine's heavy math likes: the channel block of activations, and moving tensors between layouts.
//
// Thread rule: LayoutChange is immutable after create; run it from several threads with a Call each.
// Example:
//   const Layout blocked = preferredBlockedLayout();                       // kBlocked16 with AVX-512
//   CUTAWAY_TRY(auto change, LayoutChange::create(dims, Layout::kPlain, blocked));
//   LayoutChange::Call call(*change);  CUTAWAY_CHECK(call.run(plain, packed, scratch));

#include <cstddef>
#include <memory>
#include <span>

#include "engine/base/result.h"
#include "engine/tensor/shape.h"

namespace cutaway::math {

// kBlocked16 where vectors hold 16 floats, else kBlocked8.
Layout preferredBlockedLayout();
// 8 or 16 for the blocked layouts, 1 otherwise.
int64_t channelBlock(Layout layout);

class LayoutChange {
 public:
  struct Plan;
  // dims: [batch, channels, 1 to 3 spatial axes]; elements are floats.
  static Result<std::shared_ptr<const LayoutChange>> create(std::span<const int64_t> dims, Layout from, Layout to);
  explicit LayoutChange(std::unique_ptr<const Plan> plan);
  ~LayoutChange();
  size_t scratchBytes() const;

  // Library handles of one caller; not to be shared between threads.
  class Call {
   public:
    explicit Call(std::shared_ptr<const LayoutChange> change);
    ~Call();
    Result<void> run(const float* from, float* to, std::span<std::byte> scratch);

   private:
    struct Handles;
    std::shared_ptr<const LayoutChange> m_change;
    std::unique_ptr<Handles> m_handles;
  };

 private:
  std::unique_ptr<const Plan> m_plan;
};

}  // namespace cutaway::math
