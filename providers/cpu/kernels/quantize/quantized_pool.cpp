// com.microsoft QLinearAveragePool, QLinearGlobalAveragePool and QLinearReduceMean: means of bytes in exact sums,
// rounded once.

#include "engine/base/parallel.h"
#include "engine/operators/linear_pool.h"
#include "providers/cpu/kernels/quantize/integer_vector.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/spatial_window.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 14;

struct Means {
  LinearParameters from, to;
  // The mean of `count` numbers of which `given` bytes have this sum; the others are real zeros.
  uint8_t operator()(int64_t sum, int64_t given, int64_t count) const { return to.fromUnits(units(sum, given, count)); }
  uint8_t ofWindow(int64_t sum, int64_t given, int64_t count) const {
    return to.fromUnitsAndZero(units(sum, given, count));
  }
  // Units of the result for each unit of a sum of `count` numbers.
  float factor(int64_t count) const { return from.scale / (to.scale * static_cast<float>(count)); }

 private:
  float units(int64_t sum, int64_t given, int64_t count) const {
    if (count == 0) return 0;
    return static_cast<float>(sum - given * from.zero) * factor(count);
  }
};

Result<Means> readMeans(const KernelContext& context, std::string_view op, ElementType type) {
  Means means;
  CUTAWAY_TRY(means.from, readLinear(context, op, 1, 2, type));
  CUTAWAY_TRY(means.to, readLinear(context, op, 3, 4, type));
  return means;
}

