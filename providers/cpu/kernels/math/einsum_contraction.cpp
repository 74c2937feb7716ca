#include "providers/cpu/kernels/math/einsum_contraction.h"

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/elementwise/binary_elements.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

template <typename T>
using Sum = std::conditional_t<std::is_integral_v<T>, T, double>;

// Labels [first, last) as an odometer over all operands.
struct Odometer {
  const EinsumLabels& labels;
  int first;
  int last;
  std::array<int64_t, EinsumLabels::kMaxLabels> at{};
  std::array<int64_t, EinsumLabels::kMaxOperands> offsets{};

  void start(int64_t index) {
    for (int label = last - 1; label >= first; --label) {
      at[label] = index % labels.extents[label];
      index /= labels.extents[label];
      for (int k = 0; k < labels.operands; ++k)
        offsets[k] += at[label] * labels.strides[k][label];
    }
  }

  void step() {
    for (int label = last - 1; label >= first; --label) {
      for (int k = 0; k < labels.operands; ++k)
        offsets[k] += labels.strides[k][label];
      if (++at[label] < labels.extents[label]) return;
      for (int k = 0; k < labels.operands; ++k)
        offsets[k] -= labels.extents[label] * labels.strides[k][label];
      at[label] = 0;
    }
  }
};

template <typename T>
Sum<T> productSum(const EinsumLabels& labels, std::span<const T* const> operands, const Odometer& output,
                  int64_t terms) {
  Odometer inner{labels, labels.outputLabels, labels.labels, {}, output.offsets};
  Sum<T> total = 0;
  for (int64_t i = 0; i < terms; ++i) {
    Sum<T> product = static_cast<Sum<T>>(widen(operands[0][inner.offsets[0]]));
    for (size_t k = 1; k < operands.size(); ++k)
      product = MulElement::apply(product, static_cast<Sum<T>>(widen(operands[k][inner.offsets[k]])));
    total = AddElement::apply(total, product);
    inner.step();
  }
  return total;
}

}  // namespace

template <typename T>
void contractByDefinition(const EinsumLabels& labels, std::span<const T* const> operands, T* y) {
  int64_t terms = 1;
  for (int label = labels.outputLabels; label < labels.labels; ++label)
    terms *= labels.extents[label];
  const int64_t outputs = elementCount(labels.outputDims);
  parallelFor(outputs, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, terms)), [&](int64_t begin, int64_t end) {
    Odometer output{labels, 0, labels.outputLabels, {}, {}};
    output.start(begin);
    for (int64_t i = begin; i < end; ++i) {
      y[i] = narrow<T>(static_cast<Computed<T>>(productSum<T>(labels, operands, output, terms)));
      output.step();
    }
  });
}

#define CUTAWAY_EINSUM(T) template void contractByDefinition<T>(const EinsumLabels&, std::span<const T* const>, T*);
CUTAWAY_EINSUM(float)
CUTAWAY_EINSUM(double)
CUTAWAY_EINSUM(Float16)
CUTAWAY_EINSUM(Bfloat16)
CUTAWAY_EINSUM(int8_t)
CUTAWAY_EINSUM(int16_t)
CUTAWAY_EINSUM(int32_t)
CUTAWAY_EINSUM(int64_t)
CUTAWAY_EINSUM(uint8_t)
CUTAWAY_EINSUM(uint16_t)
CUTAWAY_EINSUM(uint32_t)
CUTAWAY_EINSUM(uint64_t)
#undef CUTAWAY_EINSUM

namespace {

// A list of labels in the order in which a packed operand has them.
struct LabelList {
  std::array<int, EinsumLabels::kMaxLabels> label{};
  int count = 0;
  int64_t size = 1;

  void add(int which, int64_t extent) {
    label[count++] = which;
    size *= extent;
  }
  void add(const LabelList& other, const EinsumLabels& labels) {
    for (int i = 0; i < other.count; ++i)
      add(other.label[i], labels.extents[other.label[i]]);
  }
};

using Strides = std::array<int64_t, EinsumLabels::kMaxLabels>;

bool isDense(const EinsumLabels& labels, const LabelList& order, const Strides& strides) {
  int64_t expected = 1;
  for (int i = order.count; i-- > 0;) {
    const int64_t extent = labels.extents[order.label[i]];
    if (extent != 1 && strides[order.label[i]] != expected) return false;
    expected *= extent;
  }
  return true;
}

// dense[in list order] <-> strided memory.
template <bool gather>
void copyStrided(const EinsumLabels& labels, const LabelList& order, const Strides& strides,
                 std::conditional_t<gather, const float*, float*> strided,
                 std::conditional_t<gather, float*, const float*> dense) {
  parallelFor(order.size, 16384, [&](int64_t begin, int64_t end) {
    std::array<int64_t, EinsumLabels::kMaxLabels> at{};
    int64_t offset = 0;
    int64_t rest = begin;
    for (int i = order.count; i-- > 0;) {
      const int label = order.label[i];
      at[i] = rest % labels.extents[label];
      rest /= labels.extents[label];
      offset += at[i] * strides[label];
    }
    for (int64_t position = begin; position < end; ++position) {
      if constexpr (gather) {
        dense[position] = strided[offset];
      } else {
        strided[offset] = dense[position];
      }
      for (int i = order.count; i-- > 0;) {
        const int label = order.label[i];
        offset += strides[label];
        if (++at[i] < labels.extents[label]) break;
        offset -= labels.extents[label] * strides[label];
        at[i] = 0;
      }
    }
  });
}

Result<const float*> packed(const EinsumLabels& labels, const LabelList& order, const Strides& strides,
                            const float* data, KernelContext& context) {
  if (isDense(labels, order, strides)) return data;
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(order.size) * sizeof(float)));
  auto* dense = reinterpret_cast<float*>(memory.data());
  copyStrided<true>(labels, order, strides, data, dense);
  return dense;
}

