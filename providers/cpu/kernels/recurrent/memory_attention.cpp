#include "providers/cpu/kernels/recurrent/memory_attention.h"

#include <algorithm>
#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/math/matrix_product.h"

namespace cutaway::cpu {
namespace {

// c[rows, columns] = a[rows, depth] b[depth, columns].
Result<void> product(int64_t rows, int64_t columns, int64_t depth, const float* a, const float* b, float* c) {
  return math::multiply({.rows = rows, .columns = columns, .depth = depth}, a, b, c);
}

Result<void> product(int64_t rows, int64_t columns, int64_t depth, const double* a, const double* b, double* c) {
  std::fill_n(c, rows * columns, 0.0);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t k = 0; k < depth; ++k) {
      for (int64_t column = 0; column < columns; ++column)
        c[row * columns + column] += a[row * depth + k] * b[k * columns + column];
    }
  }
  return {};
}

void tanhOf(float* row, int64_t count) {
  cpu::floatLoop(cpu::PointwiseOp::kTanh)(row, row, count, {});
}
void tanhOf(double* row, int64_t count) {
  std::transform(row, row + count, row, [](double x) { return std::tanh(x); });
}

template <typename T>
void softmax(T* values, int64_t count) {
  const T most = count > 0 ? *std::max_element(values, values + count) : T(0);
  T sum = 0;
  for (int64_t i = 0; i < count; ++i)
    sum += values[i] = std::exp(values[i] - most);
  for (int64_t i = 0; i < count; ++i)
    values[i] /= sum;
}

}  // namespace

Result<MemoryAttentionInputs> readMemoryAttention(const RecurrentSettings& settings, const KernelContext& context,
                                                  ElementType type, int64_t batch, int64_t hidden) {
  const auto given = [&](size_t slot) { return slot < context.inputCount() ? context.input(slot) : nullptr; };
  MemoryAttentionInputs inputs;
  inputs.queryWeights = given(8);
  inputs.memoryWeights = given(9);
  inputs.vector = given(10);
  inputs.memory = given(11);
  inputs.layer = given(13);
  if (inputs.queryWeights == nullptr || inputs.memoryWeights == nullptr || inputs.vector == nullptr ||
      inputs.memory == nullptr) {
    return fail(ErrorCode::kInvalidArgument, "{}: QW, MW, V and M must be given", settings.opType);
  }
  if (inputs.memory->rank() != 3 || inputs.vector->rank() != 2) {
    return fail(ErrorCode::kInvalidArgument, "{}: M is {} and V {}, but must have three and two axes", settings.opType,
                dimsToText(inputs.memory->dims()), dimsToText(inputs.vector->dims()));
  }
  inputs.batch = batch;
  inputs.hidden = hidden;
  inputs.steps = inputs.memory->dims()[1];
  inputs.depth = inputs.memory->dims()[2];
  inputs.keySize = inputs.vector->dims()[1];
  const int64_t directions = settings.directions;
  CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.memory, type, "M", "batch, memory steps, memory depth",
                                     std::array{batch, inputs.steps, inputs.depth}));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.vector, type, "V", "directions, keys",
                                     std::array{directions, inputs.keySize}));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.queryWeights, type, "QW", "directions, hidden, keys",
                                     std::array{directions, hidden, inputs.keySize}));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.memoryWeights, type, "MW", "directions, memory depth, keys",
                                     std::array{directions, inputs.depth, inputs.keySize}));
  inputs.result = inputs.depth;
  CUTAWAY_TRY(const int64_t joined, checkedAdd(inputs.depth, hidden));
  if (inputs.layer != nullptr) {
    if (inputs.layer->rank() != 3)
      return fail(ErrorCode::kInvalidArgument, "{}: AW is {}, but must have three axes", settings.opType,
                  dimsToText(inputs.layer->dims()));
    inputs.result = inputs.layer->dims()[2];
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.layer, type, "AW",
                                       "directions, memory depth + hidden, attention",
                                       std::array{directions, joined, inputs.result}));
  }
  if (const Tensor* lengths = given(12)) {
    CUTAWAY_CHECK(
        checkRecurrentTensor(settings, *lengths, ElementType::kInt32, "memory_seq_lens", "batch", std::array{batch}));
    inputs.lengths = lengths->span<int32_t>().data();
    for (const int32_t length : lengths->span<int32_t>()) {
      if (length < 0 || length > inputs.steps)
        return fail(ErrorCode::kInvalidArgument, "{}: memory_seq_lens has {}, which is outside 0 to {}, the steps of M",
                    settings.opType, length, inputs.steps);
    }
  }
  return inputs;
}

