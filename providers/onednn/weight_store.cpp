#include "providers/onednn/weight_store.h"

#include "engine/tensor/allocator.h"

namespace cutaway::onednn {

Result<std::shared_ptr<void>> newBytes(size_t sizeBytes) {
  void* block = heapAllocator().allocate(sizeBytes);
  if (block == nullptr) return fail(ErrorCode::kEpFail, "no memory for {} bytes of reordered weights", sizeBytes);
  return std::shared_ptr<void>(block, [](void* bytes) { heapAllocator().release(bytes); });
}

Result<std::shared_ptr<const void>> WeightStore::packed(uint32_t key, const Descriptor& from, const void* bytes, const Descriptor& wanted) {
  const std::lock_guard lock(m_mutex);
  std::vector<Entry>& entries = m_entries[key];
  for (const Entry& entry : entries) {
    if (entry.from == from && entry.wanted == wanted) return entry.bytes;
  }
  CUTAWAY_TRY(const std::shared_ptr<void> made, newBytes(wanted.get_size()));
  CUTAWAY_CHECK(attempt("weight reorder", [&] {
    const dnnl::memory source(from, engine(), const_cast<void*>(bytes)), target(wanted, engine(), made.get());
    dnnl::stream stream(engine());
    dnnl::reorder(source, target).execute(stream, const_cast<dnnl::memory&>(source), const_cast<dnnl::memory&>(target));
    stream.wait();
  }));
  entries.push_back({from, wanted, made});
  return entries.back().bytes;
}

}  // namespace cutaway::onednn
