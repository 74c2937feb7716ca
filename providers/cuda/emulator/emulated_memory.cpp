#include "providers/cuda/emulator/emulated_memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>

#include <signal.h>
#include <spdlog/fmt/fmt.h>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway::cuda {
namespace {

constexpr int kPattern = 0xff;  // no number in any float type, -1 in signed integers
constexpr int kGuard = 0xa5;
constexpr size_t kGuardBytes = EmulatedMemory::kAlignment;

// Who touches a protected region from outside is told why, before whatever else handles the signal gets it.
struct Region {
  std::atomic<std::byte*> begin = nullptr;
  std::atomic<size_t> sizeBytes = 0;
};
std::array<Region, 64> regions;
struct sigaction handledBefore;

void tellFault(int, siginfo_t* info, void*) {
  const auto* const at = static_cast<const std::byte*>(info->si_addr);
  for (const Region& each : regions) {
    const std::byte* const begin = each.begin;
    if (begin == nullptr || at < begin || at >= begin + each.sizeBytes) continue;
    constexpr char kText[] =
        "cuda{backend=emulator,strict=1}: the host touched device memory, which only work enqueued on a stream may "
        "do\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kText, sizeof(kText) - 1);
  }
  sigaction(SIGSEGV, &handledBefore, nullptr);  // the access happens again
}

void watch(std::byte* begin, size_t sizeBytes) {
  static const bool installed = [] {
    struct sigaction action = {};
    action.sa_sigaction = tellFault;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSEGV, &action, &handledBefore) == 0;
  }();
  for (Region& each : regions) {
    std::byte* none = nullptr;
    if (!installed || !each.begin.compare_exchange_strong(none, begin)) continue;
    each.sizeBytes = sizeBytes;
    return;
  }
}

void unwatch(const std::byte* begin) {
  for (Region& each : regions) {
    if (each.begin == begin) each.sizeBytes = 0, each.begin = nullptr;
  }
}

size_t rounded(size_t sizeBytes) {
  return (std::max<size_t>(sizeBytes, 1) + EmulatedMemory::kAlignment - 1) / EmulatedMemory::kAlignment *
         EmulatedMemory::kAlignment;
}

}  // namespace

EmulatedMemory::EmulatedMemory(bool strict, int64_t limitBytes) : m_strict(strict), m_limit(limitBytes) {
  // Address space only: pages come when they are touched. Less where the process is limited.
  for (size_t wanted = size_t{64} << 30; strict && m_region == nullptr && wanted >= size_t{64} << 20; wanted /= 4) {
    void* const got = mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) continue;
    m_region = static_cast<std::byte*>(got);
    m_regionBytes = wanted;
    watch(m_region, m_regionBytes);
  }
}

EmulatedMemory::~EmulatedMemory() {
  if (m_region != nullptr) {
    unwatch(m_region);
    munmap(m_region, m_regionBytes);
  }
  if (!m_strict)
    for (const auto& [data, block] : m_blocks)
      std::free(data);
  for (const auto& [data, size] : m_pinned)
    std::free(data);
}

void EmulatedMemory::protect(int rights) {
  constexpr size_t kPage = 2 << 20;
  if (m_highWater > 0) mprotect(m_region, std::min(m_regionBytes, (m_highWater + kPage - 1) / kPage * kPage), rights);
}

void EmulatedMemory::open() {
  if (!m_strict) return;
  const std::scoped_lock lock(m_mutex);
  if (m_opened++ == 0) protect(PROT_READ | PROT_WRITE);
}

void EmulatedMemory::close() {
  if (!m_strict) return;
  const std::scoped_lock lock(m_mutex);
  if (--m_opened == 0) protect(PROT_NONE);
}

// First hole that is large enough, else new ground.
std::byte* EmulatedMemory::place(size_t wholeBytes) {
  for (auto hole = m_free.begin(); hole != m_free.end(); ++hole) {
    const auto [data, size] = *hole;
    if (size < wholeBytes) continue;
    m_free.erase(hole);
    if (size > wholeBytes) m_free.emplace(data + wholeBytes, size - wholeBytes);
    return data;
  }
  if (m_regionBytes - m_highWater < wholeBytes) return nullptr;
  std::byte* const data = m_region + m_highWater;
  m_highWater += wholeBytes;
  if (m_opened > 0) protect(PROT_READ | PROT_WRITE);
  return data;
}

