// Chunks are written as they come, the directory when all are known, and the header last, over the zeros that hold its
// place: a file that was cut short has no header.

#include "engine/context_binary/binary_writer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/checksum.h"
#include "engine/context_binary/directory_bytes.h"

namespace cutaway::context_binary {
namespace {

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Result<void> checkText(std::string_view text, std::string_view what, bool mayBeEmpty) {
  if (text.empty() && !mayBeEmpty) return fail(ErrorCode::kInvalidArgument, "the {} is empty", what);
  if (text.size() > kMostContextText)
    return fail(ErrorCode::kInvalidArgument, "the {} has {} bytes; context binaries hold at most {}", what, text.size(),
                kMostContextText);
  if (!isUtf8(text))
    return fail(ErrorCode::kInvalidArgument, "the {} is no UTF-8 text; context binaries hold no other", what);
  return {};
}

Result<void> checkPort(const ContextPort& port, const std::string& partition) {
  CUTAWAY_CHECK(checkText(port.name, "name of a port", true));
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidArgument, "port '{}' of partition '{}' is {}: {}", port.name, partition,
                toText(port.type), why);
  };
  if (!port.type.isTensor()) return refuse("contexts have tensors as inputs and outputs only");
  if (!isKnown(port.type.element)) return refuse("its element type is not known");
  if (port.type.layout != Layout::kPlain) return refuse("contexts have inputs and outputs in the plain layout only");
  if (!port.type.shape) return checkText(port.type.denotation, "denotation of a port", true);
  for (const Dim& dim : port.type.shape->dims())
    CUTAWAY_CHECK(checkText(dim.symbol(), "symbol of a dimension", true));
  return checkText(port.type.denotation, "denotation of a port", true);
}

Result<void> checkPartition(const ContextPartition& partition) {
  CUTAWAY_CHECK(checkText(partition.name, "name of a partition", false));
  CUTAWAY_CHECK(checkText(partition.source, "source of a partition", false));
  CUTAWAY_CHECK(checkText(partition.sdkVersion, "SDK version of a partition", true));
  CUTAWAY_CHECK(checkText(partition.hardware, "hardware of a partition", true));
  CUTAWAY_CHECK(checkText(partition.notes, "note of a partition", true));
  for (const ContextPort& port : partition.inputs)
    CUTAWAY_CHECK(checkPort(port, partition.name));
  for (const ContextPort& port : partition.outputs)
    CUTAWAY_CHECK(checkPort(port, partition.name));
  std::vector<std::string_view> names;
  for (const ContextSection& section : partition.sections) {
    CUTAWAY_CHECK(checkText(section.name, "name of a section", false));
    names.push_back(section.name);
  }
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice != names.end())
    return fail(ErrorCode::kInvalidArgument, "partition '{}' has the section '{}' twice", partition.name, *twice);
  return {};
}

void writePorts(const std::vector<ContextPort>& ports, DirectoryWriter& writer) {
  writer.number32(static_cast<uint32_t>(ports.size()));
  for (const ContextPort& port : ports) {
    writer.text(port.name);
    writer.number32(static_cast<uint32_t>(port.type.element));
    writer.text(port.type.denotation);
    writer.number32(port.type.shape ? static_cast<uint32_t>(port.type.shape->rank()) : kContextRankUnknown);
    if (!port.type.shape) continue;
    for (const Dim& dim : port.type.shape->dims()) {
      writer.number64(static_cast<uint64_t>(dim.value()));
      if (!dim.isKnown()) writer.text(dim.symbol());
    }
  }
}

}  // namespace

ContextSink sinkOf(NewFile& file) {
  return {[&file](std::span<const std::byte> bytes) { return file.write(bytes); },
          [&file](int64_t offset, std::span<const std::byte> bytes) { return file.rewrite(offset, bytes); }};
}

ContextSink sinkOf(std::string& bytes) {
  return {[&bytes](std::span<const std::byte> more) -> Result<void> {
            bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
            return {};
          },
          [&bytes](int64_t offset, std::span<const std::byte> over) -> Result<void> {
            if (offset < 0 || static_cast<size_t>(offset) + over.size() > bytes.size())
              return fail(ErrorCode::kInvalidArgument, "bytes {} and on were not written yet", offset);
            std::memcpy(bytes.data() + offset, over.data(), over.size());
            return {};
          }};
}

ContextBinaryWriter::ContextBinaryWriter(ContextSink sink) : m_sink(std::move(sink)) {}

Result<void> ContextBinaryWriter::put(std::span<const std::byte> bytes) {
  CUTAWAY_CHECK(m_sink.write(bytes));
  m_offset += static_cast<int64_t>(bytes.size());
  return {};
}

Result<void> ContextBinaryWriter::padTo(int64_t alignment) {
  static constexpr std::array<std::byte, kContextPageAlignment> kZeros{};
  return put(std::span(kZeros).first(static_cast<size_t>(alignUp(m_offset, alignment) - m_offset)));
}

