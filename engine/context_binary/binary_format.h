#pragma once
// The file format of context binaries: what compiled groups ("partitions") are kept in, beside a model or inside its EPContext nodes.
//
//   header   64 bytes: magic "CUTAWAY\0", format version u32, flags u32 (0), file size u64, directory offset u64, directory size u64, directory checksum u64, header checksum u64, 8 bytes of 0
//   chunks   bytes of sections, each at a multiple of its alignment (64; 4096 from one page on, so that they can be mapped and shared), equal chunks once
//   directory  at the end: the chunks (offset u64, size u64, checksum u64), then the partitions with their texts, ports and sections (name, chunk number)
//
// All numbers are little-endian; texts are u32 length and UTF-8 bytes; checksums are XXH3-64 (xxhash). No pointers, no code, nothing that is not described here.
// Hostile input: a reader checks every number against the file's size before it is used, refuses overlapping or unaligned chunks, and reads a chunk only after its checksum agreed.

#include <cstdint>
#include <string_view>

namespace cutaway {

inline constexpr std::string_view kContextMagic{"CUTAWAY\0", 8};
inline constexpr uint32_t kContextFormatVersion = 1;
inline constexpr int64_t kContextHeaderBytes = 64;
inline constexpr int64_t kContextChunkAlignment = 64;
inline constexpr int64_t kContextPageAlignment = 4096;  // of chunks of at least this size
// Counts above these are damage, not data.
inline constexpr uint32_t kMostContextChunks = 1u << 24;
inline constexpr uint32_t kMostContextPartitions = 1u << 20;
inline constexpr uint32_t kMostContextText = 1u << 20;

}  // namespace cutaway
