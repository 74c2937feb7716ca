#include "engine/base/short_memory.h"

#include <utility>

#include "engine/base/free_memory.h"
#include "engine/base/memory_advice.h"
#include "engine/base/thread_work.h"

namespace cutaway {

namespace {

// Where that is the reason.
std::string freeText(int64_t sizeBytes) {
  if (isFree(sizeBytes)) return {};
  return fmt::format("; {} are free", freeMemoryBytes().value_or(0));
}

thread_local constinit ShortMemoryScope* t_scope = nullptr;

Error told(Error error) {
  if (t_scope != nullptr) t_scope->tell(error);
  return error;
}

}  // namespace

Error noMemoryFor(std::string_view what, int64_t sizeBytes, const MemoryAllowance& allowance) {
  const auto& [heldBytes, limitBytes] = allowance;
  if (limitBytes <= 0 || sizeBytes <= limitBytes - heldBytes)
    return told({ErrorCode::kFail,
                 fmt::format("no memory for {} ({} bytes{}): {}", what, sizeBytes, freeText(sizeBytes), kMemoryAdvice),
                 {}});
  const std::string held = heldBytes > 0 ? fmt::format("{} bytes are held, and ", heldBytes) : std::string();
  return {.code = ErrorCode::kFail,
          .message = fmt::format("no memory for {} ({} bytes): {}the memory limit is {} bytes; raise it", what,
                                 sizeBytes, held, limitBytes),
          .where = {},
          .byPolicy = true};
}

Error outOfMemory(const std::bad_alloc& refused, std::string_view where) {
  std::string text = fmt::format("out of memory{}{}", where.empty() ? "" : " ", where);
  if (const auto* const known = dynamic_cast<const RefusedAllocation*>(&refused))
    text += fmt::format(" ({} bytes{}{})", known->sizeBytes(), known->doing().empty() ? "" : ", in ", known->doing());
  return told({ErrorCode::kRuntimeException, fmt::format("{}: {}", text, kMemoryAdvice), {}});
}

RefusedAllocation::RefusedAllocation(size_t sizeBytes) : m_sizeBytes(sizeBytes) {
  const ThreadWork& work = currentWork();
  if (work.tell != nullptr) m_length = work.tell(work.of, work.index, m_doing.data(), m_doing.size());
}

ShortMemoryScope::ShortMemoryScope() : m_outer(std::exchange(t_scope, this)) {}

ShortMemoryScope::~ShortMemoryScope() {
  t_scope = m_outer;
}

std::optional<Error> ShortMemoryScope::refusal() const {
  if (!m_isRefused) return std::nullopt;
  const std::lock_guard lock(m_mutex);
  return m_first;
}

void ShortMemoryScope::tell(const Error& refusal) noexcept {
  {
    const std::lock_guard lock(m_mutex);
    try {
      if (!m_first) m_first = refusal;
    } catch (const std::bad_alloc&) {  // short enough to need none
      m_first.emplace(Error{.code = refusal.code, .message = "out of memory", .where = {}});
    }
    m_isRefused = true;
  }
  if (m_outer != nullptr) m_outer->tell(refusal);
}

ShortMemoryScope* ShortMemoryScope::current() {
  return t_scope;
}

ShortMemoryHelp::ShortMemoryHelp(ShortMemoryScope* scope) : m_before(std::exchange(t_scope, scope)) {}

ShortMemoryHelp::~ShortMemoryHelp() {
  t_scope = m_before;
}

}  // namespace cutaway