int64_t sumOf(const Tensor& x, int64_t first, int64_t count, int64_t step) {
  int64_t sum = 0;
  const uint8_t* bytes = static_cast<const uint8_t*>(x.data()) + first;
  if (x.type() == ElementType::kInt8) {
    for (int64_t i = 0; i < count; ++i)
      sum += static_cast<int8_t>(bytes[i * step]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      sum += bytes[i * step];
  }
  return sum;
}

constexpr int64_t kBlockChannels = 64;
constexpr int64_t kMostCells = 1 << 22;  // whose sums fit into 32 bits

template <typename Byte>
void addCells(const Byte* from, int64_t cells, int64_t step, int64_t channels, int32_t* sums) {
  for (int64_t cell = 0; cell < cells; ++cell, from += step) {
    for (int64_t channel = 0; channel < channels; ++channel)
      sums[channel] += from[channel];
  }
}

// Means of neighbouring channels, whose cells lie `step` apart.
void meansOfCells(const Means& means, const uint8_t* from, int64_t cells, int64_t step, int64_t channels, uint8_t* to) {
  int32_t sums[kBlockChannels];
  std::fill_n(sums, channels, static_cast<int32_t>(-cells * means.from.zero));
  if (means.from.isSigned)
    addCells(reinterpret_cast<const int8_t*>(from), cells, step, channels, sums);
  else
    addCells(from, cells, step, channels, sums);
  const float factor = means.factor(cells);
  cpu::integerLoops().requantize({.sums = sums, .count = channels, .scales = &factor},
                                 {means.to.isSigned, means.to.zero}, to);
}

class QuantizedAveragePool final : public Kernel {
 public:
  QuantizedAveragePool(WindowAttributes attributes, const KernelInfo& info)
      : m_attributes(std::move(attributes)),
        m_settings(operators::readLinearPool(info.node())),
        m_memoryLast(m_settings.channelsLast || info.inputType(0).layout == Layout::kChannelsLast) {}
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(WindowAttributes attributes, operators::readLinearPoolWindow(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<QuantizedAveragePool>(std::move(attributes), info));
  }
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, "QLinearAveragePool", 0));
    CUTAWAY_TRY(const operators::LinearPoolAxes axes,
                operators::linearPoolAxes("QLinearAveragePool", m_settings, x->dims()));
    CUTAWAY_TRY(const Means means, readMeans(context, "QLinearAveragePool", x->type()));
    const size_t first = m_settings.firstSpatialAxis();
    CUTAWAY_TRY(const Window window, placeWindow(m_attributes, axes.spatial));
    Dims dims = x->dims();
    for (size_t axis = 0; axis < window.rank; ++axis)
      dims[first + axis] = window.output[axis];
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims));
    if (y->elementCount() == 0) return {};
    const int64_t channels = axes.channels;
    const int64_t cells = window.outputCells();
    uint8_t* to = static_cast<uint8_t*>(y->mutableData());
    parallelFor(x->dims()[0] * cells, std::max<int64_t>(1, kGrainElements / (channels * window.kernelCells())),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const int64_t entry = i / cells, cell = i % cells;
                    const int64_t out = m_memoryLast ? i * channels : entry * channels * cells + cell;
                    poolCell(*x, window, {entry, cell, channels}, means, to + out, m_memoryLast ? 1 : cells);
                  }
                });
    return {};
  }

 private:
  struct Place {
    int64_t entry, cell, channels;
  };

  // All channels of one output cell.
  void poolCell(const Tensor& x, const Window& window, const Place& place, const Means& means, uint8_t* to,
                int64_t step) const {
    WindowDims low{}, count{};
    int64_t rest = place.cell, given = 1, whole = 1;
    for (size_t axis = window.rank; axis-- > 0;) {
      const int64_t start = window.start(axis, rest % window.output[axis]);
      rest /= window.output[axis];
      // Window cells low .. low + count - 1 lie on the input.
      const int64_t step = window.dilations[axis];
      low[axis] = start >= 0 ? start : start + (-start + step - 1) / step * step;
      count[axis] = 0;
      for (int64_t at = start; at < start + window.extent(axis); at += step)
        count[axis] += at >= 0 && at < window.input[axis];
      given *= count[axis];
      whole *= window.kernel[axis];
    }
    const int64_t divisor = m_settings.includesPadding ? whole : given;
    const int64_t inputCells = window.inputCells();
    const size_t last = window.rank - 1;
    WindowDims rows = count;
    rows[last] = 1;
    for (int64_t channel = 0; channel < place.channels; ++channel) {
      int64_t sum = 0;
      WindowDims at{};
      if (given > 0) {
        do {
          int64_t cell = 0;
          for (size_t axis = 0; axis < window.rank; ++axis)
            cell = cell * window.input[axis] + low[axis] + at[axis] * window.dilations[axis];
          const int64_t first = m_memoryLast ? (place.entry * inputCells + cell) * place.channels + channel
                                             : (place.entry * place.channels + channel) * inputCells + cell;
          sum += sumOf(x, first, count[last], window.dilations[last] * (m_memoryLast ? place.channels : 1));
        } while (nextIndex(at, rows, window.rank));
      }
      to[channel * step] = means.ofWindow(sum, given, divisor);
    }
  }

  WindowAttributes m_attributes;
  operators::LinearPoolSettings m_settings;
  bool m_memoryLast;  // channels lie last in memory: by the dims, or because a rewrite chose it for the values
};

class QuantizedGlobalAveragePool final : public Kernel {
 public:
  explicit QuantizedGlobalAveragePool(const KernelInfo& info)
      : m_settings(operators::readLinearPool(info.node())),
        m_memoryLast(m_settings.channelsLast || info.inputType(0).layout == Layout::kChannelsLast) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, "QLinearGlobalAveragePool", 0));
    CUTAWAY_TRY(const operators::GlobalPoolSizes sizes, operators::globalLinearPoolSizes(m_settings, x->dims()));
    CUTAWAY_TRY(const Means means, readMeans(context, "QLinearGlobalAveragePool", x->type()));
    const int64_t cells = sizes.cells, channels = sizes.channels;
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), sizes.outputDims));
    uint8_t* to = static_cast<uint8_t*>(y->mutableData());
    if (m_memoryLast && cells > 0 && cells <= kMostCells) {
      const int64_t blocks = (channels + kBlockChannels - 1) / kBlockChannels;
      const uint8_t* from = static_cast<const uint8_t*>(x->data());
      parallelFor(x->dims()[0] * blocks, std::max<int64_t>(1, kGrainElements / (cells * kBlockChannels)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t i = begin; i < end; ++i) {
                      const int64_t entry = i / blocks, first = i % blocks * kBlockChannels;
                      meansOfCells(means, from + entry * cells * channels + first, cells, channels,
                                   std::min(kBlockChannels, channels - first), to + entry * channels + first);
                    }
                  });
      return {};
    }
    parallelFor(x->dims()[0] * channels, std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, cells)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const int64_t from = m_memoryLast ? i / channels * cells * channels + i % channels : i * cells;
                    to[i] = means(sumOf(*x, from, cells, m_memoryLast ? channels : 1), cells, cells);
                  }
                });
    return {};
  }

 private:
  operators::LinearPoolSettings m_settings;
  bool m_memoryLast;
};

