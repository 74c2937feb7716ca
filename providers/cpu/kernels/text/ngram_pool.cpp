#include "providers/cpu/kernels/text/ngram_pool.h"

namespace cutaway::cpu::text {

int32_t NgramPool::step(int32_t node, int32_t token) {
  const auto [found, isNew] = m_building.try_emplace(stepKey(node, token), static_cast<int32_t>(m_ngrams.size()));
  if (isNew) m_ngrams.push_back(kNone);
  return found->second;
}

Result<void> NgramPool::add(std::span<const int32_t> tokens, int32_t ngram) {
  int32_t node = kNone;
  for (const int32_t token : tokens)
    node = step(node, token);
  int32_t& place = m_ngrams[static_cast<size_t>(node)];
  if (place != kNone)
    return fail(ErrorCode::kInvalidArgument, "n-gram {} of the pool is n-gram {} again", ngram, place);
  place = ngram;
  return {};
}

void NgramPool::finish(size_t tokenCount) {
  m_first.assign(tokenCount, kNone);
  // The lookup gives positions, so nodes are put in the order of their numbers.
  std::vector<int64_t> keys(m_ngrams.size(), stepKey(kNone, kNone));
  for (const auto& [key, node] : m_building) {
    const auto from = static_cast<int32_t>(key >> 32);
    if (from == kNone)
      m_first[static_cast<uint32_t>(key)] = node;
    else
      keys[static_cast<size_t>(node)] = key;
  }
  m_next = NumberLookup(keys, Repeated::kFirst);
  m_building.clear();
}

}  // namespace cutaway::cpu::text
