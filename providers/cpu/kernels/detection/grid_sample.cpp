// GridSample: the input read at the places that a grid names, in any number of spatial axes.
//
// Numbers are summed in double and cut to whole ones for integers; texts can only be read at the nearest place. A place
// is scaled to cells, brought back inside by the padding mode, and read through one (nearest), two (linear) or four
// (cubic) taps an axis.

#include "engine/operators/grid_sample.h"

#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <string>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/detection/plane_taps.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using operators::SampleMode;
using operators::SamplePadding;
using operators::SampleSettings;

constexpr size_t kMostAxes = operators::kMaxSampledAxes;
constexpr int64_t kNoCell = -1;

struct AxisTaps {
  int count = 0;
  std::array<int64_t, 4> cells{};  // kNoCell reads zero
  std::array<double, 4> weights{};
};

// Folds a place into [low, high] as between two mirrors.
double reflect(double place, double low, double high) {
  const double range = high - low;
  if (range <= 0) return low;
  const double distance = place < low ? low - place : place - high;
  if (distance <= 0) return place;
  const double turns = std::floor(distance / range);
  const double rest = distance - turns * range;
  const bool even = std::fmod(turns, 2.0) == 0;
  if (place < low) return even ? low + rest : high - rest;
  return even ? high - rest : low + rest;
}

// Weights of four neighbours at fraction t: Keys' cubic convolution with a = -0.75.
void cubicWeights(double t, std::array<double, 4>& weights) {
  constexpr double kA = -0.75;
  const auto near = [](double d) { return ((kA + 2) * d - (kA + 3)) * d * d + 1; };
  const auto far = [](double d) { return ((kA * d - 5 * kA) * d + 8 * kA) * d - 4 * kA; };
  weights = {far(t + 1), near(t), near(1 - t), far(2 - t)};
}

class AxisSampler {
 public:
  AxisSampler(const SampleSettings& settings, int64_t size)
      : m_settings(settings),
        m_size(size),
        m_low(settings.alignCorners ? 0.0 : -0.5),
        m_high(static_cast<double>(size) - (settings.alignCorners ? 1.0 : 0.5)) {}

  AxisTaps at(double normalized) const {
    const double size = static_cast<double>(m_size);
    double place = m_settings.alignCorners ? (normalized + 1) / 2 * (size - 1) : ((normalized + 1) * size - 1) / 2;
    if (m_settings.mode == SampleMode::kNearest) place = std::nearbyint(place);
    if (place < m_low || place > m_high) {
      if (m_settings.padding == SamplePadding::kBorder && !m_settings.tapsOnly)
        place = std::clamp(place, 0.0, size - 1);
      if (m_settings.padding == SamplePadding::kReflection) place = reflect(place, m_low, m_high);
    }
    AxisTaps taps;
    // Far away (or not a number) every tap would be padding; the bound keeps the casts below defined.
    constexpr double kFar = 1e15;
    if (!(std::abs(place) < kFar)) return taps;
    const double floor = std::floor(place);
    int64_t first = static_cast<int64_t>(floor);
    if (m_settings.mode == SampleMode::kNearest) {
      taps.count = 1;
      taps.weights = {1};
      first = static_cast<int64_t>(place);
    } else if (m_settings.mode == SampleMode::kLinear) {
      taps.count = 2;
      taps.weights = {1 - (place - floor), place - floor};
    } else {
      taps.count = 4;
      cubicWeights(place - floor, taps.weights);
      --first;
    }
    for (int i = 0; i < taps.count; ++i)
      taps.cells[static_cast<size_t>(i)] = cellAt(first + i);
    return taps;
  }

 private:
  int64_t cellAt(int64_t cell) const {
    if (cell >= 0 && cell < m_size) return cell;
    if (m_settings.padding == SamplePadding::kZeros) return kNoCell;
    if (m_settings.padding == SamplePadding::kBorder) return std::clamp<int64_t>(cell, 0, m_size - 1);
    return std::clamp<int64_t>(static_cast<int64_t>(reflect(static_cast<double>(cell), m_low, m_high)), 0, m_size - 1);
  }

  SampleSettings m_settings;
  int64_t m_size;
  double m_low;
  double m_high;
};

template <typename T>
constexpr bool isComplexNumber = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;
template <typename T>
using Sum = std::conditional_t<isComplexNumber<T>, std::complex<double>, double>;

template <typename T>
Sum<T> toSum(const T& value) {
  return static_cast<Sum<T>>(cpu::widen(value));
}

template <typename T>
T fromSum(const Sum<T>& total) {
  if constexpr (cpu::isHalf<T>) {
    return T::fromFloat(static_cast<float>(total));
  } else if constexpr (std::is_same_v<T, bool>) {
    return total != 0;
  } else if constexpr (std::is_integral_v<T>) {
    // Cubic weights overshoot.
    using Limits = std::numeric_limits<T>;
    if (!(total > static_cast<double>(Limits::lowest()))) return Limits::lowest();
    return total >= static_cast<double>(Limits::max()) ? Limits::max() : static_cast<T>(total);
  } else {
    return static_cast<T>(total);
  }
}

