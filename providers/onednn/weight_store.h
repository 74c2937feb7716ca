#pragma once
// Constants of a group in the orders that its primitives want: each is reordered once, whatever number of plans use it.
// A store of a restored group begins with what the context holds: used where it lies, as long as the library still
// wants the layout it was stored in.
//
// Thread rule: safe from any thread. Example: std::shared_ptr<const void> bytes = *store.packed(value, from,
// tensor.data(), wanted);

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "providers/onednn/library.h"

namespace cutaway::onednn {

// A constant as a context has it; layouts as layoutBytes() writes them. Comes from a file: nothing is believed.
struct StoredWeight {
  uint32_t key = 0;
  std::string from, layout;
  std::span<const std::byte> bytes;
};

class WeightStore {
 public:
  WeightStore() = default;
  // keepAlive: of all their bytes.
  WeightStore(std::vector<StoredWeight> stored, std::shared_ptr<const void> keepAlive);

  // key: any number that stands for the same bytes for as long as this store lives. bytes: null when only the stored
  // layouts are there; EP_FAIL when these do not serve.
  Result<std::shared_ptr<const void>> packed(uint32_t key, const Descriptor& from, const void* bytes,
                                             const Descriptor& wanted);

  struct Entry {
    uint32_t key = 0;
    Descriptor from, wanted;
    std::shared_ptr<const void> bytes;
    bool inContext = false;
  };
  // Of those that were reordered: not the ones used where a context has them.
  int64_t packedBytes() const;
  // What was asked for so far.
  std::vector<Entry> entries() const;

 private:
  std::shared_ptr<const void> storedBytes(uint32_t key, const std::string& from, const std::string& wanted,
                                          size_t sizeBytes) const;
  Result<Entry> find(uint32_t key, const Descriptor& from, const void* bytes, const Descriptor& wanted) const;

  mutable std::mutex m_mutex;
  std::map<uint32_t, std::vector<Entry>> m_entries;
  std::multimap<uint32_t, StoredWeight> m_stored;
  std::shared_ptr<const void> m_keepAlive;
};

// Fresh memory in another layout.
Result<std::shared_ptr<const void>> reorderedCopy(const Descriptor& from, const void* bytes, const Descriptor& wanted);
// Memory of this size, aligned for the library.
Result<std::shared_ptr<void>> newBytes(size_t sizeBytes);

}  // namespace cutaway::onednn
