#include "tests/fuzz/context/mutate.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/checksum.h"

namespace cutaway::fuzz {
namespace {

constexpr size_t kAtFileSize = 16, kAtDirectory = 24, kAtDirectorySize = 32, kAtDirectoryChecksum = 40,
                 kAtHeaderChecksum = 48;
constexpr size_t kMostBytes = 1 << 20;

struct Range {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

uint64_t numberAt(const std::string& bytes, size_t offset, size_t size = 8) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + offset, size);
  return value;
}

void putNumber(std::string& bytes, size_t offset, uint64_t value, size_t size = 8) {
  std::memcpy(bytes.data() + offset, &value, size);
}

std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

void flipBit(std::string& bytes, Range range, Random& random) {
  if (range.size() > 0) bytes[range.begin + random.below(range.size())] ^= static_cast<char>(1u << random.below(8));
}

void extremeByte(std::string& bytes, Range range, Random& random) {
  static constexpr std::array<unsigned char, 8> kBytes{0, 1, 0x7F, 0x80, 0xFF, '"', '[', '/'};
  if (range.size() > 0)
    bytes[range.begin + random.below(range.size())] = static_cast<char>(kBytes[random.below(kBytes.size())]);
}

void extremeIn(std::string& bytes, Range range, Random& random) {
  const size_t size = random.oneIn(2) ? 4 : 8;
  if (range.size() < size) return;
  size_t offset = random.below(range.size() - size + 1);
  if (!random.oneIn(4)) offset = offset / 4 * 4;
  putNumber(bytes, range.begin + offset,
            extremeNumber(numberAt(bytes, range.begin + offset, size), bytes.size(), random), size);
}

void splice(std::string& bytes, Range range, const std::vector<std::string>& others, Random& random) {
  const std::string from = others.empty() || random.oneIn(2) ? bytes : others[random.below(others.size())];
  if (from.empty()) return;
  const size_t begin = random.below(from.size()),
               length = 1 + random.below(std::min<size_t>(from.size() - begin, random.oneIn(4) ? 4096 : 64));
  const size_t at = range.begin + random.below(range.size() + 1);
  if (random.oneIn(2))
    bytes.insert(at, from, begin, length);
  else
    bytes.replace(at, std::min(length, bytes.size() - at), from, begin, length);
}

void cut(std::string& bytes, Range range, Random& random) {
  if (range.size() == 0) return;
  const size_t at = range.begin + random.below(range.size());
  if (random.oneIn(3))
    bytes.resize(at);
  else
    bytes.erase(at, 1 + random.below(random.oneIn(3) ? 4096 : 16));
}

void damage(std::string& bytes, Range range, const std::vector<std::string>& others, Random& random) {
  switch (random.below(8)) {
    case 0:
      flipBit(bytes, range, random);
      break;
    case 1:
      extremeByte(bytes, range, random);
      break;
    case 2:
    case 3:
    case 4:
      extremeIn(bytes, range, random);
      break;
    case 5:
      splice(bytes, range, others, random);
      break;
    case 6:
      cut(bytes, range, random);
      break;
    default:
      bytes.insert(range.begin + random.below(range.size() + 1), random.below(40),
                   static_cast<char>(random.below(256)));
      break;
  }
  if (bytes.size() > kMostBytes) bytes.resize(kMostBytes);
}

bool hasHeader(const std::string& bytes) {
  return bytes.size() >= static_cast<size_t>(context_binary::kContextHeaderBytes) &&
         bytes.starts_with(context_binary::kContextMagic);
}

void repairChunks(std::string& bytes, size_t directory) {
  if (bytes.size() - directory < 4) return;
  const uint64_t count = numberAt(bytes, directory, 4);
  for (uint64_t i = 0; i < count && directory + 4 + (i + 1) * 24 <= bytes.size(); ++i) {
    const size_t entry = directory + 4 + i * 24;
    const uint64_t offset = numberAt(bytes, entry), size = numberAt(bytes, entry + 8);
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      putNumber(bytes, entry + 16, context_binary::checksumOf(bytesOf(bytes).subspan(offset, size)));
  }
}

}  // namespace

uint64_t extremeNumber(uint64_t now, size_t fileBytes, Random& random) {
  static constexpr std::array<uint64_t, 16> kNumbers{0,
                                                     1,
                                                     2,
                                                     63,
                                                     64,
                                                     4095,
                                                     4096,
                                                     0x7FFFFFFF,
                                                     0x80000000,
                                                     0xFFFFFFFE,
                                                     0xFFFFFFFF,
                                                     uint64_t{1} << 32,
                                                     uint64_t{1} << 40,
                                                     ~uint64_t{0} >> 1,
                                                     uint64_t{1} << 63,
                                                     ~uint64_t{0}};
  switch (random.below(8)) {
    case 0:
      return now + 1;
    case 1:
      return now - 1;
    case 2:
      return fileBytes - random.below(3) + 1;
    case 3:
      return now * 2;
    case 4:
      return now ^ (uint64_t{1} << random.below(64));
    case 5:
      return random.below(fileBytes + 1);
    default:
      return kNumbers[random.below(kNumbers.size())];
  }
}

void damageBytes(std::string& bytes, const std::vector<std::string>& others, Random& random) {
  for (size_t i = 1 + random.below(4); i > 0; --i)
    damage(bytes, {0, bytes.size()}, others, random);
}

void repairBinary(std::string& bytes, bool sizes) {
  if (!hasHeader(bytes)) return;
  if (sizes) {
    putNumber(bytes, kAtFileSize, bytes.size());
    if (const uint64_t directory = numberAt(bytes, kAtDirectory); directory <= bytes.size())
      putNumber(bytes, kAtDirectorySize, bytes.size() - directory);
  }
  const uint64_t directory = numberAt(bytes, kAtDirectory);
  if (directory >= static_cast<uint64_t>(context_binary::kContextHeaderBytes) && directory <= bytes.size()) {
    repairChunks(bytes, directory);
    putNumber(bytes, kAtDirectoryChecksum, context_binary::checksumOf(bytesOf(bytes).subspan(directory)));
  }
  putNumber(bytes, kAtHeaderChecksum, context_binary::checksumOf(bytesOf(bytes).first(kAtHeaderChecksum)));
}

void damageBinary(std::string& bytes, const std::vector<std::string>& others, Random& random) {
  for (size_t i = 1 + random.below(3); i > 0; --i) {
    const size_t directory = hasHeader(bytes) ? std::min<size_t>(numberAt(bytes, kAtDirectory), bytes.size()) : 0;
    switch (random.below(8)) {
      case 0:
        damage(bytes, {0, bytes.size()}, others, random);
        break;
      case 1:
        damage(bytes, {0, std::min<size_t>(bytes.size(), context_binary::kContextHeaderBytes)}, others, random);
        break;
      case 2:
        damage(bytes,
               {std::min<size_t>(bytes.size(), context_binary::kContextHeaderBytes),
                std::max<size_t>(directory, std::min<size_t>(bytes.size(), context_binary::kContextHeaderBytes))},
               others, random);
        break;
      default:
        damage(bytes, {directory, bytes.size()}, others, random);
        break;
    }
  }
  if (!random.oneIn(16)) repairBinary(bytes, !random.oneIn(8));
}

}  // namespace cutaway::fuzz
