#include "providers/cpu/kernels/floats_on_use.h"

#include "providers/cpu/kernels/shared_constant.h"

namespace cutaway::cpu {

FloatsOnUse::FloatsOnUse(Tensor constant) : m_constant(std::move(constant)), m_account(PackScope::current()) {
  if (m_constant.type() == ElementType::kFloat) m_known = m_constant.span<float>().data();
}

Result<const float*> FloatsOnUse::get() const {
  if (const float* known = m_known.load(std::memory_order_acquire); known != nullptr) return known;
  const std::scoped_lock lock(m_mutex);
  if (!m_floats.valid()) {
    const std::shared_ptr<PackAccount> account = m_account.lock();
    const PackScope scope(account.get());
    CUTAWAY_TRY(m_floats, widenedConstant(m_constant));
  }
  const float* floats = m_floats.span<float>().data();
  m_known.store(floats, std::memory_order_release);
  return floats;
}

}  // namespace cutaway::cpu
