#include "providers/cpu/kernels/floats_on_use.h"

#include "engine/base/cancel_scope.h"
#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {

FloatsOnUse::FloatsOnUse(std::function<Result<Tensor>()> make)
    : m_make(std::move(make)), m_account(PackScope::current()) {}

FloatsOnUse::FloatsOnUse(Tensor constant) : FloatsOnUse([constant] { return widenedConstant(constant); }) {
  if (constant.type() == ElementType::kFloat) m_known = constant.span<float>().data();
}

Result<const float*> FloatsOnUse::get() const {
  if (const float* known = m_known.load(std::memory_order_acquire); known != nullptr) return known;
  const std::scoped_lock lock(m_mutex);
  if (!m_floats.valid()) {
    const std::shared_ptr<PackAccount> account = m_account.lock();
    const PackScope scope(account.get());
    const CancelScope whole(nullptr);
    CUTAWAY_TRY(m_floats, m_make());
    m_make = nullptr;
  }
  const float* floats = m_floats.span<float>().data();
  m_known.store(floats, std::memory_order_release);
  return floats;
}

}  // namespace cutaway::cpu
