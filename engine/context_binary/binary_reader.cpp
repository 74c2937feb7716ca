#include "engine/context_binary/binary_reader.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include <sys/mman.h>

#include "engine/base/mapped_pages.h"
#include "engine/base/parallel.h"
#include "engine/base/short_memory.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/context_node.h"
#include "engine/context_binary/number_sections.h"

namespace cutaway::context_binary {
namespace {

constexpr std::align_val_t kMemoryAlignment{kContextPageAlignment};

std::shared_ptr<const void> alignedCopy(std::span<const std::byte> bytes) {
  void* const copy = ::operator new(bytes.size(), kMemoryAlignment, std::nothrow);
  if (copy == nullptr) return nullptr;
  std::memcpy(copy, bytes.data(), bytes.size());
  return {copy, [](void* data) { ::operator delete(data, kMemoryAlignment); }};
}

// The system fills in the page tables of a mapped file at one go: much cheaper than a fault for every few pages while
// the checksum is made. Only a hint: older systems do not know it.
void populate([[maybe_unused]] std::span<const std::byte> bytes) {
#ifdef MADV_POPULATE_READ
  constexpr size_t kLeast = 64 << 10;
  const auto begin = reinterpret_cast<uintptr_t>(bytes.data()) & ~uintptr_t{kContextPageAlignment - 1},
             end = reinterpret_cast<uintptr_t>(bytes.data()) + bytes.size();
  if (bytes.size() >= kLeast && placeInFile(bytes))
    (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_POPULATE_READ);
#endif
}

}  // namespace

bool ContextBinary::isOurs(std::span<const std::byte> bytes) {
  return bytes.size() >= kContextMagic.size() &&
         std::memcmp(bytes.data(), kContextMagic.data(), kContextMagic.size()) == 0;
}

Result<std::shared_ptr<const ContextBinary>> ContextBinary::open(std::span<const std::byte> bytes,
                                                                 std::shared_ptr<const void> keepAlive,
                                                                 std::string name) {
  const auto refuse = [&](Error error) {
    return fail(atFile(
        Error{error.code, fmt::format("the context binary '{}' cannot be used: {}", name, error.message), error.where},
        name));
  };
  if (reinterpret_cast<uintptr_t>(bytes.data()) % kContextChunkAlignment != 0 && isOurs(bytes)) {
    keepAlive = alignedCopy(bytes);
    if (keepAlive == nullptr) return refuse(noMemoryFor("a copy of it", static_cast<int64_t>(bytes.size())));
    bytes = {static_cast<const std::byte*>(keepAlive.get()), bytes.size()};
  }
  auto parsed = parseContextBinary(bytes);
  if (!parsed) return refuse(std::move(parsed).error());
  const auto binary = std::shared_ptr<ContextBinary>(new ContextBinary());
  binary->m_bytes = bytes;
  binary->m_keepAlive = std::move(keepAlive);
  binary->m_name = std::move(name);
  binary->m_parsed = *std::move(parsed);
  binary->m_states = std::vector<std::atomic<uint8_t>>(binary->m_parsed.chunks.size());
  for (ContextPartition& partition : binary->m_parsed.partitions) {
    for (ContextSection& section : partition.sections)
      section.keepAlive = binary->m_keepAlive;
  }
  return binary;
}

const ContextPartition* ContextBinary::find(std::string_view source, std::string_view name) const {
  const auto nameOf = [&](uint32_t i) -> std::string_view { return m_parsed.partitions[i].name; };
  const auto end = m_parsed.byName.end();
  const auto first = std::ranges::lower_bound(m_parsed.byName, name, {}, nameOf);
  if (source.empty()) {
    const bool once = first != end && nameOf(*first) == name && (first + 1 == end || nameOf(*(first + 1)) != name);
    return once ? &m_parsed.partitions[*first] : nullptr;
  }
  for (auto each = first; each != end && nameOf(*each) == name; ++each) {
    if (sameSource(m_parsed.partitions[*each].source, source)) return &m_parsed.partitions[*each];
  }
  return nullptr;
}

void ContextBinary::checkChunk(uint32_t chunk, const Progress& progress) const {
  const ParsedChunk& each = m_parsed.chunks[chunk];
  populate(each.bytes);
  const auto checksum = checksumOf(each.bytes, progress);
  if (checksum) m_states[chunk].store(*checksum == each.checksum ? kIntact : kChanged, std::memory_order_release);
}

std::string ContextBinary::userOf(uint32_t chunk) const {
  for (size_t i = 0; i < m_parsed.partitions.size(); ++i) {
    const auto& chunks = m_parsed.chunksOf[i];
    const auto found = std::ranges::find(chunks, chunk);
    if (found != chunks.end())
      return fmt::format("section '{}' of partition '{}'",
                         m_parsed.partitions[i].sections[static_cast<size_t>(found - chunks.begin())].name,
                         m_parsed.partitions[i].name);
  }
  return fmt::format("chunk {}", chunk);
}

Result<void> ContextBinary::verifyChunks(std::vector<uint32_t> chunks, const Progress& progress) const {
  constexpr int64_t kWorkPerThread = 4 << 20;
  std::ranges::sort(chunks);
  chunks.erase(std::unique(chunks.begin(), chunks.end()), chunks.end());
  std::vector<uint32_t> open;
  std::ranges::copy_if(chunks, std::back_inserter(open),
                       [&](uint32_t chunk) { return m_states[chunk].load(std::memory_order_acquire) == kUnknown; });
  // Largest first, and each thread takes the next one: no thread waits long for another.
  std::ranges::stable_sort(open, std::greater(), [&](uint32_t chunk) { return m_parsed.chunks[chunk].bytes.size(); });
  const int64_t work = std::accumulate(open.begin(), open.end(), int64_t{0}, [&](int64_t sum, uint32_t chunk) {
    return sum + static_cast<int64_t>(m_parsed.chunks[chunk].bytes.size());
  });
  std::atomic<size_t> next{0};
  parallelFor(usefulThreads(work, kWorkPerThread), 1, [&](int64_t, int64_t) {
    for (size_t i = next++; i < open.size(); i = next++)
      checkChunk(open[i], progress);
  });
  for (const uint32_t chunk : chunks) {
    const uint8_t state = m_states[chunk].load(std::memory_order_acquire);
    if (state == kUnknown) return fail(cancelledError());
    if (state == kChanged) {
      return fail(atFile({ErrorCode::kEpFail,
                          fmt::format("the context binary '{}' was changed: the checksum of {} does not agree; make it "
                                      "again from the original model",
                                      m_name, userOf(chunk)),
                          {}},
                         m_name));
    }
  }
  return {};
}

// A partition of this binary, itself or by its names.
const ContextPartition* ContextBinary::own(const ContextPartition& partition) const {
  const ContextPartition* const begin = m_parsed.partitions.data();
  const bool isMine =
      !std::less<>()(&partition, begin) && std::less<>()(&partition, begin + m_parsed.partitions.size());
  return isMine ? &partition : find(partition.source, partition.name);
}

Result<void> ContextBinary::verify(const ContextPartition& partition, const Progress& progress, Extent extent) const {
  constexpr size_t kLarge = 64 << 10;
  if (progress.cancelled()) return fail(cancelledError());
  const ContextPartition* const mine = own(partition);
  if (mine == nullptr)
    return fail(ErrorCode::kNotFound, "the context binary '{}' has no partition '{}' of {}", m_name, partition.name,
                partition.source);
  std::vector<uint32_t> chunks = m_parsed.chunksOf[static_cast<size_t>(mine - m_parsed.partitions.data())];
  if (extent == Extent::kAllButLargeNumbers) {
    size_t section = 0;
    std::erase_if(chunks, [&](uint32_t) {
      const ContextSection& each = mine->sections[section++];
      return isNumberSection(each.name) && each.bytes.size() >= kLarge;
    });
  }
  return verifyChunks(std::move(chunks), progress);
}

int64_t ContextBinary::unverifiedBytes(const ContextPartition& partition) const {
  const ContextPartition* const mine = own(partition);
  if (mine == nullptr) return 0;
  int64_t bytes = 0;
  for (const uint32_t chunk : m_parsed.chunksOf[static_cast<size_t>(mine - m_parsed.partitions.data())]) {
    if (m_states[chunk].load(std::memory_order_acquire) != kIntact)
      bytes += static_cast<int64_t>(m_parsed.chunks[chunk].bytes.size());
  }
  return bytes;
}

Result<void> ContextBinary::verifyAll(const Progress& progress) const {
  if (progress.cancelled()) return fail(cancelledError());
  std::vector<uint32_t> all(m_parsed.chunks.size());
  std::iota(all.begin(), all.end(), 0u);
  return verifyChunks(std::move(all), progress);
}

int64_t ContextBinary::sectionBytes() const {
  return std::accumulate(m_parsed.partitions.begin(), m_parsed.partitions.end(), int64_t{0},
                         [](int64_t sum, const ContextPartition& each) { return sum + each.sizeBytes(); });
}

}  // namespace cutaway::context_binary
