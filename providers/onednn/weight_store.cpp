#include "providers/onednn/weight_store.h"

#include "engine/tensor/allocator.h"
#include "providers/onednn/layout.h"

namespace cutaway::onednn {

namespace {

// Of what the library's vector instructions read without a penalty worth a copy: binaries inside a model's node are not aligned to cache lines.
constexpr uintptr_t kStoredAlignment = 16;

Result<std::shared_ptr<const void>> reorder(const Descriptor& from, const void* bytes, const Descriptor& wanted) {
  CUTAWAY_TRY(const std::shared_ptr<void> made, newBytes(wanted.get_size()));
  CUTAWAY_CHECK(attempt("weight reorder", [&] {
    const dnnl::memory source(from, engine(), const_cast<void*>(bytes)), target(wanted, engine(), made.get());
    dnnl::stream stream(engine());
    dnnl::reorder(source, target).execute(stream, const_cast<dnnl::memory&>(source), const_cast<dnnl::memory&>(target));
    stream.wait();
  }));
  return made;
}

}  // namespace

Result<std::shared_ptr<void>> newBytes(size_t sizeBytes) {
  void* block = heapAllocator().allocate(sizeBytes);
  if (block == nullptr) return fail(ErrorCode::kEpFail, "no memory for {} bytes of reordered weights", sizeBytes);
  return std::shared_ptr<void>(block, [](void* bytes) { heapAllocator().release(bytes); });
}

WeightStore::WeightStore(std::vector<StoredWeight> stored, std::shared_ptr<const void> keepAlive) : m_keepAlive(std::move(keepAlive)) {
  for (StoredWeight& each : stored) {
    const uint32_t key = each.key;
    m_stored.emplace(key, std::move(each));
  }
}

// In the layout that is wanted; else from the original; else from another layout that is stored.
Result<std::shared_ptr<const void>> WeightStore::findStored(uint32_t key, const Descriptor& from, const void* bytes, const Descriptor& wanted) const {
  const auto [begin, end] = m_stored.equal_range(key);
  const std::string fromText = layoutBytes(from), wantedText = layoutBytes(wanted);
  for (auto at = begin; at != end && !wantedText.empty(); ++at) {
    const StoredWeight& stored = at->second;
    const bool aligned = reinterpret_cast<uintptr_t>(stored.bytes.data()) % kStoredAlignment == 0;
    if (stored.from == fromText && stored.layout == wantedText && stored.bytes.size() == wanted.get_size() && aligned) return std::shared_ptr<const void>(m_keepAlive, stored.bytes.data());
  }
  if (bytes != nullptr) return reorder(from, bytes, wanted);
  for (auto at = begin; at != end; ++at) {
    const StoredWeight& stored = at->second;
    if (stored.from != fromText) continue;
    CUTAWAY_TRY(const Descriptor layout, readLayout(stored.layout, stored.bytes.size()));
    if (layout.dims() != wanted.dims() || layout.data_type() != from.data_type()) return fail(ErrorCode::kEpFail, "the compiled group is damaged: a packed constant has other dims than its use");
    return reorder(layout, stored.bytes.data(), wanted);
  }
  return fail(ErrorCode::kEpFail, "the compiled group does not have the numbers of one of its constants");
}

Result<std::shared_ptr<const void>> WeightStore::packed(uint32_t key, const Descriptor& from, const void* bytes, const Descriptor& wanted) {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry>& entries = m_entries[key];
  for (const Entry& entry : entries) {
    if (entry.from == from && entry.wanted == wanted) return entry.bytes;
  }
  CUTAWAY_TRY(std::shared_ptr<const void> made, findStored(key, from, bytes, wanted));
  entries.push_back({key, from, wanted, std::move(made)});
  return entries.back().bytes;
}

std::vector<WeightStore::Entry> WeightStore::entries() const {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry> all;
  for (const auto& [key, entries] : m_entries) all.insert(all.end(), entries.begin(), entries.end());
  return all;
}

}  // namespace cutaway::onednn
