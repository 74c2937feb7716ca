// NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss: what a classifier pays for the probability of the right class.
//
// Scores are [batch, classes, places...], labels [batch, places...]. loss = -weight[label] * log p[label]; `mean`
// divides by the weights that took part. Sums run in double.

#include "engine/operators/cross_entropy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using operators::LossReduction;
using LossShape = operators::CrossEntropySizes;

// Places worked on together, so that memory is read in order whatever the number of classes.
constexpr int64_t kBlock = 256;

struct Labels {
  const Tensor* tensor;
  bool hasIgnored;
  int64_t ignored;

  int64_t at(int64_t index) const {
    return tensor->type() == ElementType::kInt32 ? tensor->span<int32_t>()[static_cast<size_t>(index)]
                                                 : tensor->span<int64_t>()[static_cast<size_t>(index)];
  }
  bool skips(int64_t label) const { return hasIgnored && label == ignored; }
};

// log p = x - max - log(sum(exp(x - max))) for `count` neighbouring places; classes lie `stride` apart. `shift` gets
// max + log(sum).
template <typename T>
void logNormalisers(const T* scores, int64_t classes, int64_t stride, int64_t count, double* shift) {
  double largest[kBlock];
  for (int64_t i = 0; i < count; ++i)
    largest[i] = static_cast<double>(scores[i]);
  for (int64_t c = 1; c < classes; ++c) {
    for (int64_t i = 0; i < count; ++i)
      largest[i] = std::max(largest[i], static_cast<double>(scores[c * stride + i]));
  }
  std::fill_n(shift, count, 0.0);
  for (int64_t c = 0; c < classes; ++c) {
    for (int64_t i = 0; i < count; ++i)
      shift[i] += std::exp(static_cast<T>(static_cast<double>(scores[c * stride + i]) - largest[i]));
  }
  for (int64_t i = 0; i < count; ++i)
    shift[i] = largest[i] + std::log(shift[i]);
}

