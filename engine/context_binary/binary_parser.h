#pragma once
// Header and directory of a context binary, checked. Used by ContextBinary::open alone.
//
// Thread rule: one parse. Example: CUTAWAY_TRY(const ParsedBinary parsed, parseContextBinary(bytes, name));

#include <span>
#include <string>
#include <vector>

#include "engine/context_binary/context_partition.h"

namespace cutaway::context_binary {

struct ParsedChunk {
  std::span<const std::byte> bytes;
  uint64_t checksum = 0;
};

struct ParsedBinary {
  std::vector<ParsedChunk> chunks;
  std::vector<ContextPartition> partitions;     // sections point into the bytes
  std::vector<std::vector<uint32_t>> chunksOf;  // by partition, by section
  std::vector<uint32_t> byName;                 // numbers of partitions, in order of name and source
  uint64_t contentHash = 0;
};

// EP_FAIL, without the binary's name.
Result<ParsedBinary> parseContextBinary(std::span<const std::byte> bytes);

}  // namespace cutaway::context_binary