// Sum over all combinations of taps.
template <typename T>
Sum<T> readTaps(const T* plane, std::span<const int64_t> dims, const std::array<AxisTaps, kMostAxes>& taps) {
  std::array<int, kMostAxes> index{};
  Sum<T> total = 0;
  for (;;) {
    double weight = 1;
    int64_t offset = 0;
    bool inside = true;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      const AxisTaps& axisTaps = taps[axis];
      if (axisTaps.count == 0) return 0;
      const int64_t cell = axisTaps.cells[static_cast<size_t>(index[axis])];
      inside = inside && cell != kNoCell;
      offset = offset * dims[axis] + cell;
      weight *= axisTaps.weights[static_cast<size_t>(index[axis])];
    }
    if (inside) total += weight * toSum(plane[offset]);
    size_t axis = dims.size();
    while (axis > 0 && ++index[axis - 1] == taps[axis - 1].count)
      index[--axis] = 0;
    if (axis == 0) return total;
  }
}

// The taps of one place with their weights multiplied out, the same for every channel. Only for places of few taps.
struct FlatTaps {
  static constexpr int kMost = 64;
  int count = 0;
  std::array<int64_t, kMost> offsets;
  std::array<double, kMost> weights;

  // False when there are too many.
  bool fill(std::span<const int64_t> dims, const std::array<AxisTaps, kMostAxes>& taps) {
    count = 1;
    offsets[0] = 0;
    weights[0] = 1;
    for (size_t axis = 0; axis < dims.size(); ++axis) {
      const int before = count;
      if (before * taps[axis].count > kMost) return false;
      // From the back, so that no entry is overwritten before it is read.
      count = before * taps[axis].count;
      for (int i = before; i-- > 0;) {
        const int64_t offset = offsets[static_cast<size_t>(i)];
        const double weight = weights[static_cast<size_t>(i)];
        for (int k = taps[axis].count; k-- > 0;) {
          const int64_t cell = taps[axis].cells[static_cast<size_t>(k)];
          const size_t at = static_cast<size_t>(i * taps[axis].count + k);
          const bool inside = offset != kNoCell && cell != kNoCell;
          offsets[at] = inside ? offset * dims[axis] + cell : kNoCell;
          weights[at] = weight * taps[axis].weights[static_cast<size_t>(k)];
        }
      }
    }
    int kept = 0;
    for (int i = 0; i < count; ++i) {
      if (offsets[static_cast<size_t>(i)] == kNoCell) continue;
      offsets[static_cast<size_t>(kept)] = offsets[static_cast<size_t>(i)];
      weights[static_cast<size_t>(kept++)] = weights[static_cast<size_t>(i)];
    }
    count = kept;
    return true;
  }

  template <typename T>
  Sum<T> read(const T* plane) const {
    Sum<T> total = 0;
    for (int i = 0; i < count; ++i)
      total += weights[static_cast<size_t>(i)] * toSum(plane[offsets[static_cast<size_t>(i)]]);
    return total;
  }
};

// The one cell of a nearest place; an empty text outside.
std::string readText(const std::string* plane, std::span<const int64_t> dims,
                     const std::array<AxisTaps, kMostAxes>& taps) {
  int64_t offset = 0;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (taps[axis].count == 0 || taps[axis].cells[0] == kNoCell) return {};
    offset = offset * dims[axis] + taps[axis].cells[0];
  }
  return plane[offset];
}

// Planes of floats read at two taps an axis: places go in blocks, their four cells and weights listed once for all
// channels and read by vectors.
class LinearPlanes {
 public:
  static constexpr int64_t kBlock = 64;

  // Place number `place` of the block.
  void set(int64_t place, int64_t width, const AxisTaps& rows, const AxisTaps& columns) {
    for (int corner = 0; corner < 4; ++corner) {
      const auto row = static_cast<size_t>(corner / 2), column = static_cast<size_t>(corner % 2);
      const bool inside =
          rows.count == 2 && columns.count == 2 && rows.cells[row] != kNoCell && columns.cells[column] != kNoCell;
      m_taps.cells[corner][place] = inside ? static_cast<int32_t>(rows.cells[row] * width + columns.cells[column]) : -1;
      m_taps.weights[corner][place] = inside ? static_cast<float>(rows.weights[row] * columns.weights[column]) : 0.0f;
    }
  }
  void read(const float* plane, float* to, int64_t count) const { vectorReadTaps(m_taps, plane, to, count); }

 private:
  PlaneTaps m_taps;
};

using SampledTypes =
    cpu::Join<cpu::NumericTypes, cpu::TypeList<bool, std::string, std::complex<float>, std::complex<double>>>;

using ReadNumber = double (*)(const void* data, int64_t index);

ReadNumber numberReader(ElementType type) {
  ReadNumber reader = nullptr;
  cpu::dispatchType(cpu::FloatTypes{}, type, [&]<typename T>(cpu::TypeTag<T>) {
    reader = [](const void* data, int64_t index) {
      return static_cast<double>(cpu::widen(static_cast<const T*>(data)[index]));
    };
  });
  return reader;
}

class GridSampleKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(const SampleSettings s, operators::readSampleSettings(info.node()));
    if (info.inputElement(0) == ElementType::kString && s.mode != SampleMode::kNearest)
      return fail(ErrorCode::kInvalidArgument, "texts cannot be interpolated: the mode must be nearest");
    return std::unique_ptr<Kernel>(std::make_unique<GridSampleKernel>(
        s, info.inputElement(0) == ElementType::kFloat && s.mode == SampleMode::kLinear));
  }
  GridSampleKernel(const SampleSettings& settings, bool vectors) : m_settings(settings), m_vectors(vectors) {}
  std::string_view variant() const override { return m_vectors ? "highway" : "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* grid, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims dims, operators::sampledDims(x->dims(), grid->dims()));
    const ReadNumber reader = numberReader(grid->type());
    if (reader == nullptr)
      return fail(ErrorCode::kInvalidArgument, "a grid of {} has no places", elementTypeName(grid->type()));
    Result<void> done = fail(ErrorCode::kNotImplemented, "GridSample of {} is not covered", elementTypeName(x->type()));
    cpu::dispatchType(SampledTypes{}, x->type(),
                      [&]<typename T>(cpu::TypeTag<T>) { done = sample<T>(context, *x, *grid, dims, reader); });
    return done;
  }

 private:
  template <typename T>
  Result<void> sample(KernelContext& context, const Tensor& x, const Tensor& grid, const Dims& dims,
                      ReadNumber reader) const {
    const size_t axes = x.rank() - 2;
    CUTAWAY_TRY(Tensor * output, context.output(0, x.type(), dims));
    if (output->elementCount() == 0) return {};
    const std::span<const int64_t> cells = std::span<const int64_t>(x.dims()).subspan(2);
    const int64_t planeCells = elementCount(cells);
    const int64_t places = productOf(dims, 2, dims.size());
    const int64_t channels = dims[1];
    const T* from = x.span<T>().data();
    T* to = output->template span<T>().data();
    constexpr int64_t kGrainPlaces = 256;
    if constexpr (std::is_same_v<T, float>) {
      if (m_settings.mode == SampleMode::kLinear && axes == 2 && planeCells <= std::numeric_limits<int32_t>::max()) {
        sampleLinear(from, grid, reader, cells, dims[0], channels, places, to);
        return {};
      }
    }
    parallelFor(dims[0] * places, kGrainPlaces, [&](int64_t begin, int64_t end) {
      std::array<AxisTaps, kMostAxes> taps;
      FlatTaps few;
      for (int64_t i = begin; i < end; ++i) {
        const int64_t entry = i / places;
        // The grid names the last axis first.
        const int64_t first = i * static_cast<int64_t>(axes);
        for (size_t axis = 0; axis < axes; ++axis)
          taps[axis] = AxisSampler(m_settings, cells[axis])
                           .at(reader(grid.data(), first + static_cast<int64_t>(axes - 1 - axis)));
        const bool flat = few.fill(cells, taps);
        for (int64_t c = 0; c < channels; ++c) {
          const T* plane = from + (entry * channels + c) * planeCells;
          T& place = to[(entry * channels + c) * places + i % places];
          if constexpr (std::is_same_v<T, std::string>)
            place = readText(plane, cells, taps);
          else
            place = fromSum<T>(flat ? few.read(plane) : readTaps(plane, cells, taps));
        }
      }
    });
    return {};
  }

  void sampleLinear(const float* from, const Tensor& grid, ReadNumber reader, std::span<const int64_t> cells,
                    int64_t entries, int64_t channels, int64_t places, float* to) const {
    const AxisSampler rows(m_settings, cells[0]), columns(m_settings, cells[1]);
    const int64_t planeCells = cells[0] * cells[1];
    const int64_t blocks = (places + LinearPlanes::kBlock - 1) / LinearPlanes::kBlock;
    parallelFor(entries * blocks, 4, [&](int64_t begin, int64_t end) {
      LinearPlanes planes;
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t entry = unit / blocks, first = unit % blocks * LinearPlanes::kBlock,
                      count = std::min(LinearPlanes::kBlock, places - first);
        for (int64_t i = 0; i < count; ++i) {
          const int64_t at = (entry * places + first + i) * 2;  // x before y
          planes.set(i, cells[1], rows.at(reader(grid.data(), at + 1)), columns.at(reader(grid.data(), at)));
        }
        for (int64_t c = entry * channels; c < (entry + 1) * channels; ++c)
          planes.read(from + c * planeCells, to + c * places + first, count);
      }
    });
  }

  SampleSettings m_settings;
  bool m_vectors;
};

constexpr auto kSampled = cpu::elementTypes(SampledTypes{});
constexpr TypeRule kRule[] = {{0, kSampled}};
constexpr KernelRow kRows[] = {
    {.opType = "GridSample",
     .versions = {16},
     .types = kRule,
     .fastPath = "highway",
     .create = GridSampleKernel::create},
    {.opType = "GridSample",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRule,
     .fastPath = "highway",
     .create = GridSampleKernel::create},
};

}  // namespace

KernelRows kernel_grid_sample() {
  return kRows;
}

}  // namespace cutaway::cpu
