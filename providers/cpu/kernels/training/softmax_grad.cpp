// Backward softmax, and the backward cross-entropy loss over log probabilities.
//
// Softmax: dX = Y (dY - sum(dY Y)). Its logarithm: dX = dY - e^Y sum(dY). Loss: d logits = (e^log_prob - [class is the
// label]) weight dY / (what the loss was divided by).

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/training/same_shape.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

int64_t productOver(std::span<const int64_t> dims, size_t begin, size_t end) {
  return elementCount(dims.subspan(begin, end - begin));
}

template <typename T, bool logarithm>
class SoftmaxGrad final : public Kernel {
 public:
  SoftmaxGrad(std::string_view opType, int64_t axis, bool flat) : m_opType(opType), m_axis(axis), m_flat(flat) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor* dy = context.input(0);
    if (dy == nullptr) return fail(ErrorCode::kInvalidArgument, "{} needs dY", m_opType);
    CUTAWAY_TRY(const Tensor* y, likeInput(context, m_opType, 1, *dy));
    CUTAWAY_TRY(Tensor * dx, context.output(0, dy->dims()));
    const int64_t rank = static_cast<int64_t>(dy->rank()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis > rank || (axis == rank && !m_flat))
      return fail(ErrorCode::kInvalidArgument, "{}: axis {} of {}", m_opType, m_axis, dimsToText(dy->dims()));
    const size_t place = static_cast<size_t>(axis);
    const int64_t outer = productOver(dy->dims(), 0, place);
    const int64_t count = m_flat ? productOver(dy->dims(), place, dy->rank()) : dy->dims()[place];
    const int64_t inner = m_flat ? 1 : productOver(dy->dims(), place + 1, dy->rank());
    const T *g = dy->span<T>().data(), *from = y->span<T>().data();
    T* to = dx->span<T>().data();
    parallelFor(outer * inner, std::max<int64_t>(1, 4096 / std::max<int64_t>(count, 1)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t unit = begin; unit < end; ++unit) {
                    const int64_t first = unit / inner * count * inner + unit % inner;
                    double total = 0;
                    for (int64_t i = 0; i < count; ++i)
                      total += static_cast<double>(g[first + i * inner]) *
                               (logarithm ? 1.0 : static_cast<double>(from[first + i * inner]));
                    const T sum = static_cast<T>(total);
                    for (int64_t i = 0; i < count; ++i) {
                      const int64_t at = first + i * inner;
                      to[at] = logarithm ? g[at] - std::exp(from[at]) * sum : from[at] * (g[at] - sum);
                    }
                  }
                });
    return {};
  }

 private:
  std::string m_opType;
  int64_t m_axis;
  bool m_flat;
};

template <typename T, bool logarithm, bool flat>
Result<std::unique_ptr<Kernel>> createSoftmaxGrad(const KernelInfo& info) {
  return std::make_unique<SoftmaxGrad<T, logarithm>>(info.node().opType, info.attribute<int64_t>("axis", flat ? 1 : -1),
                                                     flat);
}

enum class Reduction { kNone, kSum, kMean };

