#pragma once
// Writes a context binary: partitions of one or several models, each piece of bytes once.
//
// Thread rule: one writer, one thread. Sections' bytes must live until finish().
// Example:
//   ContextBinaryWriter writer(sinkOf(*file));
//   CUTAWAY_CHECK(writer.add(partition, progress));
//   CUTAWAY_TRY(const ContextBinaryFigures figures, writer.finish());
//   CUTAWAY_CHECK(file->setPath(folder / fmt::format("{}_{:016x}.bin", stem, figures.contentHash)));

#include <functional>
#include <map>
#include <set>

#include "engine/base/new_file.h"
#include "engine/base/progress.h"
#include "engine/context_binary/context_partition.h"

namespace cutaway::context_binary {

// Where bytes go. rewrite() is called once, for the header.
struct ContextSink {
  std::function<Result<void>(std::span<const std::byte>)> write;
  std::function<Result<void>(int64_t offset, std::span<const std::byte>)> rewrite;
};
// Both must live as long as the writer; the text's bytes begin at its end, which should be 0.
ContextSink sinkOf(NewFile& file);
ContextSink sinkOf(std::string& bytes);

struct ContextBinaryFigures {
  int64_t fileBytes = 0;
  int64_t sectionBytes = 0;  // of all sections of all partitions
  int64_t sharedBytes = 0;   // of these, bytes that were there already: another section has the same
  int64_t partitions = 0;
  uint64_t contentHash = 0;  // over all that is in the file: names of files follow from it
};

class ContextBinaryWriter {
 public:
  explicit ContextBinaryWriter(ContextSink sink);
  // Bytes are written at once; equal sections share a chunk (checksum and contents agree). MODEL_LOADED: the binary has
  // a partition of this source and name already; INVALID_ARGUMENT: something that the format cannot hold (names that
  // are empty, twice there or no UTF-8, ports that are no tensors); MODEL_LOAD_CANCELED; the sink's errors. After an
  // error the writer is of no use any more.
  Result<void> add(const ContextPartition& partition, const Progress& progress);
  // Directory and header.
  Result<ContextBinaryFigures> finish();
  int64_t sizeBytes() const { return m_offset; }

 private:
  struct Chunk {
    int64_t offset = 0, sizeBytes = 0;
    uint64_t checksum = 0;
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> keepAlive;
  };
  struct Entry {
    ContextPartition partition;    // without bytes
    std::vector<uint32_t> chunks;  // by section
  };
  Result<void> begin();
  Result<uint32_t> chunkOf(const ContextSection& section, const Progress& progress);
  Result<void> padTo(int64_t alignment);
  Result<void> put(std::span<const std::byte> bytes);
  std::string directory() const;

  ContextSink m_sink;
  int64_t m_offset = 0;
  std::vector<Chunk> m_chunks;
  std::multimap<uint64_t, uint32_t> m_byChecksum;
  std::set<std::pair<std::string, std::string>> m_names;  // source and name
  std::vector<Entry> m_entries;
  ContextBinaryFigures m_figures;
};

}  // namespace cutaway::context_binary