class QuantizedReduceMean final : public Kernel {
 public:
  explicit QuantizedReduceMean(const KernelInfo& info)
      : m_axes(listAttribute(info.node(), "axes")), m_keeps(info.attribute<int64_t>("keepdims", 1) != 0) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, "QLinearReduceMean", 0));
    CUTAWAY_TRY(const Means means, readMeans(context, "QLinearReduceMean", x->type()));
    CUTAWAY_TRY(Dims axes, resolveAxes(m_axes, x->rank()));
    Dims reduced = filledList(x->rank(), m_axes.size() == 0 ? 1 : 0);
    for (const int64_t axis : axes)
      reduced[static_cast<size_t>(axis)] = 1;
    // Strides of the kept and of the reduced axes, slowest first.
    std::array<int64_t, kMaxAxes> keptExtents{}, keptStrides{}, extents{}, strides{};
    size_t kept = 0, summed = 0;
    if (x->rank() > kMaxAxes)
      return fail(ErrorCode::kNotImplemented, "QLinearReduceMean of {} axes is not covered", x->rank());
    size_t rank = 0;
    for (const int64_t each : reduced)
      rank += each == 0 || m_keeps ? 1 : 0;
    Dims dims = filledList(rank, 1);
    size_t place = 0;
    int64_t count = 1;
    for (size_t axis = 0; axis < x->rank(); ++axis) {
      const int64_t stride = productOf(x->dims(), axis + 1, x->rank());
      if (reduced[axis] == 0) {
        keptExtents[kept] = x->dims()[axis];
        keptStrides[kept++] = stride;
        dims[place++] = x->dims()[axis];
      } else {
        extents[summed] = x->dims()[axis];
        strides[summed++] = stride;
        count *= x->dims()[axis];
        place += m_keeps ? 1 : 0;
      }
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), dims));
    uint8_t* to = static_cast<uint8_t*>(y->mutableData());
    const auto offsetOf = [](int64_t index, const auto& of, const auto& by, size_t axisCount) {
      int64_t offset = 0;
      for (size_t axis = axisCount; axis-- > 0;) {
        offset += index % of[axis] * by[axis];
        index /= of[axis];
      }
      return offset;
    };
    const int64_t run = summed == 0 ? 1 : std::max<int64_t>(1, extents[summed - 1]);
    const int64_t step = summed == 0 ? 1 : strides[summed - 1];
    parallelFor(y->elementCount(), std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, count)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const int64_t first = offsetOf(i, keptExtents, keptStrides, kept);
                    int64_t sum = 0;
                    for (int64_t k = 0; k < count; k += run)
                      sum += sumOf(*x, first + offsetOf(k, extents, strides, summed), run, step);
                    to[i] = means(sum, count, count);
                  }
                });
    return {};
  }

 private:
  static constexpr size_t kMaxAxes = 16;
  Dims m_axes;
  bool m_keeps;
};

constexpr KernelRow kRows[] = {
    {.opType = "QLinearAveragePool",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "threads",
     .create = QuantizedAveragePool::create},
    {.opType = "QLinearGlobalAveragePool",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "threads",
     .create = makeKernel<QuantizedGlobalAveragePool>},
    {.opType = "QLinearReduceMean",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "threads",
     .create = makeKernel<QuantizedReduceMean>},
};

}  // namespace

KernelRows kernel_quantized_pool() {
  return kRows;
}

}  // namespace cutaway::cpu
