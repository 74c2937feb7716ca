// Nothing is believed: the header's checksum is looked at before its numbers, the directory's before its contents, and
// every number before it is used. Checksums find accidents; somebody hostile can write right ones, so that all that
// follows a checksum is checked as if there were none. What the format leaves no choice in - where chunks and directory
// lie - must be so.

#include "engine/context_binary/binary_parser.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "engine/base/checked_math.h"
#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/directory_bytes.h"

namespace cutaway::context_binary {
namespace {

constexpr ErrorCode kDamaged = ErrorCode::kEpFail;
// Least bytes that each takes in the directory.
constexpr size_t kChunkBytes = 24, kPartitionBytes = 5 * 4 + 3 * 4, kPortBytes = 16, kDimBytes = 8, kSectionBytes = 8;

struct Header {
  uint32_t version = 0, flags = 0;
  uint64_t fileBytes = 0, directoryOffset = 0, directoryBytes = 0, directoryChecksum = 0, headerChecksum = 0, zero = 0;
};
static_assert(sizeof(Header) + kContextMagic.size() == kContextHeaderBytes);

// What the first bytes are, for people.
std::string beginningOf(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 64));
  if (text.empty()) return "it is empty";
  if (text.starts_with("version https://git-lfs")) return "it is a Git-LFS pointer; fetch the file itself";
  std::string hex;
  for (const char c : text.substr(0, 8))
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", static_cast<unsigned char>(c));
  return fmt::format("it begins with the bytes {}", hex);
}

Result<Header> readHeader(std::span<const std::byte> bytes) {
  const size_t compared = std::min(bytes.size(), kContextMagic.size());
  if (bytes.empty() || std::memcmp(bytes.data(), kContextMagic.data(), compared) != 0)
    return fail(kDamaged, "it is no context binary of this program: {}", beginningOf(bytes));
  if (bytes.size() < kContextHeaderBytes)
    return fail(kDamaged, "it is cut short: {} bytes, fewer than a header has", bytes.size());
  Header header;
  std::memcpy(&header, bytes.data() + kContextMagic.size(), sizeof(header));
  if (header.version != kContextFormatVersion)
    return fail(kDamaged,
                "it has format version {}, and this program reads version {}; make it again from the original model",
                header.version, kContextFormatVersion);
  const size_t covered = kContextHeaderBytes - 2 * sizeof(uint64_t);
  if (checksumOf(bytes.first(covered)) != header.headerChecksum || header.zero != 0)
    return fail(kDamaged, "its header is damaged (the checksum does not agree); make it again from the original model");
  if (header.flags != 0) return fail(kDamaged, "its flags {:#x} are not known to this program", header.flags);
  if (bytes.size() < header.fileBytes)
    return fail(kDamaged, "it is cut short: {} of {} bytes are there", bytes.size(), header.fileBytes);
  if (bytes.size() > header.fileBytes)
    return fail(kDamaged, "{} bytes stand behind its end", bytes.size() - header.fileBytes);
  const uint64_t size = header.fileBytes;
  if (header.directoryOffset < kContextHeaderBytes || header.directoryOffset > size ||
      header.directoryBytes != size - header.directoryOffset) {
    return fail(kDamaged, "its directory (offset {}, {} bytes) does not fit a file of {} bytes", header.directoryOffset,
                header.directoryBytes, size);
  }
  if (header.directoryOffset % kContextChunkAlignment != 0)
    return fail(kDamaged, "its directory lies at {}, no multiple of {}", header.directoryOffset,
                kContextChunkAlignment);
  return header;
}

class Parser {
 public:
  Parser(std::span<const std::byte> bytes, const Header& header)
      : m_bytes(bytes),
        m_directoryOffset(static_cast<int64_t>(header.directoryOffset)),
        m_reader(bytes.subspan(header.directoryOffset)) {}

