#pragma once
// Constants in the layouts that kernels want, packed once in a process: sessions that use the same file share them.
//
// What was packed is known by its bytes - their place in a mapped file, or a keyed hash of the contents - and by a text
// that names library, layout and shape. The original's pages are given back to the system when they come from a mapped
// file; whoever still reads them gets them back from the file. Thread rule: any thread. Only preparing takes the lock;
// what is packed is immutable. Example:
//   PackScope scope(account);                                                                       // what is packed
//   from here on counts for this session return sharedPack<PackedMatrix>(asBytes(b, count), format, sizeBytes, [&] {
//   return reorder(b); });

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/result.h"

namespace cutaway {

struct PackedWeight {
  ~PackedWeight();
  std::shared_ptr<const void> object;
  int64_t sizeBytes = 0;
  int accounts = 0;  // sessions that use it; guarded by the registry's lock
  std::string key;
};

// What one session has packed.
class PackAccount : public std::enable_shared_from_this<PackAccount> {
 public:
  ~PackAccount();
  struct Totals {
    int64_t sizeBytes = 0;
    int64_t sharedBytes = 0;  // of these, used by another session too
  };
  Totals totals() const;

 private:
  friend class PackRegistry;
  mutable std::mutex m_mutex;
  std::unordered_map<const PackedWeight*, std::weak_ptr<PackedWeight>> m_used;
};

// Of the calling thread, until it goes out of scope.
class PackScope {
 public:
  explicit PackScope(PackAccount* account);
  ~PackScope();
  // Of the innermost scope; nobody, where there is none or nobody shares the account.
  static std::weak_ptr<PackAccount> current();
  PackScope(const PackScope&) = delete;
  PackScope& operator=(const PackScope&) = delete;

 private:
  PackAccount* m_previous;
};

using MakePacked = std::function<Result<std::shared_ptr<const void>>()>;
Result<std::shared_ptr<PackedWeight>> findOrPack(std::span<const std::byte> source, std::string_view format,
                                                 int64_t sizeBytes, const MakePacked& make);

// make() gives a Result<std::shared_ptr<const T>>. sizeBytes: of what is made.
template <typename T, typename Make>
Result<std::shared_ptr<const T>> sharedPack(std::span<const std::byte> source, std::string_view format,
                                            int64_t sizeBytes, Make&& make) {
  CUTAWAY_TRY(const std::shared_ptr<PackedWeight> packed,
              findOrPack(source, format, sizeBytes, [&]() -> Result<std::shared_ptr<const void>> {
                CUTAWAY_TRY(std::shared_ptr<const T> made, make());
                return std::shared_ptr<const void>(std::move(made));
              }));
  return std::shared_ptr<const T>(packed, static_cast<const T*>(packed->object.get()));
}

}  // namespace cutaway
