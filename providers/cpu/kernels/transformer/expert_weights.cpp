#include "providers/cpu/kernels/transformer/expert_weights.h"

#include "engine/base/parallel.h"

namespace cutaway::cpu {
namespace {

void widenPart(const Tensor& from, int64_t first, int64_t count, float* to) {
  cpu::dispatchType(cpu::FloatTypes{}, from.type(), [&]<typename T>(cpu::TypeTag<T>) {
    const T* source = from.span<T>().data() + first;
    if constexpr (cpu::isHalf<T>) {
      cpu::widenRun(source, to, count);
    } else {
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<float>(source[i]);
    }
  });
}

bool isReal(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16;
}

Result<void> checkScales(const ExpertWeights& layer, int64_t experts) {
  const int64_t wanted = experts * layer.rows * layer.blocks;
  if (layer.scales == nullptr || !isReal(layer.scales->type()) || layer.scales->elementCount() != wanted) {
    return fail(ErrorCode::kInvalidArgument, "expert scales are {}, not {} floats",
                layer.scales != nullptr ? dimsToText(layer.scales->dims()) : "absent", wanted);
  }
  if (layer.zeros == nullptr) return {};
  const int64_t perRow = layer.blocks > 1 || layer.zeros->rank() == 3
                             ? layer.rows * ((layer.blocks * layer.bits + 7) / 8)
                             : (layer.rows * layer.bits + 7) / 8;
  if (layer.zeros->type() != ElementType::kUint8 || layer.zeros->elementCount() != experts * perRow) {
    return fail(ErrorCode::kInvalidArgument, "expert zero points are {} {}, not {} bytes",
                elementTypeName(layer.zeros->type()), dimsToText(layer.zeros->dims()), experts * perRow);
  }
  return {};
}

}  // namespace

Result<ExpertWeights> openExpertWeights(const KernelContext& context, const ExpertSlots& slots, int64_t experts) {
  const auto input = [&](size_t slot) { return slot < context.inputCount() ? context.input(slot) : nullptr; };
  ExpertWeights layer{.weights = input(slots.weights),
                      .scales = input(slots.scales),
                      .zeros = input(slots.zeros),
                      .bias = input(slots.bias)};
  if (layer.weights == nullptr || layer.weights->rank() != 3 || layer.weights->dims()[0] != experts) {
    return fail(ErrorCode::kInvalidArgument, "expert weights are {}, there are {} experts",
                layer.weights != nullptr ? dimsToText(layer.weights->dims()) : "absent", experts);
  }
  layer.rows = layer.weights->dims()[1];
  layer.depth = layer.weights->dims()[2];
  const ElementType type = layer.weights->type();
  if (slots.quantized ? type != ElementType::kUint8 : !isReal(type))
    return fail(ErrorCode::kInvalidArgument, "expert weights are {}", elementTypeName(type));
  if (layer.bias != nullptr && (!isReal(layer.bias->type()) || layer.bias->elementCount() != experts * layer.rows))
    return fail(ErrorCode::kInvalidArgument, "expert bias is {}, not [{},{}]", dimsToText(layer.bias->dims()), experts,
                layer.rows);
  if (!slots.quantized) return layer;
  layer.bits = slots.bits;
  layer.depth *= 8 / slots.bits;
  if (slots.blockSize > 0 && layer.depth % slots.blockSize != 0)
    return fail(ErrorCode::kInvalidArgument, "blocks of {} do not divide rows of {}", slots.blockSize, layer.depth);
  layer.blocks = slots.blockSize > 0 ? layer.depth / slots.blockSize : 1;
  CUTAWAY_CHECK(checkScales(layer, experts));
  return layer;
}

const float* ExpertWeights::expand(int64_t expert, float* memory) const {
  const int64_t count = rows * depth;
  if (weights->type() == ElementType::kFloat) return weights->span<float>().data() + expert * count;
  if (weights->type() != ElementType::kUint8) {
    widenPart(*weights, expert * count, count, memory);
    return memory;
  }
  float* factors = memory + count;
  widenPart(*scales, expert * rows * blocks, rows * blocks, factors);
  const int64_t perByte = 8 / bits, blockSize = depth / std::max<int64_t>(blocks, 1);
  const unsigned mask = (1u << bits) - 1;
  const uint8_t* packed = weights->span<uint8_t>().data() + expert * count / perByte;
  // Zero points: a padded row for every row of weights when they come in blocks, else a padded row for every expert.
  const bool byBlock = zeros != nullptr && (blocks > 1 || zeros->rank() == 3);
  const int64_t zeroBytes = byBlock ? (blocks * bits + 7) / 8 : (rows * bits + 7) / 8;
  const uint8_t* offsets =
      zeros != nullptr ? zeros->span<uint8_t>().data() + expert * (byBlock ? rows : 1) * zeroBytes : nullptr;
  parallelFor(rows, 4, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      for (int64_t block = 0; block < blocks; ++block) {
        const int64_t place = byBlock ? block : row;
        const uint8_t* zeroRow = offsets != nullptr && byBlock ? offsets + row * zeroBytes : offsets;
        const float zero = offsets == nullptr
                               ? static_cast<float>(1 << (bits - 1))
                               : static_cast<float>(zeroRow[place / perByte] >> (place % perByte * bits) & mask);
        const float scale = factors[row * blocks + block];
        for (int64_t i = row * depth + block * blockSize; i < row * depth + (block + 1) * blockSize; ++i) {
          memory[i] = (static_cast<float>(packed[i / perByte] >> (i % perByte * bits) & mask) - zero) * scale;
        }
      }
    }
  });
  return memory;
}

void ExpertWeights::expandBias(int64_t expert, float* to) const {
  widenPart(*bias, expert * rows, rows, to);
}

}  // namespace cutaway::cpu
