#include "providers/onednn/weight_store.h"

#include "engine/base/short_memory.h"
#include "engine/tensor/allocator.h"
#include "engine/tensor/packed_weight.h"
#include "providers/onednn/layout.h"

namespace cutaway::onednn {

namespace {

// Of what the library's vector instructions read without a penalty worth a copy: binaries inside a model's node are not
// aligned to cache lines.
constexpr uintptr_t kStoredAlignment = 16;
constexpr size_t kLeastShared = 4096;  // looking for smaller ones costs more than they do

// Sessions of one process that open the same model have one copy.
Result<std::shared_ptr<const void>> reorderOnce(const Descriptor& from, const void* bytes, const Descriptor& wanted,
                                                const std::string& layouts) {
  const std::span<const std::byte> source(static_cast<const std::byte*>(bytes), from.get_size());
  const auto make = [&] { return reorderedCopy(from, bytes, wanted); };
  CUTAWAY_TRY(const std::shared_ptr<PackedWeight> packed, findOrPack(source, "onednn " + libraryVersion() + layouts,
                                                                     static_cast<int64_t>(wanted.get_size()), make));
  return std::shared_ptr<const void>(packed, packed->object.get());
}

}  // namespace

Result<std::shared_ptr<const void>> reorderedCopy(const Descriptor& from, const void* bytes, const Descriptor& wanted) {
  CUTAWAY_TRY(const std::shared_ptr<void> made, newBytes(wanted.get_size()));
  CUTAWAY_CHECK(attempt("weight reorder", [&] {
    const dnnl::memory source(from, engine(), const_cast<void*>(bytes)), target(wanted, engine(), made.get());
    dnnl::stream stream(engine());
    dnnl::reorder(source, target).execute(stream, const_cast<dnnl::memory&>(source), const_cast<dnnl::memory&>(target));
    stream.wait();
  }));
  return made;
}

Result<std::shared_ptr<void>> newBytes(size_t sizeBytes) {
  void* block = heapAllocator().allocate(sizeBytes);
  if (block == nullptr) return fail(noMemoryFor("reordered weights", static_cast<int64_t>(sizeBytes)));
  return std::shared_ptr<void>(block, [](void* bytes) { heapAllocator().release(bytes); });
}

WeightStore::WeightStore(std::vector<StoredWeight> stored, std::shared_ptr<const void> keepAlive)
    : m_keepAlive(std::move(keepAlive)) {
  for (StoredWeight& each : stored) {
    const uint32_t key = each.key;
    m_stored.emplace(key, std::move(each));
  }
}

std::shared_ptr<const void> WeightStore::storedBytes(uint32_t key, const std::string& from, const std::string& wanted,
                                                     size_t sizeBytes) const {
  const auto [begin, end] = m_stored.equal_range(key);
  for (auto at = begin; at != end && !wanted.empty(); ++at) {
    const StoredWeight& stored = at->second;
    const bool aligned = reinterpret_cast<uintptr_t>(stored.bytes.data()) % kStoredAlignment == 0;
    if (stored.from == from && stored.layout == wanted && stored.bytes.size() == sizeBytes && aligned)
      return std::shared_ptr<const void>(m_keepAlive, stored.bytes.data());
  }
  return nullptr;
}

// In the layout that is wanted; else from the original; else from another layout that is stored.
Result<WeightStore::Entry> WeightStore::find(uint32_t key, const Descriptor& from, const void* bytes,
                                             const Descriptor& wanted) const {
  const std::string fromText = layoutBytes(from), wantedText = layoutBytes(wanted);
  Entry entry{key, from, wanted, storedBytes(key, fromText, wantedText, wanted.get_size()), true};
  if (entry.bytes != nullptr) return entry;
  entry.inContext = false;
  const bool keyed = !fromText.empty() && !wantedText.empty() && wanted.get_size() >= kLeastShared;
  if (bytes != nullptr) {
    CUTAWAY_TRY(entry.bytes,
                keyed ? reorderOnce(from, bytes, wanted, fromText + wantedText) : reorderedCopy(from, bytes, wanted));
    return entry;
  }
  const auto [begin, end] = m_stored.equal_range(key);
  for (auto at = begin; at != end; ++at) {
    const StoredWeight& stored = at->second;
    if (stored.from != fromText) continue;
    CUTAWAY_TRY(const Descriptor layout, readLayout(stored.layout, stored.bytes.size()));
    // One that was rounded (precision=bf16) serves a shape whose primitive wants floats, too.
    const bool sameType = layout.data_type() == from.data_type() || layout.data_type() == DataType::bf16;
    if (layout.dims() != wanted.dims() || !sameType)
      return fail(ErrorCode::kEpFail, "the compiled group is damaged: a packed constant has other dims than its use");
    CUTAWAY_TRY(entry.bytes, reorderedCopy(layout, stored.bytes.data(), wanted));
    return entry;
  }
  return fail(ErrorCode::kEpFail, "the compiled group does not have the numbers of one of its constants");
}

Result<std::shared_ptr<const void>> WeightStore::packed(uint32_t key, const Descriptor& from, const void* bytes,
                                                        const Descriptor& wanted) {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry>& entries = m_entries[key];
  for (const Entry& entry : entries) {
    if (entry.from == from && entry.wanted == wanted) return entry.bytes;
  }
  CUTAWAY_TRY(Entry made, find(key, from, bytes, wanted));
  entries.push_back(std::move(made));
  return entries.back().bytes;
}

int64_t WeightStore::packedBytes() const {
  const std::lock_guard lock(m_mutex);
  int64_t size = 0;
  for (const auto& [key, entries] : m_entries) {
    for (const Entry& entry : entries)
      size += entry.inContext ? 0 : static_cast<int64_t>(entry.wanted.get_size());
  }
  return size;
}

std::vector<WeightStore::Entry> WeightStore::entries() const {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry> all;
  for (const auto& [key, entries] : m_entries)
    all.insert(all.end(), entries.begin(), entries.end());
  return all;
}

}  // namespace cutaway::onednn
