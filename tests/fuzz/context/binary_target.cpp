#include <cstring>

#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/binary_writer.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {
namespace {

// In a block of its own size: a sanitizer sees every byte that is read too much.
std::shared_ptr<std::byte[]> exactCopy(const std::string& bytes) {
  auto copy =
      std::shared_ptr<std::byte[]>(static_cast<std::byte*>(::operator new[](bytes.size(), std::align_val_t{64})),
                                   [](std::byte* data) { ::operator delete[](data, std::align_val_t{64}); });
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return copy;
}

volatile uint64_t g_sum = 0;  // so that reading is not optimised away

uint64_t sumOf(std::span<const std::byte> bytes) {
  uint64_t sum = 0;
  for (const std::byte each : bytes)
    sum = sum * 31 + static_cast<uint64_t>(each);
  return sum;
}

void writeAgain(const context_binary::ContextBinary& binary) {
  std::string bytes;
  context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
  for (const context_binary::ContextPartition& each : binary.partitions()) {
    const auto added = writer.add(each, Progress());
    require(added.has_value(), added ? "" : "what was read cannot be written: " + describe(added.error()));
  }
  const auto figures = writer.finish();
  require(figures.has_value(), "what was read cannot be written");
  const auto again =
      context_binary::ContextBinary::open(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr, "again");
  require(again.has_value(), again ? "" : "what was written again does not open: " + describe(again.error()));
  require((*again)->verifyAll(Progress()).has_value(), "what was written again does not verify");
  require(
      (*again)->partitions().size() == binary.partitions().size() && (*again)->sectionBytes() == binary.sectionBytes(),
      "what was written again is another");
}

}  // namespace

void fuzzBinary(Random& random) {
  const std::vector<std::string>& seeds = binarySeeds();
  std::string bytes = seeds[random.below(seeds.size())];
  if (!random.oneIn(64)) damageBinary(bytes, seeds, random);
  const auto held = exactCopy(bytes);
  const auto opened = context_binary::ContextBinary::open({held.get(), bytes.size()}, held, "fuzz");
  if (!opened) {
    require(opened.error().code == ErrorCode::kEpFail && !opened.error().message.empty(),
            "another error: " + describe(opened.error()));
    return;
  }
  countAccepted();
  const context_binary::ContextBinary& binary = **opened;
  bool isIntact = true;
  for (const context_binary::ContextPartition& partition : binary.partitions()) {
    require(binary.find(partition.source, partition.name) != nullptr, "a partition is not found by its name");
    isIntact = binary.verify(partition, Progress()).has_value() && isIntact;
    uint64_t sum = 0;
    for (const context_binary::ContextSection& section : partition.sections)
      sum += sumOf(section.bytes);
    g_sum = g_sum + sum;
  }
  (void)binary.verifyAll(Progress());
  if (isIntact && binary.sectionBytes() < 1 << 22) writeAgain(binary);
}

}  // namespace cutaway::fuzz
