#pragma once
// Constants of a group in the orders that its primitives want: each is reordered once, whatever number of plans use it.
//
// Thread rule: safe from any thread. Example: std::shared_ptr<const void> bytes = *store.packed(value, from, tensor.data(), wanted);

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "providers/onednn/library.h"

namespace cutaway::onednn {

class WeightStore {
 public:
  // key: any number that stands for the same bytes for as long as this store lives.
  Result<std::shared_ptr<const void>> packed(uint32_t key, const Descriptor& from, const void* bytes, const Descriptor& wanted);

 private:
  struct Entry {
    Descriptor from, wanted;
    std::shared_ptr<const void> bytes;
  };
  std::mutex m_mutex;
  std::map<uint32_t, std::vector<Entry>> m_entries;
};

// Memory of this size, aligned for the library.
Result<std::shared_ptr<void>> newBytes(size_t sizeBytes);

}  // namespace cutaway::onednn