// What only operand `which` of two has and nobody wants is summed before the two meet: "i,j->" is two sums and one
// product, where all products at once would take as much memory as they are many. In its labels and data the operand
// becomes what is left of it.
Result<void> sumAlone(EinsumLabels& labels, int which, const float*& data, KernelContext& context) {
  Strides& strides = labels.strides[which];
  const Strides& others = labels.strides[1 - which];
  const auto isAlone = [&](int label) {
    return labels.summed(label) && labels.extents[label] > 1 && strides[label] != 0 && others[label] == 0;
  };
  EinsumLabels part;
  part.operands = 1;
  const auto add = [&](int label) {
    part.extents[part.labels] = labels.extents[label];
    part.strides[0][part.labels++] = strides[label];
  };
  LabelList kept;
  for (int label = 0; label < labels.labels; ++label) {
    if (strides[label] == 0 || isAlone(label)) continue;
    kept.add(label, labels.extents[label]);
    add(label);
  }
  part.outputLabels = part.labels;
  part.outputDims = Dims(part.outputExtents());
  for (int label = 0; label < labels.labels; ++label) {
    if (isAlone(label)) add(label);
  }
  if (part.labels == part.outputLabels) return {};
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(kept.size) * sizeof(float)));
  auto* const sums = reinterpret_cast<float*>(memory.data());
  contractByDefinition<float>(part, {&data, 1}, sums);
  data = sums;
  strides.fill(0);
  int64_t stride = 1;
  for (int i = kept.count; i-- > 0;) {
    strides[kept.label[i]] = stride;
    stride *= labels.extents[kept.label[i]];
  }
  return {};
}

// Without what has been summed already.
EinsumLabels withoutSummed(const EinsumLabels& labels) {
  EinsumLabels rest = labels;
  rest.labels = rest.outputLabels;
  for (int label = rest.outputLabels; label < labels.labels; ++label) {
    if (labels.strides[0][label] == 0 && labels.strides[1][label] == 0) continue;
    rest.extents[rest.labels] = labels.extents[label];
    for (int k = 0; k < 2; ++k)
      rest.strides[k][rest.labels] = labels.strides[k][label];
    ++rest.labels;
  }
  return rest;
}

}  // namespace

Result<void> contractByProducts(const EinsumLabels& given, const float* a, const float* b, float* y,
                                KernelContext& context) {
  EinsumLabels labels = given;
  const std::span<const int64_t> extents(given.extents.data(), static_cast<size_t>(given.labels));
  if (std::ranges::find(extents, 0) == extents.end()) {  // a sum of nothing is 0, whatever it is multiplied by
    CUTAWAY_CHECK(sumAlone(labels, 0, a, context));
    CUTAWAY_CHECK(sumAlone(labels, 1, b, context));
    labels = withoutSummed(labels);
  }
  LabelList batch, rows, columns, depth;
  for (int label = 0; label < labels.labels; ++label) {
    const int64_t extent = labels.extents[label];
    if (labels.summed(label)) {
      depth.add(label, extent);
    } else if (labels.strides[0][label] != 0 && labels.strides[1][label] != 0) {
      batch.add(label, extent);
    } else {
      (labels.strides[1][label] != 0 ? columns : rows).add(label, extent);
    }
  }
  LabelList left = batch, right = batch, result = batch;
  left.add(rows, labels);
  left.add(depth, labels);
  right.add(depth, labels);
  right.add(columns, labels);
  result.add(rows, labels);
  result.add(columns, labels);
  // As stored [columns, depth] the right operand may need no packing.
  LabelList turned = batch;
  turned.add(columns, labels);
  turned.add(depth, labels);
  const bool transposed = !isDense(labels, right, labels.strides[1]) && isDense(labels, turned, labels.strides[1]);

  Strides outputStrides{};
  int64_t stride = 1;
  for (int label = labels.outputLabels; label-- > 0;) {
    outputStrides[label] = stride;
    stride *= labels.extents[label];
  }
  CUTAWAY_TRY(const float* leftData, packed(labels, left, labels.strides[0], a, context));
  CUTAWAY_TRY(const float* rightData, packed(labels, transposed ? turned : right, labels.strides[1], b, context));
  const bool direct = isDense(labels, result, outputStrides);
  float* product = y;
  if (!direct) {
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(result.size) * sizeof(float)));
    product = reinterpret_cast<float*>(memory.data());
  }
  const math::MultiplyShape shape{
      .rows = rows.size, .columns = columns.size, .depth = depth.size, .transposeB = transposed};
  for (int64_t i = 0; i < batch.size; ++i) {
    CUTAWAY_CHECK(math::multiply(shape, leftData + i * rows.size * depth.size,
                                 rightData + i * depth.size * columns.size, product + i * rows.size * columns.size));
  }
  if (!direct) copyStrided<false>(labels, result, outputStrides, y, product);
  return {};
}

}  // namespace cutaway::cpu
