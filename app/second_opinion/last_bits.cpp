#include "app/second_opinion/last_bits.h"

#include <cstring>
#include <random>

namespace cutaway {

namespace {

constexpr int64_t kFewest = 16;

// A float's bits below its sign, and those of its exponent: neighbours differ by one there.
struct Format {
  size_t bytes = 0;
  uint64_t exponent = 0;
};
Format formatOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return {4, 0x7F80'0000};
    case ElementType::kDouble:
      return {8, 0x7FF0'0000'0000'0000};
    case ElementType::kFloat16:
      return {2, 0x7C00};
    case ElementType::kBfloat16:
      return {2, 0x7F80};
    default:
      return {};
  }
}

uint64_t neighbour(uint64_t bits, const Format& format, bool up) {
  const uint64_t sign = uint64_t{1} << (8 * format.bytes - 1);
  const uint64_t size = bits & (sign - 1);
  if (size == 0 || (size & format.exponent) == format.exponent) return bits;  // zero, infinite or NaN
  const uint64_t moved = up ? size + 1 : size - 1;
  return (moved & format.exponent) == format.exponent ? bits : (bits & sign) | moved;
}

// Invalid where the elements are no floats, or memory is short.
Tensor nudged(const Tensor& tensor, std::mt19937_64& random) {
  const Format format = formatOf(tensor.type());
  if (format.bytes == 0) return {};
  Result<Tensor> moved = Tensor::create(tensor.type(), tensor.dims());
  if (!moved) return {};
  const auto* const from = static_cast<const std::byte*>(tensor.data());
  auto* const to = static_cast<std::byte*>(moved->mutableData());
  const auto size = static_cast<size_t>(tensor.sizeBytes());
  for (size_t at = 0; at < size; at += format.bytes) {
    uint64_t bits = 0;
    std::memcpy(&bits, from + at, format.bytes);
    bits = neighbour(bits, format, (random() & 1) != 0);
    std::memcpy(to + at, &bits, format.bytes);
  }
  return *std::move(moved);
}

}  // namespace

std::vector<execute::Feed> nudgedFeeds(const std::vector<execute::Feed>& feeds, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<execute::Feed> all = feeds;
  for (execute::Feed& feed : all) {
    if (!feed.value.isTensor()) continue;
    if (Tensor moved = nudged(feed.value.tensor(), random); moved.valid()) feed.value = std::move(moved);
  }
  return all;
}

void nudgeWeights(Graph& graph, uint64_t seed) {
  std::mt19937_64 random(seed);
  forEachGraph(graph, [&](Graph& each, auto&&...) {
    for (const ValueId id : each.initializers()) {
      const Tensor weights = *each.value(id).initializer;
      if (weights.elementCount() < kFewest) continue;
      if (Tensor moved = nudged(weights, random); moved.valid()) each.mutableValue(id).initializer = std::move(moved);
    }
  });
}

}  // namespace cutaway