void* EmulatedMemory::take(size_t sizeBytes) {
  if (sizeBytes > static_cast<size_t>(kTotalBytes)) return nullptr;
  void* taken = nullptr;
  {
    const std::scoped_lock lock(m_mutex);
    const size_t whole = rounded(sizeBytes) + (m_strict ? kGuardBytes : 0);
    if (m_used + static_cast<int64_t>(rounded(sizeBytes)) > limitBytes()) return nullptr;
    auto* const data = m_strict ? place(whole) : static_cast<std::byte*>(std::aligned_alloc(kAlignment, whole));
    if (data == nullptr) return nullptr;
    m_blocks[data] = {sizeBytes, whole};
    m_used += static_cast<int64_t>(rounded(sizeBytes));
    taken = data;
  }
  if (m_strict) {
    open();
    std::memset(taken, kPattern, sizeBytes);
    std::memset(static_cast<std::byte*>(taken) + sizeBytes, kGuard, rounded(sizeBytes) + kGuardBytes - sizeBytes);
    close();
  }
  return taken;
}

void EmulatedMemory::poison(void* block) {
  if (!m_strict) return;
  size_t bytes = 0;
  {
    const std::scoped_lock lock(m_mutex);
    const auto found = m_blocks.find(static_cast<std::byte*>(block));
    if (found != m_blocks.end()) bytes = found->second.askedBytes;
  }
  open();
  std::memset(block, kPattern, bytes);
  close();
}

std::string EmulatedMemory::giveBack(void* block) {
  auto* const data = static_cast<std::byte*>(block);
  open();
  std::string found;
  {
    const std::scoped_lock lock(m_mutex);
    const auto at = m_blocks.find(data);
    if (at == m_blocks.end()) {
      found = fmt::format("{} is no block of this device, or was released twice", block);
    } else {
      const Block known = at->second;
      m_used -= static_cast<int64_t>(rounded(known.askedBytes));
      m_blocks.erase(at);
      if (m_strict) {
        const auto end = data + known.wholeBytes;
        if (std::any_of(data + known.askedBytes, end, [](std::byte each) { return each != std::byte{kGuard}; }))
          found = fmt::format("something wrote past the end of a block of {} bytes", known.askedBytes);
        std::memset(data, kPattern, known.wholeBytes);
        auto [hole, isNew] = m_free.emplace(data, known.wholeBytes);
        if (const auto behind = std::next(hole); behind != m_free.end() && hole->first + hole->second == behind->first)
          hole->second += behind->second, m_free.erase(behind);
        if (hole != m_free.begin()) {
          if (const auto before = std::prev(hole); before->first + before->second == hole->first)
            before->second += hole->second, m_free.erase(hole);
        }
      } else {
        std::free(data);
      }
    }
  }
  close();
  return found;
}

void* EmulatedMemory::takePinned(size_t sizeBytes) {
  void* const block = std::aligned_alloc(kAlignment, rounded(sizeBytes));
  const std::scoped_lock lock(m_mutex);
  if (block != nullptr) m_pinned[static_cast<std::byte*>(block)] = rounded(sizeBytes);
  return block;
}

bool EmulatedMemory::giveBackPinned(void* block) {
  const std::scoped_lock lock(m_mutex);
  if (m_pinned.erase(static_cast<std::byte*>(block)) == 0) return false;
  std::free(block);
  return true;
}

bool EmulatedMemory::isPinned(const void* address) const {
  auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
  const std::scoped_lock lock(m_mutex);
  auto behind = m_pinned.upper_bound(at);
  if (behind == m_pinned.begin()) return false;
  --behind;
  return at < behind->first + behind->second;
}

bool EmulatedMemory::holds(const void* address, size_t sizeBytes) const {
  if (!m_strict) return true;
  auto* const at = static_cast<std::byte*>(const_cast<void*>(address));
  const std::scoped_lock lock(m_mutex);
  auto behind = m_blocks.upper_bound(at);
  if (behind == m_blocks.begin()) return false;
  --behind;
  return at + sizeBytes <= behind->first + std::max<size_t>(behind->second.askedBytes, 1);
}

int64_t EmulatedMemory::usedBytes() const {
  const std::scoped_lock lock(m_mutex);
  return m_used;
}

}  // namespace cutaway::cuda
