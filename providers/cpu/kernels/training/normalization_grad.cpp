// LayerNormalizationGrad and BatchNormalizationGrad of com.microsoft.
//
// With n = (x - mean) inverse and h = dY scale: dX = inverse (h - mean(h) - n mean(h n)) over what was normalised
// together; d scale = sum(dY n), d bias = sum(dY).

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/training/same_shape.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

// Statistics may be float beside halves or double.
template <typename T>
Result<const T*> vectorInput(KernelContext& context, std::string_view opType, size_t slot, int64_t count) {
  const Tensor* found = context.input(slot);
  if (found == nullptr || found->type() != ElementTypeOf<T>::value || found->elementCount() != count)
    return fail(ErrorCode::kInvalidArgument, "{}: input {} is not {} elements of {}", opType, slot, count,
                elementTypeName(ElementTypeOf<T>::value));
  return found->span<T>().data();
}

template <typename T>
class LayerNormalizationGrad final : public Kernel {
 public:
  explicit LayerNormalizationGrad(int64_t axis) : m_axis(axis) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor *dy = context.input(0), *scale = context.input(2);
    if (dy == nullptr || scale == nullptr) return fail(ErrorCode::kInvalidArgument, "{} needs Y_grad and scale", kName);
    CUTAWAY_TRY(const Tensor* x, likeInput(context, kName, 1, *dy));
    const int64_t rank = static_cast<int64_t>(dy->rank()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "{}: axis {} of {}", kName, m_axis, dimsToText(dy->dims()));
    const std::span<const int64_t> dims = dy->dims();
    const int64_t runs = elementCount(dims.first(static_cast<size_t>(axis))),
                  count = elementCount(dims.subspan(static_cast<size_t>(axis)));
    CUTAWAY_TRY(const T* weights, vectorInput<T>(context, kName, 2, count));
    CUTAWAY_TRY(const T* means, vectorInput<T>(context, kName, 3, runs));
    CUTAWAY_TRY(const T* inverses, vectorInput<T>(context, kName, 4, runs));
    const T *g = dy->span<T>().data(), *from = x->span<T>().data();
    if (context.hasOutput(0)) {
      CUTAWAY_TRY(Tensor * dx, context.output(0, dims));
      backToInput(runs, count, g, from, weights, means, inverses, dx->span<T>().data());
    }
    return parameters(context, *scale, runs, count, g, from, means, inverses);
  }

 private:
  static constexpr std::string_view kName = "LayerNormalizationGrad";

  static void backToInput(int64_t runs, int64_t count, const T* g, const T* x, const T* scale, const T* means,
                          const T* inverses, T* to) {
    parallelFor(runs, std::max<int64_t>(1, 4096 / std::max<int64_t>(count, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t run = begin; run < end; ++run) {
        const int64_t first = run * count;
        double sum = 0, along = 0;
        for (int64_t i = 0; i < count; ++i) {
          const T h = g[first + i] * scale[i];
          sum += static_cast<double>(h);
          along += static_cast<double>(h * (x[first + i] - means[run]) * inverses[run]);
        }
        const T mean = static_cast<T>(sum / static_cast<double>(count)),
                part = static_cast<T>(along / static_cast<double>(count));
        for (int64_t i = 0; i < count; ++i) {
          const T n = (x[first + i] - means[run]) * inverses[run];
          to[first + i] = inverses[run] * (g[first + i] * scale[i] - mean - n * part);
        }
      }
    });
  }

  Result<void> parameters(KernelContext& context, const Tensor& scale, int64_t runs, int64_t count, const T* g,
                          const T* x, const T* means, const T* inverses) const {
    Tensor *scaleGrad = nullptr, *biasGrad = nullptr;
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(scaleGrad, context.output(1, scale.dims()));
    }
    if (context.outputCount() > 2 && context.hasOutput(2)) {
      CUTAWAY_TRY(biasGrad, context.output(2, scale.dims()));
    }
    parallelFor(count, 64, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        double along = 0, sum = 0;
        for (int64_t run = 0; run < runs; ++run) {
          const T gradient = g[run * count + i];
          sum += static_cast<double>(gradient);
          along += static_cast<double>(gradient * (x[run * count + i] - means[run]) * inverses[run]);
        }
        if (scaleGrad != nullptr) scaleGrad->span<T>()[static_cast<size_t>(i)] = static_cast<T>(along);
        if (biasGrad != nullptr) biasGrad->span<T>()[static_cast<size_t>(i)] = static_cast<T>(sum);
      }
    });
    return {};
  }

  int64_t m_axis;
};