template <typename T>
class LossGrad final : public Kernel {
 public:
  LossGrad(Reduction reduction, std::optional<int64_t> ignored, bool ignoredIsInput)
      : m_reduction(reduction), m_ignored(ignored), m_ignoredIsInput(ignoredIsInput) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor *dy = context.input(0), *logProb = context.input(1), *labels = context.input(2);
    if (dy == nullptr || logProb == nullptr || labels == nullptr)
      return fail(ErrorCode::kInvalidArgument, "the loss gradient needs dY, log_prob and label");
    const Dims& dims = logProb->dims();
    if (dims.size() < 2 || labels->rank() + 1 != dims.size() || labels->dims()[0] != dims[0] ||
        !std::ranges::equal(std::span(labels->dims()).subspan(1), std::span(dims).subspan(2))) {
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: label is {}, log_prob {}",
                  dimsToText(labels->dims()), dimsToText(dims));
    }
    const Tensor* bias = context.input(m_ignoredIsInput ? 5 : 4);
    if (bias != nullptr && bias->elementCount() != logProb->elementCount())
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: bias is {}, log_prob {}", dimsToText(bias->dims()),
                  dimsToText(dims));
    const int64_t classes = dims[1], inner = productOver(dims, 2, dims.size()), samples = labels->elementCount();
    const int64_t gradients = dy->elementCount();
    if (gradients != (m_reduction == Reduction::kNone ? samples : 1))
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: dY is {}", dimsToText(dy->dims()));
    CUTAWAY_TRY(std::optional<int64_t> ignored, ignoredOf(context));
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(samples) * (sizeof(int64_t) + sizeof(double))));
    int64_t* classOf = reinterpret_cast<int64_t*>(memory.data());
    double* share = reinterpret_cast<double*>(classOf + samples);
    CUTAWAY_CHECK(readLabels(*labels, classes, ignored, classOf));
    CUTAWAY_CHECK(weigh(context.input(3), classes, samples, classOf, *dy, share));
    CUTAWAY_TRY(Tensor * made, context.output(0, dims));
    const T* from = logProb->span<T>().data();
    const T* added = bias == nullptr ? nullptr : bias->span<T>().data();
    T* to = made->span<T>().data();
    parallelFor(samples, std::max<int64_t>(1, 4096 / std::max<int64_t>(classes, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t sample = begin; sample < end; ++sample) {
        const int64_t first = sample / inner * classes * inner + sample % inner;
        const T scale = static_cast<T>(share[sample]);
        for (int64_t c = 0; c < classes; ++c) {
          const int64_t at = first + c * inner;
          const T gradient = scale == 0 ? T(0) : (std::exp(from[at]) - (c == classOf[sample] ? T(1) : T(0))) * scale;
          to[at] = added == nullptr ? gradient : gradient + added[at];
        }
      }
    });
    return {};
  }

 private:
  Result<std::optional<int64_t>> ignoredOf(KernelContext& context) const {
    const Tensor* given = m_ignoredIsInput ? context.input(4) : nullptr;
    if (given == nullptr) return m_ignored;
    if (given->type() != ElementType::kInt64 || given->elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: ignore_index is not one int64");
    return std::optional<int64_t>(given->span<int64_t>()[0]);
  }

  // Ignored samples get class -1.
  static Result<void> readLabels(const Tensor& labels, int64_t classes, std::optional<int64_t> ignored,
                                 int64_t* classOf) {
    Result<void> done;
    const bool known = dispatchType(TypeList<int32_t, int64_t>{}, labels.type(), [&]<typename I>(TypeTag<I>) {
      const auto from = labels.span<I>();
      for (size_t i = 0; i < from.size(); ++i) {
        const int64_t label = from[i];
        if (ignored && label == *ignored) {
          classOf[i] = -1;
        } else if (label < 0 || label >= classes) {
          done =
              fail(ErrorCode::kInvalidArgument, "the loss gradient: label {} is not below {} classes", label, classes);
          return;
        } else {
          classOf[i] = label;
        }
      }
    });
    if (!known)
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: label is {}", elementTypeName(labels.type()));
    return done;
  }

  // What multiplies each sample's gradient.
  Result<void> weigh(const Tensor* weights, int64_t classes, int64_t samples, const int64_t* classOf, const Tensor& dy,
                     double* share) const {
    if (weights != nullptr && (weights->rank() != 1 || weights->dims()[0] != classes))
      return fail(ErrorCode::kInvalidArgument, "the loss gradient: weight is {} for {} classes",
                  dimsToText(weights->dims()), classes);
    const T* weight = weights == nullptr ? nullptr : weights->span<T>().data();
    double total = 0;
    for (int64_t i = 0; i < samples; ++i) {
      share[i] = classOf[i] < 0 ? 0.0 : weight == nullptr ? 1.0 : static_cast<double>(weight[classOf[i]]);
      total += share[i];
    }
    const T* g = dy.span<T>().data();
    for (int64_t i = 0; i < samples; ++i) {
      share[i] *= static_cast<double>(g[m_reduction == Reduction::kNone ? i : 0]);
      if (m_reduction == Reduction::kMean && total != 0) share[i] /= total;
    }
    return {};
  }

  Reduction m_reduction;
  std::optional<int64_t> m_ignored;
  bool m_ignoredIsInput;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLossGrad(const KernelInfo& info) {
  const std::string text = info.attribute<std::string>("reduction", "mean");
  if (text != "mean" && text != "sum" && text != "none")
    return fail(ErrorCode::kInvalidArgument, "{}: reduction is '{}'", info.node().opType, text);
  const bool isInput = info.node().opType == "SoftmaxCrossEntropyLossInternalGrad";
  std::optional<int64_t> ignored;
  if (info.node().findAttribute("ignore_index") != nullptr) ignored = info.attribute<int64_t>("ignore_index", -1);
  return std::make_unique<LossGrad<T>>(text == "mean"  ? Reduction::kMean
                                       : text == "sum" ? Reduction::kSum
                                                       : Reduction::kNone,
                                       ignored, isInput);
}

// Sums of a run are complete before its first element is written; log_prob is read element by element.
constexpr InplaceHint kEither[] = {{.input = 0, .output = 0}, {.input = 1, .output = 0}},
                      kOverLogarithms[] = {{.input = 1, .output = 0}};

#define CUTAWAY_ROWS(name, hints, make)                                                                      \
  {.opType = name,                                                                                           \
   .domain = "com.microsoft",                                                                                \
   .types = kFloatInput,                                                                                     \
   .inplace = hints,                                                                                         \
   .fastPath = "threads",                                                                                    \
   .create = make(float)},                                                                                   \
      {.opType = name,                                                                                       \
       .domain = "com.microsoft",                                                                            \
       .types = kDoubleInput,                                                                                \
       .inplace = hints,                                                                                     \
       .fastPath = "threads",                                                                                \
       .create = make(double)},                                                                              \
  {                                                                                                          \
    .opType = name, .domain = "com.microsoft", .types = kHalfInput, .inplace = hints, .fastPath = "threads", \
    .create = createThroughFloat<make(float)>                                                                \
  }
#define CUTAWAY_SOFTMAX_FLAT(T) createSoftmaxGrad<T, false, true>
#define CUTAWAY_SOFTMAX(T) createSoftmaxGrad<T, false, false>
#define CUTAWAY_LOG_FLAT(T) createSoftmaxGrad<T, true, true>
#define CUTAWAY_LOG(T) createSoftmaxGrad<T, true, false>
#define CUTAWAY_LOSS(T) createLossGrad<T>

constexpr KernelRow kRows[] = {
    CUTAWAY_ROWS("SoftmaxGrad", kEither, CUTAWAY_SOFTMAX_FLAT),
    CUTAWAY_ROWS("SoftmaxGrad_13", kEither, CUTAWAY_SOFTMAX),
    CUTAWAY_ROWS("LogSoftmaxGrad", kEither, CUTAWAY_LOG_FLAT),
    CUTAWAY_ROWS("LogSoftmaxGrad_13", kEither, CUTAWAY_LOG),
    CUTAWAY_ROWS("SoftmaxCrossEntropyLossGrad", kOverLogarithms, CUTAWAY_LOSS),
    CUTAWAY_ROWS("SoftmaxCrossEntropyLossInternalGrad", kOverLogarithms, CUTAWAY_LOSS),
};

}  // namespace

KernelRows kernel_softmax_grad() {
  return kRows;
}

}  // namespace cutaway::cpu