Result<void> ContextBinaryWriter::begin() {
  if (m_offset > 0) return {};
  static constexpr std::array<std::byte, kContextHeaderBytes> kNoHeader{};
  return put(kNoHeader);
}

Result<uint32_t> ContextBinaryWriter::chunkOf(const ContextSection& section, const Progress& progress) {
  constexpr size_t kPiece = size_t{16} << 20;
  const auto checksum = checksumOf(section.bytes, progress);
  if (!checksum) return fail(cancelledError());
  for (auto [at, end] = m_byChecksum.equal_range(*checksum); at != end; ++at) {
    const Chunk& known = m_chunks[at->second];
    if (!std::ranges::equal(known.bytes, section.bytes)) continue;
    m_figures.sharedBytes += known.sizeBytes;
    return at->second;
  }
  if (m_chunks.size() == kMostContextChunks)
    return fail(ErrorCode::kInvalidArgument, "a context binary holds at most {} pieces", kMostContextChunks);
  const auto size = static_cast<int64_t>(section.bytes.size());
  CUTAWAY_CHECK(padTo(contextAlignment(size)));
  m_chunks.push_back({m_offset, size, *checksum, section.bytes, section.keepAlive});
  for (size_t done = 0; done < section.bytes.size(); done += kPiece) {
    if (progress.cancelled()) return fail(cancelledError());
    CUTAWAY_CHECK(put(section.bytes.subspan(done, std::min(kPiece, section.bytes.size() - done))));
  }
  const auto index = static_cast<uint32_t>(m_chunks.size() - 1);
  m_byChecksum.emplace(*checksum, index);
  return index;
}

Result<void> ContextBinaryWriter::add(const ContextPartition& partition, const Progress& progress) {
  CUTAWAY_CHECK(checkPartition(partition));
  if (m_entries.size() == kMostContextPartitions)
    return fail(ErrorCode::kInvalidArgument, "a context binary holds at most {} partitions", kMostContextPartitions);
  if (!m_names.emplace(partition.source, partition.name).second) {
    return fail(ErrorCode::kModelLoaded,
                "the context binary has a partition '{}' of {} already; give each model a prefix of its own (session "
                "key ep.context_node_name_prefix)",
                partition.name, partition.source);
  }
  CUTAWAY_CHECK(begin());
  Entry entry;
  for (const ContextSection& section : partition.sections) {
    CUTAWAY_TRY(const uint32_t chunk, chunkOf(section, progress));
    entry.chunks.push_back(chunk);
    m_figures.sectionBytes += static_cast<int64_t>(section.bytes.size());
  }
  entry.partition = partition;
  for (ContextSection& section : entry.partition.sections)
    section = {section.name, {}, {}};
  m_entries.push_back(std::move(entry));
  return {};
}

std::string ContextBinaryWriter::directory() const {
  DirectoryWriter writer;
  writer.number32(static_cast<uint32_t>(m_chunks.size()));
  for (const Chunk& chunk : m_chunks) {
    writer.number64(static_cast<uint64_t>(chunk.offset));
    writer.number64(static_cast<uint64_t>(chunk.sizeBytes));
    writer.number64(chunk.checksum);
  }
  writer.number32(static_cast<uint32_t>(m_entries.size()));
  for (const Entry& entry : m_entries) {
    const ContextPartition& partition = entry.partition;
    for (const std::string* text :
         {&partition.name, &partition.source, &partition.sdkVersion, &partition.hardware, &partition.notes})
      writer.text(*text);
    writePorts(partition.inputs, writer);
    writePorts(partition.outputs, writer);
    writer.number32(static_cast<uint32_t>(partition.sections.size()));
    for (size_t i = 0; i < partition.sections.size(); ++i) {
      writer.text(partition.sections[i].name);
      writer.number32(entry.chunks[i]);
    }
  }
  return writer.take();
}

Result<ContextBinaryFigures> ContextBinaryWriter::finish() {
  CUTAWAY_CHECK(begin());
  CUTAWAY_CHECK(padTo(kContextChunkAlignment));
  const std::string text = directory();
  DirectoryWriter header;
  header.number32(kContextFormatVersion);
  header.number32(0);
  header.number64(static_cast<uint64_t>(m_offset) + text.size());
  header.number64(static_cast<uint64_t>(m_offset));
  header.number64(text.size());
  header.number64(checksumOf(bytesOf(text)));
  std::string bytes(kContextMagic);
  bytes += header.take();
  m_figures.contentHash = checksumOf(bytesOf(bytes));
  DirectoryWriter end;
  end.number64(m_figures.contentHash);
  end.number64(0);
  bytes += end.take();
  CUTAWAY_CHECK(put(bytesOf(text)));
  CUTAWAY_CHECK(m_sink.rewrite(0, bytesOf(bytes)));
  m_figures.fileBytes = m_offset;
  m_figures.partitions = static_cast<int64_t>(m_entries.size());
  return m_figures;
}

}  // namespace cutaway::context_binary