  Result<ParsedBinary> parse() {
    CUTAWAY_CHECK(readChunks());
    CUTAWAY_TRY(const uint32_t count, m_reader.count("number of partitions", kMostContextPartitions, kPartitionBytes));
    for (uint32_t i = 0; i < count; ++i)
      CUTAWAY_CHECK(readPartition(i));
    if (m_reader.left() > 0) return fail(kDamaged, "{} bytes stand behind the end of its directory", m_reader.left());
    CUTAWAY_CHECK(sortNames());
    return std::move(m_parsed);
  }

 private:
  Result<void> readChunks() {
    CUTAWAY_TRY(const uint32_t count, m_reader.count("number of chunks", kMostContextChunks, kChunkBytes));
    m_parsed.chunks.reserve(count);
    int64_t end = kContextHeaderBytes;
    for (uint32_t i = 0; i < count; ++i) {
      CUTAWAY_TRY(const uint64_t offset, m_reader.number64("offset of a chunk"));
      CUTAWAY_TRY(const uint64_t size, m_reader.number64("size of a chunk"));
      CUTAWAY_TRY(const uint64_t checksum, m_reader.number64("checksum of a chunk"));
      const auto limit = static_cast<uint64_t>(m_directoryOffset);
      if (offset > limit || size > limit - offset)
        return fail(kDamaged, "chunk {} (offset {}, {} bytes) does not lie before the directory at {}", i, offset, size,
                    limit);
      const auto first = static_cast<int64_t>(offset), length = static_cast<int64_t>(size);
      if (first < end) return fail(kDamaged, "chunk {} at {} overlaps what ends at {}", i, first, end);
      if (first != alignUp(end, contextAlignment(length)))
        return fail(kDamaged, "chunk {} lies at {} instead of {}", i, first, alignUp(end, contextAlignment(length)));
      end = first + length;
      m_parsed.chunks.push_back({m_bytes.subspan(offset, size), checksum});
    }
    if (m_directoryOffset != alignUp(end, kContextChunkAlignment))
      return fail(kDamaged, "its directory lies at {} instead of {}", m_directoryOffset,
                  alignUp(end, kContextChunkAlignment));
    return {};
  }

  Result<void> readPartition(uint32_t number) {
    ContextPartition partition;
    CUTAWAY_TRY(partition.name, m_reader.text(fmt::format("name of partition {}", number)));
    if (partition.name.empty()) return fail(kDamaged, "partition {} has no name", number);
    const std::string what = fmt::format("of partition '{}'", partition.name);
    CUTAWAY_TRY(partition.source, m_reader.text("source " + what));
    if (partition.source.empty()) return fail(kDamaged, "partition '{}' has no source", partition.name);
    CUTAWAY_TRY(partition.sdkVersion, m_reader.text("SDK version " + what));
    CUTAWAY_TRY(partition.hardware, m_reader.text("hardware " + what));
    CUTAWAY_TRY(partition.notes, m_reader.text("notes " + what));
    CUTAWAY_CHECK(readPorts(partition.inputs, "inputs " + what));
    CUTAWAY_CHECK(readPorts(partition.outputs, "outputs " + what));
    CUTAWAY_TRY(std::vector<uint32_t> chunks, readSections(partition));
    m_parsed.chunksOf.push_back(std::move(chunks));
    m_parsed.partitions.push_back(std::move(partition));
    return {};
  }

  Result<void> readPorts(std::vector<ContextPort>& ports, const std::string& what) {
    CUTAWAY_TRY(const uint32_t count, m_reader.count("number of " + what, kMostContextText, kPortBytes));
    for (uint32_t i = 0; i < count; ++i) {
      ContextPort port;
      CUTAWAY_TRY(port.name, m_reader.text(what));
      CUTAWAY_TRY(const uint32_t element, m_reader.number32(what));
      CUTAWAY_TRY(std::string denotation, m_reader.text(what));
      if (element >= kElementTypeCount || !isKnown(static_cast<ElementType>(element)))
        return fail(kDamaged, "port '{}' among the {} has element type {}, which is none", port.name, what, element);
      CUTAWAY_TRY(std::optional<Shape> shape, readShape(what));
      port.type = ValueType::tensor(static_cast<ElementType>(element), std::move(shape));
      port.type.denotation = std::move(denotation);
      ports.push_back(std::move(port));
    }
    return {};
  }

