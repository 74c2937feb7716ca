#pragma once
// A constant operand as floats for a kernel that reads it where it lies: halves are widened by the first run that asks,
// and kept. A kernel that packs its operand needs none: PackedOnUse widens what it packs, and lets it go again.
//
// Counts for the session in whose PackScope it was made. Thread rule: any thread; who comes while another widens waits
// for it, nobody waits after that. Example:
//   FloatsOnUse floats(*info.constantInput(1));          // when the kernel is made
//   CUTAWAY_TRY(const float* b, floats.get());           // in a run

#include <atomic>
#include <mutex>

#include "engine/tensor/packed_weight.h"
#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

class FloatsOnUse {
 public:
  // constant: of floats or halves.
  explicit FloatsOnUse(Tensor constant);
  // NOT_IMPLEMENTED for other types; FAIL when memory is short, and the next run tries again.
  Result<const float*> get() const;

 private:
  Tensor m_constant;
  std::weak_ptr<PackAccount> m_account;
  mutable std::mutex m_mutex;
  mutable Tensor m_floats;
  mutable std::atomic<const float*> m_known = nullptr;
};

// An operand as a run has it, or the floats of the constant that it is. constant: of a constant operand; nullptr: the
// operand holds floats.
inline Result<const float*> floatsOf(const FloatsOnUse* constant, const Tensor& operand) {
  if (constant == nullptr || operand.type() == ElementType::kFloat) return operand.span<float>().data();
  return constant->get();
}

}  // namespace cutaway::cpu
