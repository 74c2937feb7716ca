#pragma once
// Memory of values that leave a frame (outputs of a bound run, outputs of bodies): taken again as soon as nobody else
// holds it.
//
// Thread rule: one thread at a time takes; holders may let go on any thread.
// Example: OutputMemory memory;  CUTAWAY_TRY(Tensor y, memory.take(ElementType::kFloat, dims, allocator, meter));

#include <array>

#include "engine/execute/memory/memory_meter.h"
#include "engine/tensor/tensor.h"

namespace cutaway::execute {

class OutputMemory {
 public:
  OutputMemory() = default;
  OutputMemory(OutputMemory&& other) noexcept : m_held(std::exchange(other.m_held, {})), m_next(other.m_next) {}
  OutputMemory(const OutputMemory&) = delete;
  OutputMemory& operator=(const OutputMemory&) = delete;
  ~OutputMemory() { shrink(); }

  // Contents are undefined. FAIL when memory is short or the session's limit would be passed.
  Result<Tensor> take(ElementType type, std::span<const int64_t> dims, Allocator& allocator, MemoryMeter& meter);
  bool holds(const Tensor& tensor) const;
  // Lets go of everything; what others hold stays theirs.
  void shrink();

 private:
  // Loops hold a value of the last iteration while they make the next, and may hand one through: two are seldom enough,
  // three are.
  struct Held {
    Tensor tensor;
    int64_t sizeBytes = 0;
    MemoryMeter* meter = nullptr;
  };
  static void drop(Held& held);
  std::array<Held, 3> m_held;
  size_t m_next = 0;
};

}  // namespace cutaway::execute
