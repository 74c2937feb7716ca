#pragma once
// A constant operand in the order that an operation reads, packed when the first run asks for it: a session is ready
// without its weights being read, and the packing has the threads of the run.
//
// Operation is a class of engine/math with pack(const Element*). Halves that are packed as floats are widened for the
// packing alone, so that a model of halves holds no floats beside the packed ones. Counts for the session in whose
// PackScope it was made. Thread rule: any thread; who comes while another packs waits for it. Example:
//   auto packed = std::make_shared<const PackedOnUse<math::Convolution, math::PackedWeights, float>>(convolution, w);
//   CUTAWAY_TRY(const auto weights, packed->get());

#include <memory>
#include <mutex>
#include <type_traits>

#include "engine/tensor/packed_weight.h"
#include "engine/tensor/tensor.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {

// What an operation packs of a constant: floats of halves, everything else as it is.
template <typename Element>
Result<Tensor> toPack(const Tensor& constant) {
  if constexpr (std::is_same_v<Element, float>) return widenedConstant(constant);
  return constant;
}

template <typename Operation, typename Packed, typename Element>
class PackedOnUse {
 public:
  PackedOnUse(std::shared_ptr<const Operation> operation, Tensor constant)
      : m_operation(std::move(operation)), m_constant(std::move(constant)), m_account(PackScope::current()) {}

  // A failure is not kept: the next run tries again.
  Result<std::shared_ptr<const Packed>> get() const {
    const std::scoped_lock lock(m_mutex);
    if (m_packed == nullptr) {
      const std::shared_ptr<PackAccount> account = m_account.lock();
      const PackScope scope(account.get());
      CUTAWAY_TRY(const Tensor elements, toPack<Element>(m_constant));
      CUTAWAY_TRY(m_packed, m_operation->pack(elements.span<Element>().data()));
    }
    return m_packed;
  }

 private:
  std::shared_ptr<const Operation> m_operation;
  Tensor m_constant;
  std::weak_ptr<PackAccount> m_account;
  mutable std::mutex m_mutex;
  mutable std::shared_ptr<const Packed> m_packed;
};

}  // namespace cutaway::cpu
