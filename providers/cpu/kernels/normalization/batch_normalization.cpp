// BatchNormalization (all versions): inference, and training mode with the running statistics.
//
// Training gives running mean and variance, and before version 14 also the statistics of the batch. Variances are those
// of the whole batch (divided by n), as version 14 says.

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/math/memory_layout.h"
#include "engine/operators/normalization.h"
#include "providers/cpu/kernels/elementwise/binary_vector.h"
#include "providers/cpu/kernels/normalization/moments.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

struct BatchAttributes : operators::BatchNormSettings {
  int64_t block = 1;
  bool channelsLast = false;
};

// Elements in a row of factors that repeats until it is long enough for vectors.
constexpr int64_t kLeastRow = 256;

template <typename T>
class BatchNormalization final : public Kernel {
 public:
  explicit BatchNormalization(BatchAttributes attributes) : m_attributes(attributes) {}
  std::string_view variant() const override { return std::is_same_v<T, float> ? "highway" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    CUTAWAY_TRY(const operators::BatchNormSizes sizes, operators::batchNormSizes(m_attributes, dims));
    const int64_t images = sizes.images, channels = sizes.channels, cells = sizes.cells;
    std::vector<T> storage[4];
    const T* statistics[4];
    for (size_t i = 0; i < 4; ++i) {
      const Tensor& tensor = *context.input(i + 1);
      statistics[i] = valuesAs<T>(tensor, storage[i]);
      if (tensor.elementCount() != channels || statistics[i] == nullptr)
        return fail(ErrorCode::kInvalidArgument, "BatchNormalization: input {} has {} elements, not {}", i + 1,
                    tensor.elementCount(), channels);
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const int64_t repeats = m_attributes.channelsLast ? 1 + kLeastRow / std::max<int64_t>(1, channels) : 1;
    CUTAWAY_TRY(std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(channels * (2 + 2 * repeats)) * sizeof(T)));
    T* factor = reinterpret_cast<T*>(scratch.data());
    T *summand = factor + channels * repeats, *mean = summand + channels * repeats, *variance = mean + channels;
    std::copy_n(statistics[2], channels, mean);
    std::copy_n(statistics[3], channels, variance);
    if (m_attributes.training) {
      batchStatistics(x.span<T>().data(), images, channels, cells, mean, variance);
      CUTAWAY_CHECK(updateRunning(context, 1, *context.input(3), statistics[2], mean));
      CUTAWAY_CHECK(updateRunning(context, 2, *context.input(4), statistics[3], variance));
      CUTAWAY_CHECK(saveBatch(context, 3, *context.input(3), mean));
      CUTAWAY_CHECK(saveBatch(context, 4, *context.input(4), variance));
    }
    for (int64_t c = 0; c < channels; ++c) {
      factor[c] = statistics[0][c] / std::sqrt(variance[c] + static_cast<T>(m_attributes.epsilon));
      summand[c] = statistics[1][c] - mean[c] * factor[c];
    }
    if (!m_attributes.channelsLast) {
      apply(x.span<T>().data(), images, channels, cells, factor, summand, y->span<T>().data());
      return {};
    }
    for (int64_t i = channels; i < channels * repeats; ++i) {
      factor[i] = factor[i - channels];
      summand[i] = summand[i - channels];
    }
    applyToCells(x.span<T>().data(), images * cells, channels, repeats, factor, summand, y->span<T>().data());
    return {};
  }

