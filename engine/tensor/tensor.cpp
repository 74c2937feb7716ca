#include "engine/tensor/tensor.h"

#include <algorithm>
#include <cstring>
#include <list>
#include <mutex>

#include "engine/base/short_memory.h"
#include "engine/tensor/heap_limit.h"
#include "engine/tensor/string_block.h"

namespace cutaway {
namespace {

// Tensors name their device by pointer, so that copying one costs nothing. Devices are few and live as long as the
// process.
const Device& internedDevice(const Device& device, const Device& cpu) {
  if (device == cpu) return cpu;
  static std::mutex mutex;
  static std::list<Device> known;
  const std::scoped_lock lock(mutex);
  for (const Device& each : known) {
    if (each == device) return each;
  }
  return known.emplace_back(device);
}

bool isHostMemory(const Device& device) {
  return device.type == DeviceType::kCpu || device.type == DeviceType::kSimulated;
}

// The tensor's part of the budget that the thread works under; nullptr: none.
Result<std::shared_ptr<HeapHold>> heldOnHeap(ElementType type, std::span<const int64_t> dims, int64_t sizeBytes,
                                             const Allocator& allocator) {
  std::shared_ptr<HeapBudget> budget = HeapLimit::budget();
  if (budget == nullptr || &allocator != &heapAllocator()) return std::shared_ptr<HeapHold>();
  if (!budget->hold(sizeBytes))
    return fail(noMemoryFor(fmt::format("{}{}", elementTypeName(type), dimsToText(dims)), sizeBytes,
                            {.heldBytes = budget->heldBytes(), .limitBytes = budget->limitBytes()}));
  return std::make_shared<HeapHold>(std::move(budget), sizeBytes);
}

}  // namespace

void Dims::assign(std::span<const int64_t> dims) {
  // `dims` may be a view of ourselves; copying towards the front is safe then.
  const bool own = !m_heap.empty() && dims.data() >= m_heap.data() && dims.data() < m_heap.data() + m_heap.size();
  if (dims.size() <= kInlineRank) {
    std::copy(dims.begin(), dims.end(), m_inline.begin());
  } else if (own) {
    std::copy(dims.begin(), dims.end(), m_heap.begin());
    m_heap.resize(dims.size());
  } else {
    m_heap.assign(dims.begin(), dims.end());
  }
  m_rank = dims.size();
}

const Device& Tensor::cpuDevice() {
  static const Device device;
  return device;
}

Result<Tensor> Tensor::create(ElementType type, std::span<const int64_t> dims, Allocator& allocator) {
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, dims));
  if (type == ElementType::kString && !isHostMemory(allocator.device())) {
    return fail(ErrorCode::kInvalidArgument, "strings cannot live on device '{}'", allocator.device().name);
  }
  CUTAWAY_TRY(std::shared_ptr<HeapHold> hold, heldOnHeap(type, dims, sizeBytes, allocator));
  return onBlock(type, dims, sizeBytes, allocator, std::move(hold));
}

Tensor Tensor::forValues(ElementType type, std::span<const int64_t> dims) {
  const int64_t sizeBytes = byteSize(type, dims).value_or(0);
  std::shared_ptr<HeapHold> hold;
  if (std::shared_ptr<HeapBudget> budget = HeapLimit::budget()) {
    budget->take(sizeBytes);
    hold = std::make_shared<HeapHold>(std::move(budget), sizeBytes);
  }
  Result<Tensor> made = onBlock(type, dims, sizeBytes, heapAllocator(), std::move(hold));
  if (!made) throw RefusedAllocation(static_cast<size_t>(sizeBytes));
  return *std::move(made);
}

Result<Tensor> Tensor::onBlock(ElementType type, std::span<const int64_t> dims, int64_t sizeBytes, Allocator& allocator,
                               std::shared_ptr<HeapHold> hold) {
  void* block = allocator.allocate(static_cast<size_t>(sizeBytes));
  if (block == nullptr)
    return fail(noMemoryFor(fmt::format("{}{}", elementTypeName(type), dimsToText(dims)), sizeBytes));

  Tensor tensor;
  tensor.m_type = type;
  tensor.m_dims.assign(dims);
  tensor.m_data = block;
  tensor.m_device = &internedDevice(allocator.device(), cpuDevice());
  if (type == ElementType::kString) {
    const auto count = static_cast<size_t>(tensor.elementCount());
    auto* strings = static_cast<std::string*>(block);
    std::uninitialized_value_construct_n(strings, count);
    tensor.m_keepAlive = std::shared_ptr<const void>(block, StringBlock{&allocator, strings, count, std::move(hold)});
  } else if (hold != nullptr) {
    tensor.m_keepAlive = std::shared_ptr<const void>(
        block, [&allocator, block, hold = std::move(hold)](const void*) { allocator.release(block); });
  } else {
    tensor.m_keepAlive =
        std::shared_ptr<const void>(block, [&allocator, block](const void*) { allocator.release(block); });
  }
  return tensor;
}

Tensor Tensor::wrap(ElementType type, std::span<const int64_t> dims, void* data, std::shared_ptr<const void> keepAlive,
                    Device device) {
  Tensor tensor;
  tensor.m_type = type;
  tensor.m_dims.assign(dims);
  tensor.m_data = data;
  tensor.m_keepAlive = std::move(keepAlive);
  tensor.m_device = &internedDevice(device, cpuDevice());
  return tensor;
}

Tensor Tensor::wrapConst(ElementType type, std::span<const int64_t> dims, const void* data,
                         std::shared_ptr<const void> keepAlive, Device device) {
  return wrap(type, dims, const_cast<void*>(data), std::move(keepAlive), std::move(device));
}

int64_t Tensor::sizeBytes() const {
  return (elementCount() * bitsOf(m_type) + 7) / 8;
}

Tensor Tensor::reshaped(std::span<const int64_t> dims) const {
  if (cutaway::elementCount(dims) != elementCount()) return {};
  Tensor view = *this;
  view.m_dims.assign(dims);
  return view;
}

Result<Tensor> Tensor::clone(Allocator& allocator) const {
  if (!valid()) return fail(ErrorCode::kInvalidArgument, "a tensor without a type cannot be copied");
  if (!isHostMemory(device()) || !isHostMemory(allocator.device())) {
    return fail(ErrorCode::kInvalidArgument, "copying from '{}' to '{}' is the provider's business", device().name,
                allocator.device().name);
  }
  CUTAWAY_TRY(Tensor copy, create(m_type, m_dims, allocator));
  if (m_type == ElementType::kString) {
    std::ranges::copy(span<std::string>(), copy.span<std::string>().begin());
    CUTAWAY_CHECK(holdTexts(copy));
  } else if (const auto from = bytes(); !from.empty()) {
    std::memcpy(copy.mutableData(), from.data(), from.size());
  }
  return copy;
}

void Tensor::rebind(ElementType type, std::span<const int64_t> dims, void* data) {
  m_type = type;
  m_dims.assign(dims);
  m_data = data;
  m_keepAlive.reset();
}

}  // namespace cutaway
