// Three and more operands, two at a time: the pair whose product is smallest first, and what no other operand needs is
// summed at once.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/math/einsum_contraction.h"

namespace cutaway::cpu {

namespace {

struct Pair {
  int first = 0, second = 1;
  int64_t size = -1;  // elements of the product; -1: too many to count
};

class PairwiseContraction {
 public:
  PairwiseContraction(const EinsumLabels& labels, std::span<const float* const> operands)
      : m_labels(labels), m_count(static_cast<int>(operands.size())) {
    std::ranges::copy(operands, m_data.begin());
  }

  Result<void> run(float* y, KernelContext& context) {
    while (m_count > 2) {
      const Pair pair = smallestPair();
      if (pair.size < 0)
        return fail(ErrorCode::kInvalidArgument, "Einsum: an intermediate product has too many elements");
      CUTAWAY_TRY(const int64_t bytes, checkedMultiply(pair.size, sizeof(float)));
      CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(bytes)));
      auto* product = reinterpret_cast<float*>(memory.data());
      CUTAWAY_CHECK(contractPair(pair, product, context));
    }
    m_labels.operands = 2;
    return contractByProducts(m_labels, m_data[0], m_data[1], y, context);
  }

 private:
  bool has(int operand, int label) const {
    return m_labels.extents[label] > 1 && m_labels.strides[operand][label] != 0;
  }

  // Is the label wanted of the product of a and b?
  bool kept(int a, int b, int label) const {
    if (!has(a, label) && !has(b, label)) return false;
    if (!m_labels.summed(label)) return true;
    for (int k = 0; k < m_count; ++k) {
      if (k != a && k != b && has(k, label)) return true;
    }
    return false;
  }

  Pair smallestPair() const {
    Pair best;
    for (int a = 0; a < m_count; ++a) {
      for (int b = a + 1; b < m_count; ++b) {
        int64_t size = 1;
        for (int label = 0; label < m_labels.labels && size > 0; ++label) {
          if (!kept(a, b, label)) continue;
          const auto grown = checkedMultiply(size, m_labels.extents[label]);
          size = grown ? *grown : -1;
        }
        if (size > 0 && (best.size < 0 || size < best.size)) best = {a, b, size};
      }
    }
    return best;
  }

  // The product takes the first operand's place, the last operand the second's.
  Result<void> contractPair(const Pair& pair, float* product, KernelContext& context) {
    EinsumLabels part;
    part.operands = 2;
    std::array<int, EinsumLabels::kMaxLabels> from{};
    const auto add = [&](int label) {
      from[static_cast<size_t>(part.labels)] = label;
      part.extents[part.labels] = m_labels.extents[label];
      part.strides[0][part.labels] = m_labels.strides[pair.first][label];
      part.strides[1][part.labels] = m_labels.strides[pair.second][label];
      ++part.labels;
    };
    for (int label = 0; label < m_labels.labels; ++label) {
      if (kept(pair.first, pair.second, label)) add(label);
    }
    part.outputLabels = part.labels;
    for (int label = 0; label < m_labels.labels; ++label) {
      if (!kept(pair.first, pair.second, label) && (has(pair.first, label) || has(pair.second, label))) add(label);
    }
    CUTAWAY_CHECK(contractByProducts(part, m_data[pair.first], m_data[pair.second], product, context));
    m_labels.strides[pair.first].fill(0);
    int64_t stride = 1;
    for (int i = part.outputLabels; i-- > 0;) {
      m_labels.strides[pair.first][from[static_cast<size_t>(i)]] = stride;
      stride *= part.extents[i];
    }
    m_data[pair.first] = product;
    --m_count;
    m_labels.strides[pair.second] = m_labels.strides[m_count];
    m_data[pair.second] = m_data[m_count];
    return {};
  }

  EinsumLabels m_labels;
  int m_count;
  std::array<const float*, EinsumLabels::kMaxOperands> m_data{};
};

}  // namespace

Result<void> contractPairwise(const EinsumLabels& labels, std::span<const float* const> operands, float* y,
                              KernelContext& context) {
  return PairwiseContraction(labels, operands).run(y, context);
}

}  // namespace cutaway::cpu