 private:
  static void batchStatistics(const T* x, int64_t images, int64_t channels, int64_t cells, T* mean, T* variance) {
    const double count = static_cast<double>(images) * static_cast<double>(cells);
    parallelFor(channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        double sum = 0, squares = 0;
        for (int64_t n = 0; n < images; ++n)
          sum += sumInLanes<T>(cells, [plane = x + (n * channels + c) * cells](int64_t i) { return plane[i]; });
        const T center = static_cast<T>(sum / count);
        for (int64_t n = 0; n < images; ++n) {
          squares += sumInLanes<T>(cells, [plane = x + (n * channels + c) * cells, center](int64_t i) {
            return (plane[i] - center) * (plane[i] - center);
          });
        }
        mean[c] = center;
        variance[c] = static_cast<T>(squares / count);
      }
    });
  }

  Result<void> updateRunning(KernelContext& context, size_t slot, const Tensor& input, const T* old,
                             const T* batch) const {
    if (slot >= context.outputCount() || !context.hasOutput(slot)) return {};
    CUTAWAY_TRY(Tensor * running, context.output(slot, ElementTypeOf<T>::value, input.dims()));
    const T keep = static_cast<T>(m_attributes.momentum);
    std::span<T> target = running->span<T>();
    for (size_t c = 0; c < target.size(); ++c)
      target[c] = old[c] * keep + batch[c] * (T(1) - keep);
    return {};
  }

  static Result<void> saveBatch(KernelContext& context, size_t slot, const Tensor& like, const T* batch) {
    if (slot >= context.outputCount() || !context.hasOutput(slot)) return {};
    CUTAWAY_TRY(Tensor * saved, context.output(slot, ElementTypeOf<T>::value, like.dims()));
    std::copy_n(batch, saved->elementCount(), saved->span<T>().data());
    return {};
  }

  void apply(const T* x, int64_t images, int64_t channels, int64_t cells, const T* factor, const T* summand,
             T* y) const {
    const int64_t block = m_attributes.block;
    const int64_t planes = channels / block;
    parallelFor(images * planes, std::max<int64_t>(1, 4096 / std::max<int64_t>(cells * block, 1)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t plane = begin; plane < end; ++plane) {
                    const int64_t c = plane % planes * block;
                    const T* source = x + plane * cells * block;
                    T* target = y + plane * cells * block;
                    if (block == 1) {
                      scaleRow(source, T(0), factor[c], summand[c], target, cells);
                      continue;
                    }
                    for (int64_t i = 0; i < cells; ++i) {
                      for (int64_t lane = 0; lane < block; ++lane)
                        target[i * block + lane] = source[i * block + lane] * factor[c + lane] + summand[c + lane];
                    }
                  }
                });
  }

  // factor and summand: of `repeats` cells, one after the other.
  static void applyToCells(const T* x, int64_t cells, int64_t channels, int64_t repeats, const T* factor,
                           const T* summand, T* y) {
    parallelFor((cells + repeats - 1) / repeats, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, channels * repeats)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    const int64_t count = std::min(repeats, cells - row * repeats) * channels;
                    const T* source = x + row * repeats * channels;
                    T* target = y + row * repeats * channels;
                    if constexpr (std::is_same_v<T, float>) {
                      vectorBinaryRun<VectorBinary::kMul>(source, factor, target, count, 1, 1);
                      vectorBinaryRun<VectorBinary::kAdd>(target, summand, target, count, 1, 1);
                    } else {
                      for (int64_t i = 0; i < count; ++i)
                        target[i] = source[i] * factor[i] + summand[i];
                    }
                  }
                });
  }

  BatchAttributes m_attributes;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createBatchNormalization(const KernelInfo& info) {
  BatchAttributes attributes;
  CUTAWAY_TRY(static_cast<operators::BatchNormSettings&>(attributes), operators::readBatchNormalization(info.node()));
  attributes.block = math::channelBlock(info.inputType(0).layout);
  attributes.channelsLast = info.inputType(0).layout == Layout::kChannelsLast;
  if ((attributes.block > 1 || attributes.channelsLast) && attributes.training)
    return fail(ErrorCode::kNotImplemented, "BatchNormalization trains in the plain layout only");
  return std::make_unique<BatchNormalization<T>>(attributes);
}

constexpr InplaceHint kInplace[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "BatchNormalization",
     .versions = {1},
     .types = kFloatInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createBatchNormalization<float>},
    {.opType = "BatchNormalization",
     .versions = {1},
     .types = kDoubleInput,
     .inplace = kInplace,
     .create = createBatchNormalization<double>},
    {.opType = "BatchNormalization",
     .versions = {1},
     .types = kHalfInput,
     .inplace = kInplace,
     .fastPath = "highway",
     .create = createThroughFloat<createBatchNormalization<float>>},
};

}  // namespace

KernelRows kernel_batch_normalization() {
  return kRows;
}

}  // namespace cutaway::cpu
