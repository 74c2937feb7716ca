#include "engine/tensor/heap_limit.h"

#include "engine/base/short_memory.h"
#include "engine/tensor/string_block.h"
#include "engine/tensor/value_bytes.h"

namespace cutaway {
namespace {

// Of the scope that holds it: a pointer needs no destructor of the thread's.
thread_local constinit const std::shared_ptr<HeapBudget>* t_budget = nullptr;

}  // namespace

HeapLimit::HeapLimit(int64_t bytes) : m_previous(t_budget) {
  if (bytes <= 0 || (t_budget != nullptr && (*t_budget)->limitBytes() <= bytes)) return;
  m_budget = std::make_shared<HeapBudget>(bytes);
  t_budget = &m_budget;
}

HeapLimit::HeapLimit(std::shared_ptr<HeapBudget> budget) : m_budget(std::move(budget)), m_previous(t_budget) {
  if (m_budget != nullptr) t_budget = &m_budget;
}

HeapLimit::~HeapLimit() {
  t_budget = m_previous;
}

std::shared_ptr<HeapBudget> HeapLimit::budget() {
  return t_budget != nullptr ? *t_budget : nullptr;
}

CountedElsewhere::CountedElsewhere() : m_previous(t_budget) {
  t_budget = nullptr;
}

CountedElsewhere::~CountedElsewhere() {
  t_budget = m_previous;
}

bool HeapHold::holdTexts(int64_t sizeBytes) {
  // Two threads may read the same strings at once: the difference is counted by whoever comes first.
  int64_t known = m_texts.load(std::memory_order_relaxed);
  const int64_t more = sizeBytes - known;
  if (more == 0) return true;
  if (!m_budget->hold(more)) return false;
  if (!m_texts.compare_exchange_strong(known, sizeBytes, std::memory_order_relaxed)) m_budget->release(more);
  return true;
}

Result<void> holdTexts(const Tensor& tensor) {
  if (tensor.type() != ElementType::kString) return {};
  const StringBlock* block = std::get_deleter<StringBlock>(tensor.keepAlive());
  if (block == nullptr || block->hold == nullptr) return {};
  int64_t bytes = 0;
  for (size_t i = 0; i < block->count; ++i)
    bytes += static_cast<int64_t>(block->strings[i].size());
  if (block->hold->holdTexts(bytes)) return {};
  return fail(
      noMemoryFor(fmt::format("strings{}", dimsToText(tensor.dims())), bytes,
                  {.heldBytes = block->hold->budget().heldBytes(), .limitBytes = block->hold->budget().limitBytes()}));
}

}  // namespace cutaway
