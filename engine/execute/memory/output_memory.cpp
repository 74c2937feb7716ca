#include "engine/execute/memory/output_memory.h"

#include <memory>

#include "engine/base/short_memory.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::execute {
namespace {

// The last holder may have let go on another thread: what it read or wrote came before. use_count() alone does not wait
// for that; a reference that is taken from a weak one does (and is understood by the thread sanitizer, unlike a fence).
bool isIdle(const Tensor& tensor) {
  if (tensor.keepAlive().use_count() != 1) return false;
  return std::weak_ptr(tensor.keepAlive()).lock() != nullptr;
}

}  // namespace

Result<Tensor> OutputMemory::take(ElementType type, std::span<const int64_t> dims, Allocator& allocator,
                                  MemoryMeter& meter) {
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  Held* place = nullptr;
  for (Held& held : m_held) {
    if (!held.tensor.valid()) {
      if (place == nullptr) place = &held;
    } else if (isIdle(held.tensor)) {
      if (held.tensor.type() == type && held.sizeBytes >= sizeBytes) {
        held.tensor.setDims(dims);
        return held.tensor;
      }
      place = &held;  // too small: makes room for a larger one
    }
  }
  if (place == nullptr) {
    place = &m_held[m_next];
    m_next = (m_next + 1) % m_held.size();
  }
  drop(*place);
  if (!meter.hold(MemoryUse::kOutputs, sizeBytes)) {
    return fail(noMemoryFor(fmt::format("{}{}", elementTypeName(type), dimsToText(dims)), sizeBytes,
                            {.heldBytes = meter.heldBytes(), .limitBytes = meter.limitBytes()}));
  }
  auto made = [&] {
    const CountedElsewhere byMeter;
    return Tensor::create(type, dims, allocator);
  }();
  if (!made) {
    meter.release(MemoryUse::kOutputs, sizeBytes);
    return fail(std::move(made).error());
  }
  *place = {*std::move(made), sizeBytes, &meter};
  return place->tensor;
}

bool OutputMemory::holds(const Tensor& tensor) const {
  for (const Held& held : m_held) {
    if (held.tensor.valid() && held.tensor.keepAlive() == tensor.keepAlive()) return true;
  }
  return false;
}

void OutputMemory::drop(Held& held) {
  if (held.meter != nullptr) held.meter->release(MemoryUse::kOutputs, held.sizeBytes);
  held = {};
}

void OutputMemory::shrink() {
  for (Held& held : m_held)
    drop(held);
}

}  // namespace cutaway::execute