template <typename T>
Result<MemoryAttention<T>> MemoryAttention<T>::make(const MemoryAttentionInputs& inputs, KernelContext& context) {
  MemoryAttention attention;
  attention.m_inputs = inputs;
  CUTAWAY_TRY(const int64_t memorySteps, checkedMultiply(inputs.batch, inputs.steps));
  CUTAWAY_TRY(const int64_t keys, checkedMultiply(memorySteps, inputs.keySize));
  CUTAWAY_TRY(const int64_t rows, checkedMultiply(2, inputs.keySize));
  CUTAWAY_TRY(const int64_t others, checkedAdd(rows, inputs.steps + inputs.depth + inputs.hidden));
  CUTAWAY_TRY(const int64_t count, checkedAdd(keys, others));
  CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(count, static_cast<int64_t>(sizeof(T))));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(sizeBytes)));
  attention.m_keys = reinterpret_cast<T*>(memory.data());
  attention.m_query = attention.m_keys + keys;
  attention.m_row = attention.m_query + inputs.keySize;
  attention.m_scores = attention.m_row + inputs.keySize;
  attention.m_joined = attention.m_scores + inputs.steps;
  return attention;
}

template <typename T>
Result<void> MemoryAttention<T>::start(int64_t direction) {
  m_direction = direction;
  const MemoryAttentionInputs& in = m_inputs;
  return product(in.batch * in.steps, in.keySize, in.depth, in.memory->span<T>().data(),
                 in.memoryWeights->span<T>().data() + direction * in.depth * in.keySize, m_keys);
}

template <typename T>
Result<void> MemoryAttention<T>::attend(int64_t item, const T* hidden, T* result) {
  const MemoryAttentionInputs& in = m_inputs;
  const T* vector = in.vector->span<T>().data() + m_direction * in.keySize;
  const int64_t length = in.length(item);
  CUTAWAY_CHECK(product(1, in.keySize, in.hidden, hidden,
                        in.queryWeights->span<T>().data() + m_direction * in.hidden * in.keySize, m_query));
  for (int64_t step = 0; step < length; ++step) {
    const T* key = m_keys + (item * in.steps + step) * in.keySize;
    for (int64_t k = 0; k < in.keySize; ++k)
      m_row[k] = key[k] + m_query[k];
    tanhOf(m_row, in.keySize);
    T score = 0;
    for (int64_t k = 0; k < in.keySize; ++k)
      score += vector[k] * m_row[k];
    m_scores[step] = score;
  }
  softmax(m_scores, length);
  T* context = in.layer != nullptr ? m_joined + in.hidden : result;
  CUTAWAY_CHECK(
      product(1, in.depth, length, m_scores, in.memory->span<T>().data() + item * in.steps * in.depth, context));
  if (in.layer == nullptr) return {};
  std::copy_n(hidden, in.hidden, m_joined);
  const int64_t joined = in.hidden + in.depth;
  return product(1, in.result, joined, m_joined, in.layer->span<T>().data() + m_direction * joined * in.result, result);
}

template class MemoryAttention<float>;
template class MemoryAttention<double>;

}  // namespace cutaway::cpu
