#pragma once
// Constants as the floats that a kernel of ours reads, made by the first run that asks and kept: halves that are
// widened, weights in panels. A session is ready without them, and making them has the threads of the run. A kernel
// that has an operand packed by an operation of engine/math takes PackedOnUse instead.
//
// Counts for the session in whose PackScope it was made. Thread rule: any thread; who comes while another widens waits
// for it, nobody waits after that; what stops that run does not stop the making, which outlives it. Example:
//   FloatsOnUse floats(*info.constantInput(1));          // when the kernel is made
//   CUTAWAY_TRY(const float* b, floats.get());           // in a run

#include <atomic>
#include <functional>
#include <mutex>

#include "engine/tensor/packed_weight.h"
#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

class FloatsOnUse {
 public:
  // constant: of floats or halves.
  explicit FloatsOnUse(Tensor constant);
  // make: gives a tensor of floats; called by one thread at a time, until it succeeds.
  explicit FloatsOnUse(std::function<Result<Tensor>()> make);
  // NOT_IMPLEMENTED for a constant of another type; FAIL when memory is short, and the next run tries again.
  Result<const float*> get() const;

 private:
  mutable std::function<Result<Tensor>()> m_make;  // keeps the constant; empty once it is not read any more
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