template <typename T>
class LossKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const operators::CrossEntropySettings settings, operators::readCrossEntropy(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<LossKernel>(settings));
  }
  explicit LossKernel(const operators::CrossEntropySettings& settings)
      : m_reduction(settings.reduction),
        m_softmax(settings.softmax),
        m_hasIgnored(settings.hasIgnored),
        m_ignored(settings.ignored) {}
  std::string_view variant() const override { return std::is_same_v<T, float> && m_softmax ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* scores, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* target, requireTensor(context, 1));
    const Tensor* weights = optionalTensor(context, 2);
    CUTAWAY_TRY(const LossShape shape, operators::crossEntropySizes(*scores, *target, weights));
    const Labels labels{target, m_hasIgnored, m_ignored};
    CUTAWAY_CHECK(checkLabels(labels, shape));
    T* logs = nullptr;
    if (m_softmax && context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * output, context.output(1, scores->type(), scores->dims()));
      logs = output->span<T>().data();
    }
    const bool each = m_reduction == LossReduction::kNone;
    CUTAWAY_TRY(Tensor * loss, context.output(0, scores->type(), each ? target->dims() : Dims()));
    const int64_t blocks = shape.batch * ((shape.places + kBlock - 1) / kBlock);
    const size_t sumBytes = static_cast<size_t>(std::max<int64_t>(blocks, 1)) * 2 * sizeof(double);
    const bool byRow = std::is_same_v<T, float> && m_softmax && shape.places == 1 && shape.classes > 0;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(sumBytes + (byRow && logs == nullptr ? static_cast<size_t>(scores->sizeBytes()) : 0)));
    auto* sums = reinterpret_cast<double*>(memory.data());
    if (byRow && logs == nullptr) logs = reinterpret_cast<T*>(memory.data() + sumBytes);
    const T* weight = weights == nullptr ? nullptr : weights->template span<T>().data();
    const int64_t grain =
        std::max<int64_t>(1, 16384 / std::max<int64_t>(1, shape.classes * std::min(shape.places, kBlock)));
    parallelFor(blocks, grain, [&](int64_t begin, int64_t end) {
      for (int64_t block = begin; block < end; ++block)
        oneBlock(block, shape, labels, scores->span<T>().data(), weight, logs,
                 each ? loss->template span<T>().data() : nullptr, sums + 2 * block);
    });
    if (each) return {};
    double total = 0;
    double divisor = 0;
    for (int64_t block = 0; block < blocks; ++block) {
      total += sums[2 * block];
      divisor += sums[2 * block + 1];
    }
    loss->template span<T>()[0] = static_cast<T>(m_reduction == LossReduction::kMean ? total / divisor : total);
    return {};
  }

 private:
  static Result<void> checkLabels(const Labels& labels, const LossShape& shape) {
    for (int64_t i = 0; i < shape.batch * shape.places; ++i) {
      const int64_t label = labels.at(i);
      if (!labels.skips(label) && (label < 0 || label >= shape.classes))
        return fail(ErrorCode::kInvalidArgument, "label {} at element {} is outside the {} classes", label, i,
                    shape.classes);
    }
    return {};
  }

  // sums[0]: the block's loss; sums[1]: the weights that took part.
  void oneBlock(int64_t block, const LossShape& shape, const Labels& labels, const T* scores, const T* weight, T* logs,
                T* losses, double* sums) const {
    const int64_t blocksPerEntry = (shape.places + kBlock - 1) / kBlock;
    const int64_t entry = block / blocksPerEntry;
    const int64_t first = block % blocksPerEntry * kBlock;
    const int64_t count = std::min(kBlock, shape.places - first);
    const int64_t base = entry * shape.classes * shape.places + first;
    if constexpr (std::is_same_v<T, float>) {
      if (m_softmax && shape.places == 1 && shape.classes > 0)
        return oneRow(entry, shape, labels, scores + base, weight, logs + base, losses, sums);
    }
    double shift[kBlock] = {};
    if (m_softmax && shape.classes > 0) logNormalisers(scores + base, shape.classes, shape.places, count, shift);
    for (int64_t c = 0; logs != nullptr && c < shape.classes; ++c) {
      const int64_t row = base + c * shape.places;
      for (int64_t i = 0; i < count; ++i)
        logs[row + i] = static_cast<T>(static_cast<double>(scores[row + i]) - shift[i]);
    }
    sums[0] = sums[1] = 0;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = entry * shape.places + first + i;
      const int64_t label = labels.at(place);
      double loss = 0;
      if (!labels.skips(label)) {
        const double factor = weight == nullptr ? 1.0 : static_cast<double>(weight[label]);
        loss = -(static_cast<double>(scores[base + label * shape.places + i]) - shift[i]) * factor;
        sums[1] += factor;
      }
      sums[0] += loss;
      if (losses != nullptr) losses[place] = static_cast<T>(loss);
    }
  }

  // The classes of one entry lie side by side: vectors take their logarithms, which `logs` has room for.
  static void oneRow(int64_t entry, const LossShape& shape, const Labels& labels, const float* scores,
                     const float* weight, float* logs, float* losses, double* sums) {
    softmaxRow(scores, logs, shape.classes, SoftmaxKind::kLogSoftmax);
    const int64_t label = labels.at(entry);
    const bool counts = !labels.skips(label);
    sums[1] = !counts ? 0.0 : weight == nullptr ? 1.0 : static_cast<double>(weight[label]);
    sums[0] = counts ? -static_cast<double>(logs[label]) * sums[1] : 0.0;
    if (losses != nullptr) losses[entry] = static_cast<float>(sums[0]);
  }

  LossReduction m_reduction;
  bool m_softmax;
  bool m_hasIgnored;
  int64_t m_ignored;
};

constexpr KernelRow kRows[] = {
    {.opType = "NegativeLogLikelihoodLoss",
     .versions = {12},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = LossKernel<float>::create},
    {.opType = "NegativeLogLikelihoodLoss",
     .versions = {12},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = LossKernel<double>::create},
    {.opType = "NegativeLogLikelihoodLoss",
     .versions = {12},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<LossKernel<float>::create>},
    {.opType = "SoftmaxCrossEntropyLoss",
     .versions = {12},
     .types = kFloatInput,
     .fastPath = "highway",
     .create = LossKernel<float>::create},
    {.opType = "SoftmaxCrossEntropyLoss",
     .versions = {12},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = LossKernel<double>::create},
    {.opType = "SoftmaxCrossEntropyLoss",
     .versions = {12},
     .types = kHalfInput,
     .fastPath = "highway",
     .create = createThroughFloat<LossKernel<float>::create>},
};

}  // namespace

KernelRows kernel_cross_entropy() {
  return kRows;
}

}  // namespace cutaway::cpu
