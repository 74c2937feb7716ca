#pragma once
// Small context binaries for tests: built by the writer, changed by hand, checksums made right again.
//
// Example: std::string bytes = writeBinary({partition("onednn", "onednn_0")});  putNumber(bytes, 8, uint32_t{2});
// repairHeader(bytes);

#include <cstring>
#include <string>
#include <vector>

#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/binary_writer.h"
#include "engine/context_binary/checksum.h"

namespace cutaway::test {

inline std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline context_binary::ContextSection section(std::string name, std::string contents) {
  const auto held = std::make_shared<const std::string>(std::move(contents));
  return {std::move(name), bytesOf(*held), held};
}

inline context_binary::ContextPartition partition(std::string source, std::string name) {
  context_binary::ContextPartition made{.name = std::move(name),
                                        .source = std::move(source),
                                        .sdkVersion = "1.0",
                                        .hardware = "x86-64",
                                        .notes = "a note"};
  made.inputs = {{"x", ValueType::tensor(ElementType::kFloat, Shape{Dim("batch"), Dim(3), Dim()})}};
  made.outputs = {{"y", ValueType::tensor(ElementType::kInt4, std::nullopt)}};
  made.sections = {section("graph", "what it computes"), section("weights", std::string(5000, 'w'))};
  return made;
}

inline std::string writeBinary(const std::vector<context_binary::ContextPartition>& partitions) {
  std::string bytes;
  context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
  for (const context_binary::ContextPartition& each : partitions) {
    if (auto added = writer.add(each, Progress()); !added) qFatal("%s", describe(added.error()).c_str());
  }
  if (auto finished = writer.finish(); !finished) qFatal("%s", describe(finished.error()).c_str());
  return bytes;
}

inline Result<std::shared_ptr<const context_binary::ContextBinary>> openBinary(const std::string& bytes,
                                                                               std::string name = "test.bin") {
  const auto held = std::make_shared<const std::string>(bytes);
  return context_binary::ContextBinary::open(bytesOf(*held), held, std::move(name));
}

template <typename T>
T numberAt(const std::string& bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}
template <typename T>
void putNumber(std::string& bytes, size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(value));
}

// Places in the header.
inline constexpr size_t kAtVersion = 8, kAtFlags = 12, kAtFileSize = 16, kAtDirectory = 24, kAtDirectorySize = 32,
                        kAtDirectoryChecksum = 40, kAtHeaderChecksum = 48;

inline void repairHeader(std::string& bytes) {
  putNumber(bytes, kAtHeaderChecksum, context_binary::checksumOf(bytesOf(bytes).first(kAtHeaderChecksum)));
}
// Sizes and checksums of header and directory, as somebody hostile would make them.
inline void repair(std::string& bytes) {
  const auto directory = numberAt<uint64_t>(bytes, kAtDirectory);
  putNumber(bytes, kAtFileSize, uint64_t{bytes.size()});
  if (directory <= bytes.size()) {
    putNumber(bytes, kAtDirectorySize, uint64_t{bytes.size() - directory});
    putNumber(bytes, kAtDirectoryChecksum, context_binary::checksumOf(bytesOf(bytes).subspan(directory)));
  }
  repairHeader(bytes);
}

}  // namespace cutaway::test
