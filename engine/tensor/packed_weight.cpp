#include "engine/tensor/packed_weight.h"

#define XXH_INLINE_ALL
#include <array>
#include <random>

#include <xxhash.h>

#include "engine/base/cancel_scope.h"
#include "engine/base/mapped_pages.h"

namespace cutaway {
namespace {

thread_local PackAccount* t_account = nullptr;

// A secret of this process alone: nobody can prepare two contents with the same hash.
const std::array<uint64_t, 24>& secret() {
  static const auto bytes = [] {
    std::array<uint64_t, 24> result{};
    std::random_device device;
    for (uint64_t& each : result)
      each = (uint64_t{device()} << 32) | device();
    return result;
  }();
  return bytes;
}

std::string keyOf(std::span<const std::byte> source, std::string_view format) {
  if (const auto place = placeInFile(source)) {
    return fmt::format("file {} {} {} {} {} {} {}", place->device, place->inode, place->modifiedNs, place->fileSize,
                       place->offset, source.size(), format);
  }
  const XXH128_hash_t hash = XXH3_128bits_withSecret(source.data(), source.size(), secret().data(), sizeof(secret()));
  return fmt::format("bytes {:x} {:x} {} {}", hash.high64, hash.low64, source.size(), format);
}

}  // namespace

class PackRegistry {
 public:
  static PackRegistry& instance() {
    // Never destroyed: packed weights may outlive the end of main in other threads.
    static auto* registry = new PackRegistry;
    return *registry;
  }

  std::shared_ptr<PackedWeight> find(const std::string& key) {
    const std::scoped_lock lock(m_mutex);
    const auto found = m_byKey.find(key);
    return found == m_byKey.end() ? nullptr : found->second.lock();
  }
  // What another thread packed meanwhile wins.
  std::shared_ptr<PackedWeight> insert(std::shared_ptr<PackedWeight> made) {
    const std::scoped_lock lock(m_mutex);
    std::weak_ptr<PackedWeight>& entry = m_byKey[made->key];
    if (auto known = entry.lock()) return known;
    entry = made;
    return made;
  }
  void forget(const std::string& key) {
    const std::scoped_lock lock(m_mutex);
    const auto found = m_byKey.find(key);
    if (found != m_byKey.end() && found->second.expired()) m_byKey.erase(found);
  }
  void note(PackAccount& account, const std::shared_ptr<PackedWeight>& packed) {
    const std::scoped_lock both(account.m_mutex, m_mutex);
    const auto [known, isNew] = account.m_used.try_emplace(packed.get(), packed);
    if (!isNew && !known->second.expired()) return;
    known->second = packed;  // new, or another that lies where an older one was
    ++packed->accounts;
  }
  static int accounts(const PackedWeight& packed) {
    const std::scoped_lock lock(instance().m_mutex);
    return packed.accounts;
  }
  static void leave(PackedWeight& packed) {
    const std::scoped_lock lock(instance().m_mutex);
    --packed.accounts;
  }

 private:
  std::mutex m_mutex;
  std::unordered_map<std::string, std::weak_ptr<PackedWeight>> m_byKey;
};

PackedWeight::~PackedWeight() {
  if (!key.empty()) PackRegistry::instance().forget(key);
}

PackAccount::~PackAccount() {
  for (const auto& [address, used] : m_used) {
    if (const auto alive = used.lock()) PackRegistry::leave(*alive);
  }
}

PackAccount::Totals PackAccount::totals() const {
  const std::scoped_lock lock(m_mutex);
  Totals totals;
  for (const auto& [address, used] : m_used) {
    const auto alive = used.lock();
    if (alive == nullptr) continue;
    totals.sizeBytes += alive->sizeBytes;
    if (PackRegistry::accounts(*alive) > 1) totals.sharedBytes += alive->sizeBytes;
  }
  return totals;
}

PackScope::PackScope(PackAccount* account) : m_previous(t_account) {
  t_account = account;
}
PackScope::~PackScope() {
  t_account = m_previous;
}

std::weak_ptr<PackAccount> PackScope::current() {
  return t_account != nullptr ? t_account->weak_from_this() : std::weak_ptr<PackAccount>();
}

Result<std::shared_ptr<PackedWeight>> findOrPack(std::span<const std::byte> source, std::string_view format,
                                                 int64_t sizeBytes, const MakePacked& make) {
  std::string key = keyOf(source, format);
  std::shared_ptr<PackedWeight> packed = PackRegistry::instance().find(key);
  if (packed == nullptr) {
    // It outlives the run that asked for it: one that is stopped meanwhile must not leave half of it undone.
    const CancelScope whole(nullptr);
    auto made = std::make_shared<PackedWeight>();
    CUTAWAY_TRY(made->object, make());
    made->sizeBytes = sizeBytes;
    made->key = std::move(key);
    packed = PackRegistry::instance().insert(std::move(made));
    releasePages(source);
  }
  if (t_account != nullptr) PackRegistry::instance().note(*t_account, packed);
  return packed;
}

}  // namespace cutaway
