#pragma once
// Counts the bytes that a session's runs hold, and their high-water mark.
//
// Thread rule: any thread. Example: meter.add(4096); ... meter.remove(4096); meter.peakBytes();

#include <atomic>
#include <cstdint>

namespace cutaway {

class MemoryMeter {
 public:
  void add(int64_t sizeBytes) {
    const int64_t now = m_current.fetch_add(sizeBytes, std::memory_order_relaxed) + sizeBytes;
    int64_t peak = m_peak.load(std::memory_order_relaxed);
    while (now > peak && !m_peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
    }
  }
  void remove(int64_t sizeBytes) { m_current.fetch_sub(sizeBytes, std::memory_order_relaxed); }
  int64_t currentBytes() const { return m_current.load(std::memory_order_relaxed); }
  int64_t peakBytes() const { return m_peak.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> m_current{0};
  std::atomic<int64_t> m_peak{0};
};

}  // namespace cutaway
