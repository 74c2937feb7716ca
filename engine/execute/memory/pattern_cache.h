#pragma once
// Memory patterns by the exact dims of the feeds, the least recently used one dropped first.
//
// The key is the whole vector (rank, then dims, per feed), compared in full: different shapes never share a pattern.
// Thread rule: any thread; one short lock.
// Example: if (auto pattern = cache.find(key)) frame.use(pattern);  else trace, then cache.insert(key, pattern);

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/report/run_report.h"
#include "engine/stages/pattern/pattern.h"

namespace cutaway::execute {

class PatternCache {
 public:
  static constexpr size_t kCapacity = 32;
  using Key = std::vector<int64_t>;

  explicit PatternCache(size_t capacity = kCapacity) : m_capacity(capacity) {}

  std::shared_ptr<const pattern::MemoryPatternGroup> find(const Key& key);
  void insert(const Key& key, std::shared_ptr<const pattern::MemoryPatternGroup> pattern);

  PatternCacheStatistics statistics() const;

 private:
  struct KeyHash {
    size_t operator()(const Key& key) const noexcept;
  };
  using Entry = std::pair<Key, std::shared_ptr<const pattern::MemoryPatternGroup>>;
  const size_t m_capacity;
  mutable std::mutex m_mutex;
  std::list<Entry> m_entries;  // most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, KeyHash> m_byKey;
  PatternCacheStatistics m_statistics;
};

}  // namespace cutaway::execute
