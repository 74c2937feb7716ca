#include "engine/execute/memory/arena.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "engine/base/checked_math.h"

namespace cutaway::execute {
namespace {

constexpr int64_t kSmallestChunk = 256;
constexpr int64_t kLargestRequest = std::numeric_limits<int64_t>::max() / 4;
constexpr int64_t kSmallestRetry = int64_t{8} << 10;

// Bin k holds chunks of 2^(k + 8) bytes to just below 2^(k + 9).
size_t binOf(int64_t sizeBytes) {
  return static_cast<size_t>(std::bit_width(static_cast<uint64_t>(sizeBytes) / kSmallestChunk) - 1);
}

}  // namespace

Arena::Arena(Allocator& allocator, MemoryMeter& meter, const ArenaOptions& options)
    : m_allocator(&allocator), m_meter(&meter), m_options(options) {
  m_bins.fill(kNoRecord);
}

Arena::Arena(Arena&& other) noexcept
    : m_chunks(std::move(other.m_chunks)),
      m_unusedRecords(std::move(other.m_unusedRecords)),
      m_firstOfRegion(std::exchange(other.m_firstOfRegion, {})),
      m_bins(other.m_bins),
      m_filledBins(std::exchange(other.m_filledBins, 0)),
      m_lastRegionBytes(other.m_lastRegionBytes),
      m_allocator(other.m_allocator),
      m_meter(other.m_meter),
      m_options(other.m_options) {}

Arena::~Arena() {
  for (const int32_t first : m_firstOfRegion) {
    int64_t regionBytes = 0;
    for (int32_t at = first; at != kNoRecord; at = m_chunks[static_cast<size_t>(at)].behind) {
      const Chunk& chunk = m_chunks[static_cast<size_t>(at)];
      regionBytes += chunk.sizeBytes;
      if (!chunk.isFree) m_meter->giveChunk(chunk.sizeBytes);
    }
    m_allocator->release(m_chunks[static_cast<size_t>(first)].data);
    m_meter->release(MemoryUse::kArena, regionBytes);
  }
}

MemoryChunk Arena::acquire(int64_t sizeBytes) {
  if (sizeBytes < 0 || sizeBytes > kLargestRequest) return {};
  const int64_t rounded = alignUp(std::max<int64_t>(sizeBytes, 1), kSmallestChunk);
  prepareRecords();
  int32_t record = bestFit(rounded);
  if (record == kNoRecord) record = extend(rounded);
  if (record == kNoRecord) return {};
  unlink(record);
  split(record, rounded);
  Chunk& chunk = m_chunks[static_cast<size_t>(record)];
  chunk.isFree = false;
  m_meter->takeChunk(chunk.sizeBytes);
  return {chunk.data, chunk.sizeBytes, record};
}

void Arena::giveBack(const MemoryChunk& given) {
  int32_t record = given.record;
  m_meter->giveChunk(given.sizeBytes);
  m_chunks[static_cast<size_t>(record)].isFree = true;
  const int32_t behind = m_chunks[static_cast<size_t>(record)].behind;
  if (behind != kNoRecord && m_chunks[static_cast<size_t>(behind)].isFree) {
    unlink(behind);
    joinBehind(record);
  }
  const int32_t before = m_chunks[static_cast<size_t>(record)].before;
  if (before != kNoRecord && m_chunks[static_cast<size_t>(before)].isFree) {
    unlink(before);
    joinBehind(before);
    record = before;
  }
  link(record);
}

int64_t Arena::heldBytes() const {
  int64_t sum = 0;
  for (const int32_t first : m_firstOfRegion) {
    for (int32_t at = first; at != kNoRecord; at = m_chunks[static_cast<size_t>(at)].behind)
      sum += m_chunks[static_cast<size_t>(at)].sizeBytes;
  }
  return sum;
}

bool Arena::shrink() {
  const size_t regions = m_firstOfRegion.size();
  std::erase_if(m_firstOfRegion, [&](int32_t first) {
    const Chunk chunk = m_chunks[static_cast<size_t>(first)];
    if (!chunk.isFree || chunk.behind != kNoRecord) return false;
    unlink(first);
    m_unusedRecords.push_back(first);
    m_allocator->release(chunk.data);
    m_meter->release(MemoryUse::kArena, chunk.sizeBytes);
    return true;
  });
  if (m_firstOfRegion.size() == regions) return false;
  if (m_firstOfRegion.empty()) m_lastRegionBytes = 0;
  m_meter->countShrinkage();
  return true;
}

// The smallest chunk that fits; the one found first on a tie.
int32_t Arena::bestFit(int64_t sizeBytes) const {
  uint64_t bins = m_filledBins & (~uint64_t{0} << binOf(sizeBytes));
  while (bins != 0) {
    int32_t best = kNoRecord;
    for (int32_t at = m_bins[static_cast<size_t>(std::countr_zero(bins))]; at != kNoRecord;
         at = m_chunks[static_cast<size_t>(at)].freeBehind) {
      const int64_t size = m_chunks[static_cast<size_t>(at)].sizeBytes;
      if (size >= sizeBytes && (best == kNoRecord || size < m_chunks[static_cast<size_t>(best)].sizeBytes)) best = at;
    }
    if (best != kNoRecord) return best;
    bins &= bins - 1;
  }
  return kNoRecord;
}

int64_t Arena::extensionBytes(int64_t sizeBytes) const {
  if (m_options.growth == ArenaGrowth::kSameAsRequested) return sizeBytes;
  int64_t wanted = m_lastRegionBytes == 0 ? m_options.initialBytes
                                          : std::min(2 * m_lastRegionBytes, m_options.maximumExtensionBytes);
  while (wanted < sizeBytes && wanted > 0 && wanted < m_options.maximumExtensionBytes)
    wanted *= 2;
  return alignUp(std::max(wanted, sizeBytes), kSmallestChunk);
}

// Asks for less and less, down to the request itself, when the system or the limit refuses
// (onnxruntime/core/framework/bfc_arena.cc).
int32_t Arena::extend(int64_t sizeBytes) {
  std::byte* data = nullptr;
  int64_t regionBytes = extensionBytes(sizeBytes);
  for (;;) {
    if (m_meter->hold(MemoryUse::kArena, regionBytes)) {
      data = static_cast<std::byte*>(m_allocator->allocate(static_cast<size_t>(regionBytes)));
      if (data != nullptr) break;
      m_meter->release(MemoryUse::kArena, regionBytes);
    }
    if (regionBytes == sizeBytes) break;
    regionBytes = regionBytes / 10 * 9 / kSmallestChunk * kSmallestChunk;
    if (regionBytes < sizeBytes || regionBytes < kSmallestRetry) regionBytes = sizeBytes;
  }
  if (data == nullptr) return kNoRecord;
  const int32_t record = newRecord();
  m_meter->countExtension();
  m_lastRegionBytes = regionBytes;
  m_chunks[static_cast<size_t>(record)] = Chunk{.data = data, .sizeBytes = regionBytes, .isFree = true};
  m_firstOfRegion.push_back(record);
  link(record);
  return record;
}

// Whatever may throw does so before anything is changed: one record for a region, one for what a split leaves over.
void Arena::prepareRecords() {
  if (m_unusedRecords.size() >= 2) return;
  const size_t known = m_chunks.size();
  m_chunks.resize(std::max<size_t>(16, 2 * known));
  m_unusedRecords.reserve(m_chunks.size());
  m_firstOfRegion.reserve(m_chunks.size());
  for (size_t record = m_chunks.size(); record-- > known;)
    m_unusedRecords.push_back(static_cast<int32_t>(record));
}

int32_t Arena::newRecord() {
  const int32_t record = m_unusedRecords.back();
  m_unusedRecords.pop_back();
  return record;
}

void Arena::split(int32_t record, int64_t sizeBytes) {
  const int64_t left = m_chunks[static_cast<size_t>(record)].sizeBytes - sizeBytes;
  if (left < kSmallestChunk) return;
  const int32_t rest = newRecord();
  Chunk& chunk = m_chunks[static_cast<size_t>(record)];
  m_chunks[static_cast<size_t>(rest)] = Chunk{
      .data = chunk.data + sizeBytes, .sizeBytes = left, .before = record, .behind = chunk.behind, .isFree = true};
  if (chunk.behind != kNoRecord) m_chunks[static_cast<size_t>(chunk.behind)].before = rest;
  chunk.behind = rest;
  chunk.sizeBytes = sizeBytes;
  link(rest);
}

void Arena::joinBehind(int32_t record) {
  Chunk& chunk = m_chunks[static_cast<size_t>(record)];
  const int32_t gone = chunk.behind;
  chunk.sizeBytes += m_chunks[static_cast<size_t>(gone)].sizeBytes;
  chunk.behind = m_chunks[static_cast<size_t>(gone)].behind;
  if (chunk.behind != kNoRecord) m_chunks[static_cast<size_t>(chunk.behind)].before = record;
  m_unusedRecords.push_back(gone);
}

void Arena::link(int32_t record) {
  Chunk& chunk = m_chunks[static_cast<size_t>(record)];
  const size_t bin = binOf(chunk.sizeBytes);
  chunk.freeBefore = kNoRecord;
  chunk.freeBehind = m_bins[bin];
  if (chunk.freeBehind != kNoRecord) m_chunks[static_cast<size_t>(chunk.freeBehind)].freeBefore = record;
  m_bins[bin] = record;
  m_filledBins |= uint64_t{1} << bin;
}

void Arena::unlink(int32_t record) {
  Chunk& chunk = m_chunks[static_cast<size_t>(record)];
  const size_t bin = binOf(chunk.sizeBytes);
  if (chunk.freeBehind != kNoRecord) m_chunks[static_cast<size_t>(chunk.freeBehind)].freeBefore = chunk.freeBefore;
  if (chunk.freeBefore != kNoRecord) {
    m_chunks[static_cast<size_t>(chunk.freeBefore)].freeBehind = chunk.freeBehind;
  } else {
    m_bins[bin] = chunk.freeBehind;
    if (m_bins[bin] == kNoRecord) m_filledBins &= ~(uint64_t{1} << bin);
  }
  chunk.freeBefore = chunk.freeBehind = kNoRecord;
}

}  // namespace cutaway::execute
