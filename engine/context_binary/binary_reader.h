#pragma once
// Reads a context binary without trust. Sections point into the bytes; nothing is copied.
//
// Thread rule: immutable once opened; verify() may be called from any thread.
// Example:
//   CUTAWAY_TRY(auto binary, ContextBinary::open(file->bytes(), file, file->path().string()));
//   const ContextPartition* partition = binary->find("onednn", "onednn_0");
//   CUTAWAY_CHECK(binary->verify(*partition, progress));

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/binary_parser.h"
#include "engine/context_binary/context_partition.h"

namespace cutaway::context_binary {

class ContextBinary {
 public:
  // Header and directory are read and checked. name: for messages. EP_FAIL: not a context binary of this program (its
  // first bytes are said), another format version, cut short, directory damaged, numbers that do not fit the file.
  // Sections lie at multiples of 64 in memory: bytes that do not begin at one (texts in a node) are copied once.
  static Result<std::shared_ptr<const ContextBinary>> open(std::span<const std::byte> bytes,
                                                           std::shared_ptr<const void> keepAlive, std::string name);
  // True when the bytes begin as ours do.
  static bool isOurs(std::span<const std::byte> bytes);

  std::span<const ContextPartition> partitions() const { return m_parsed.partitions; }
  // nullptr: there is none. source empty: of any provider, when the name is there once. Other spellings of the source
  // (sameSource) count.
  const ContextPartition* find(std::string_view source, std::string_view name) const;
  // Large sections of plain numbers (isNumberSection) do no harm before a run computes with them.
  enum class Extent : uint8_t { kAll, kAllButLargeNumbers };
  // Checksums of the partition's chunks, each once in the life of this object; large ones on the calling thread's
  // threads. EP_FAIL: bytes were changed, naming the section; MODEL_LOAD_CANCELED.
  Result<void> verify(const ContextPartition& partition, const Progress& progress, Extent extent = Extent::kAll) const;
  // Bytes of the partition that nobody has verified yet.
  int64_t unverifiedBytes(const ContextPartition& partition) const;
  // Of everything; for `show` and `verify`.
  Result<void> verifyAll(const Progress& progress) const;

  const std::string& name() const { return m_name; }
  int64_t fileBytes() const { return static_cast<int64_t>(m_bytes.size()); }
  std::span<const std::byte> bytes() const { return m_bytes; }
  int64_t sectionBytes() const;  // of all partitions, shared chunks counted as often as they are used
  uint64_t contentHash() const { return m_parsed.contentHash; }
  const std::shared_ptr<const void>& keepAlive() const { return m_keepAlive; }

 private:
  enum ChunkState : uint8_t { kUnknown, kIntact, kChanged };
  ContextBinary() = default;
  Result<void> verifyChunks(std::vector<uint32_t> chunks, const Progress& progress) const;
  void checkChunk(uint32_t chunk, const Progress& progress) const;
  std::string userOf(uint32_t chunk) const;
  const ContextPartition* own(const ContextPartition& partition) const;

  std::span<const std::byte> m_bytes;
  std::shared_ptr<const void> m_keepAlive;
  std::string m_name;
  ParsedBinary m_parsed;
  mutable std::vector<std::atomic<uint8_t>> m_states;  // by chunk
};

}  // namespace cutaway::context_binary
