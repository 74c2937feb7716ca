#pragma once
// The file format of context binaries: what compiled groups ("partitions") are kept in, beside a model or inside its
// EPContext nodes.
//
//   header   64 bytes: magic "CUTAWAY\0", format version u32, flags u32 (0), file size u64, directory offset u64,
//   directory size u64, directory checksum u64, header checksum u64, 8 bytes of 0 chunks   bytes of sections, each at
//   the next multiple of its alignment (64; 4096 from one page on, so that they can be mapped and shared), equal chunks
//   once directory  at the next multiple of 64, up to the end of the file:
//     u32 number of chunks, for each: offset u64, size u64, checksum u64
//     u32 number of partitions, for each: the texts name, source, SDK version, hardware, notes; inputs; outputs; u32
//     number of sections, for each: text name, u32 chunk inputs and outputs: u32 number of ports, for each: text name,
//     u32 element type (as in ONNX), text denotation, u32 rank (0xFFFFFFFF: not known), for each dimension: i64 value,
//     after -1 text symbol
//
// All numbers are little-endian; texts are u32 length and UTF-8 bytes; checksums are XXH3-64 (xxhash), that of the
// header over the 48 bytes before it. So the header's checksum stands for the whole file: it covers the directory's,
// which covers the chunks'. No pointers, no code, nothing that is not described here: the places of chunks and
// directory follow from the sizes. Hostile input: a reader checks every number against the file's size before it is
// used, refuses overlapping or unaligned chunks, and reads a chunk only after its checksum agreed.

#include <cstdint>
#include <string_view>

namespace cutaway::context_binary {

inline constexpr std::string_view kContextMagic{"CUTAWAY\0", 8};
inline constexpr uint32_t kContextFormatVersion = 1;
inline constexpr int64_t kContextHeaderBytes = 64;
inline constexpr int64_t kContextChunkAlignment = 64;
inline constexpr int64_t kContextPageAlignment = 4096;  // of chunks of at least this size
inline constexpr int64_t contextAlignment(int64_t chunkBytes) {
  return chunkBytes >= kContextPageAlignment ? kContextPageAlignment : kContextChunkAlignment;
}
inline constexpr uint32_t kContextRankUnknown = 0xFFFFFFFF;
// Counts above these are damage, not data.
inline constexpr uint32_t kMostContextChunks = 1u << 24;
inline constexpr uint32_t kMostContextPartitions = 1u << 20;
inline constexpr uint32_t kMostContextText = 1u << 20;

}  // namespace cutaway::context_binary
