#include "engine/execute/memory/pattern_cache.h"

namespace cutaway::execute {

// FNV-1a over the numbers.
size_t PatternCache::KeyHash::operator()(const Key& key) const noexcept {
  uint64_t hash = 14695981039346656037ull;
  for (int64_t number : key)
    hash = (hash ^ static_cast<uint64_t>(number)) * 1099511628211ull;
  return static_cast<size_t>(hash);
}

std::shared_ptr<const pattern::MemoryPatternGroup> PatternCache::find(const Key& key) {
  const std::scoped_lock lock(m_mutex);
  const auto found = m_byKey.find(key);
  if (found == m_byKey.end()) {
    ++m_statistics.misses;
    return nullptr;
  }
  ++m_statistics.hits;
  m_entries.splice(m_entries.begin(), m_entries, found->second);
  return found->second->second;
}

void PatternCache::insert(const Key& key, std::shared_ptr<const pattern::MemoryPatternGroup> pattern) {
  const std::scoped_lock lock(m_mutex);
  if (const auto found = m_byKey.find(key); found != m_byKey.end()) {
    found->second->second = std::move(pattern);
    return;
  }
  if (m_capacity == 0) return;
  if (m_entries.size() >= m_capacity) {
    m_byKey.erase(m_entries.back().first);
    m_entries.pop_back();
    ++m_statistics.evictions;
  }
  m_entries.emplace_front(key, std::move(pattern));
  m_byKey.emplace(key, m_entries.begin());
}

PatternCacheStatistics PatternCache::statistics() const {
  const std::scoped_lock lock(m_mutex);
  PatternCacheStatistics result = m_statistics;
  result.entries = static_cast<int64_t>(m_entries.size());
  return result;
}

}  // namespace cutaway::execute