  Result<std::optional<Shape>> readShape(const std::string& what) {
    CUTAWAY_TRY(const uint32_t rank, m_reader.number32(what));
    if (rank == kContextRankUnknown) return std::nullopt;
    if (rank > m_reader.left() / kDimBytes)
      return fail(kDamaged, "a rank among the {} is {}, more than can be", what, rank);
    std::vector<Dim> dims(rank);
    for (Dim& dim : dims) {
      CUTAWAY_TRY(const uint64_t bits, m_reader.number64(what));
      const auto value = static_cast<int64_t>(bits);
      if (value < -1) return fail(kDamaged, "a dimension among the {} is {}", what, value);
      if (value >= 0) {
        dim = Dim(value);
        continue;
      }
      CUTAWAY_TRY(std::string symbol, m_reader.text(what));
      dim = Dim(std::move(symbol));
    }
    return Shape(std::move(dims));
  }

  Result<std::vector<uint32_t>> readSections(ContextPartition& partition) {
    const std::string what = fmt::format("of partition '{}'", partition.name);
    CUTAWAY_TRY(const uint32_t count, m_reader.count("number of sections " + what, kMostContextChunks, kSectionBytes));
    std::vector<uint32_t> chunks;
    for (uint32_t i = 0; i < count; ++i) {
      ContextSection section;
      CUTAWAY_TRY(section.name, m_reader.text("name of a section " + what));
      CUTAWAY_TRY(const uint32_t chunk, m_reader.number32("chunk of a section " + what));
      if (section.name.empty()) return fail(kDamaged, "section {} {} has no name", i, what);
      if (chunk >= m_parsed.chunks.size())
        return fail(kDamaged, "section '{}' {} is in chunk {}, and there are {}", section.name, what, chunk,
                    m_parsed.chunks.size());
      section.bytes = m_parsed.chunks[chunk].bytes;
      chunks.push_back(chunk);
      partition.sections.push_back(std::move(section));
    }
    std::vector<std::string_view> names;
    for (const ContextSection& section : partition.sections)
      names.push_back(section.name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end())
      return fail(kDamaged, "partition '{}' has the section '{}' twice", partition.name, *twice);
    return chunks;
  }

  // By sorting: the names are a stranger's, and could be made to fall into one place of a hash table.
  Result<void> sortNames() {
    const std::vector<ContextPartition>& all = m_parsed.partitions;
    m_parsed.byName.resize(all.size());
    std::iota(m_parsed.byName.begin(), m_parsed.byName.end(), 0u);
    const auto key = [&](uint32_t i) { return std::tie(all[i].name, all[i].source); };
    std::ranges::sort(m_parsed.byName, {}, key);
    const auto twice = std::ranges::adjacent_find(m_parsed.byName, {}, key);
    if (twice != m_parsed.byName.end())
      return fail(kDamaged, "it has the partition '{}' of {} twice", all[*twice].name, all[*twice].source);
    return {};
  }

  std::span<const std::byte> m_bytes;
  int64_t m_directoryOffset;
  DirectoryReader m_reader;
  ParsedBinary m_parsed;
};

}  // namespace

Result<ParsedBinary> parseContextBinary(std::span<const std::byte> bytes) {
  CUTAWAY_TRY(const Header header, readHeader(bytes));
  if (checksumOf(bytes.subspan(header.directoryOffset)) != header.directoryChecksum)
    return fail(kDamaged,
                "its directory is damaged (the checksum does not agree); make it again from the original model");
  CUTAWAY_TRY(ParsedBinary parsed, Parser(bytes, header).parse());
  parsed.contentHash = header.headerChecksum;
  return parsed;
}

}  // namespace cutaway::context_binary
