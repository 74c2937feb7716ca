#pragma once
// What an order costs in memory: the bytes of values alive at each step, views and in-place use counted as the planner
// will place them.
//
// Counted are the buffers that the plan may recycle: not feeds, weights and graph outputs, which belong to the caller
// or the session. Unrounded bytes; values of unknown size count nothing. Thread rule: immutable once built;
// OrderMemory::of is pure. Linear in nodes + edges. Example: const LiveMemory memory(graph, hints, sizes);  const
// OrderMemory profile = OrderMemory::of(memory, order);  profile.peakBytes;

#include "engine/provider/memory_hints.h"
#include "engine/stages/schedule/dependencies.h"

namespace cutaway::schedule {

class LiveMemory {
 public:
  LiveMemory(const Graph& graph, const MemoryHints& hints, std::span<const int64_t> sizes);

  struct Overwrite {  // output buffer may take the input buffer's bytes
    uint32_t input;
    uint32_t output;
  };
  std::span<const uint32_t> inputs(size_t node) const {
    return row(m_inputs, m_inputOffsets, node);
  }  // buffers read, each once
  std::span<const uint32_t> outputs(size_t node) const {
    return row(m_outputs, m_outputOffsets, node);
  }  // buffers begun here
  std::span<const Overwrite> overwrites(size_t node) const {
    return {m_overwrites.data() + m_overwriteOffsets[node], m_overwriteOffsets[node + 1] - m_overwriteOffsets[node]};
  }
  const std::vector<int64_t>& bytes() const { return m_bytes; }       // by buffer (the value that begins it)
  const std::vector<uint32_t>& readers() const { return m_readers; }  // nodes that read a buffer
  const std::vector<uint64_t>& readerSum() const {
    return m_readerSum;
  }  // sum of their indexes: with one left, it is that one
  bool complete() const { return m_complete; }  // every size is known

 private:
  static std::span<const uint32_t> row(const std::vector<uint32_t>& targets, const std::vector<uint32_t>& offsets,
                                       size_t node) {
    return {targets.data() + offsets[node], offsets[node + 1] - offsets[node]};
  }

  std::vector<uint32_t> m_inputs, m_inputOffsets, m_outputs, m_outputOffsets;
  std::vector<Overwrite> m_overwrites;
  std::vector<uint32_t> m_overwriteOffsets;
  std::vector<int64_t> m_bytes;
  std::vector<uint32_t> m_readers;
  std::vector<uint64_t> m_readerSum;
  bool m_complete = true;
};

// The state of a walk along an order.
class LiveWalk {
 public:
  explicit LiveWalk(const LiveMemory& memory) : m_memory(memory), m_left(memory.readers()) {}
  // Bytes alive while the node runs; afterwards what it read last is gone.
  int64_t run(uint32_t node);
  int64_t liveBytes() const { return m_live; }
  // What running the node now would add (negative: free) in the end.
  int64_t change(uint32_t node) const;
  uint32_t readersLeft(uint32_t buffer) const { return m_left[buffer]; }

 private:
  bool isOverwritten(const LiveMemory::Overwrite& pair) const {
    return m_left[pair.input] == 1 && m_memory.bytes()[pair.input] > 0 &&
           m_memory.bytes()[pair.input] == m_memory.bytes()[pair.output];
  }

  const LiveMemory& m_memory;
  std::vector<uint32_t> m_left;
  int64_t m_live = 0;
};

struct OrderMemory {
  int64_t peakBytes = 0;
  size_t peakStep = 0;        // the first
  double areaBytes = 0;       // sum over steps
  std::vector<int64_t> live;  // by step, when asked for
  static OrderMemory of(const LiveMemory& memory, std::span<const uint32_t> order, bool keepSteps = false);
  bool betterThan(const OrderMemory& other) const {
    return peakBytes != other.peakBytes ? peakBytes < other.peakBytes : areaBytes < other.areaBytes;
  }
};

}  // namespace cutaway::schedule