// mean and variance are those of the batch: [C], over all axes but 1.
template <typename T>
class BatchNormalizationGrad final : public Kernel {
 public:
  explicit BatchNormalizationGrad(float epsilon) : m_epsilon(static_cast<double>(epsilon)) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor* dy = context.input(0);
    if (dy == nullptr || dy->rank() < 2)
      return fail(ErrorCode::kInvalidArgument, "{} needs dY of at least 2 axes", kName);
    CUTAWAY_TRY(const Tensor* x, likeInput(context, kName, 1, *dy));
    const int64_t examples = dy->dims()[0], channels = dy->dims()[1],
                  inner = elementCount(std::span<const int64_t>(dy->dims()).subspan(2));
    CUTAWAY_TRY(const T* scale, vectorInput<T>(context, kName, 2, channels));
    CUTAWAY_TRY(const T* means, vectorInput<T>(context, kName, 3, channels));
    CUTAWAY_TRY(const T* variances, vectorInput<T>(context, kName, 4, channels));
    std::array<T*, 3> to{};
    for (size_t slot = 0; slot < to.size() && slot < context.outputCount(); ++slot) {
      if (!context.hasOutput(slot)) continue;
      CUTAWAY_TRY(Tensor * made, slot == 0 ? context.output(0, dy->dims()) : context.output(slot, {channels}));
      to[slot] = made->span<T>().data();
    }
    const T *g = dy->span<T>().data(), *from = x->span<T>().data();
    const double count = static_cast<double>(examples * inner);
    parallelFor(channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        const T inverse = static_cast<T>(1 / std::sqrt(static_cast<double>(variances[c]) + m_epsilon));
        double sum = 0, along = 0;
        const auto each = [&](auto&& visit) {
          for (int64_t n = 0; n < examples; ++n) {
            for (int64_t i = (n * channels + c) * inner, last = i + inner; i < last; ++i)
              visit(i, (from[i] - means[c]) * inverse);
          }
        };
        each([&](int64_t i, T n) { sum += static_cast<double>(g[i]), along += static_cast<double>(g[i] * n); });
        if (to[1] != nullptr) to[1][c] = static_cast<T>(along);
        if (to[2] != nullptr) to[2][c] = static_cast<T>(sum);
        const T mean = static_cast<T>(sum / count), part = static_cast<T>(along / count);
        if (to[0] != nullptr) each([&](int64_t i, T n) { to[0][i] = scale[c] * inverse * (g[i] - mean - n * part); });
      }
    });
    return {};
  }

 private:
  static constexpr std::string_view kName = "BatchNormalizationGrad";
  double m_epsilon;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLayer(const KernelInfo& info) {
  return std::make_unique<LayerNormalizationGrad<T>>(info.attribute<int64_t>("axis", -1));
}
template <typename T>
Result<std::unique_ptr<Kernel>> createBatch(const KernelInfo& info) {
  return std::make_unique<BatchNormalizationGrad<T>>(info.attribute<float>("epsilon", 1e-5f));
}

// Of LayerNormalizationGrad, the gradients of scale and bias read both inputs after dX is written.
constexpr InplaceHint kInplaceBatch[] = {{.input = 0, .output = 0}, {.input = 1, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "LayerNormalizationGrad",
     .domain = "com.microsoft",
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createLayer<float>},
    {.opType = "LayerNormalizationGrad",
     .domain = "com.microsoft",
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createLayer<double>},
    {.opType = "LayerNormalizationGrad",
     .domain = "com.microsoft",
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createLayer<float>>},
    {.opType = "BatchNormalizationGrad",
     .domain = "com.microsoft",
     .types = kFloatInput,
     .inplace = kInplaceBatch,
     .fastPath = "threads",
     .create = createBatch<float>},
    {.opType = "BatchNormalizationGrad",
     .domain = "com.microsoft",
     .types = kDoubleInput,
     .inplace = kInplaceBatch,
     .fastPath = "threads",
     .create = createBatch<double>},
    {.opType = "BatchNormalizationGrad",
     .domain = "com.microsoft",
     .types = kHalfInput,
     .inplace = kInplaceBatch,
     .fastPath = "threads",
     .create = createThroughFloat<createBatch<float>>},
};

}  // namespace

KernelRows kernel_normalization_grad() {
  return kRows;
}

}  // namespace cutaway::cpu
