// Resize (10 to 19) and Upsample (1 to 10), for tensors of any rank up to kMaxResizeRank and any axes.
//
// Nearest copies elements of any type through one index list an axis. Linear and cubic resize one axis after the other,
// in floats (doubles for wide numbers); tables are kept in the frame as long as sizes and scales stay the same.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/resize/resize_table.h"
#include "providers/cpu/kernels/through_float.h"

namespace cutaway::cpu {
namespace {

struct ResizeSettings : ResizeAttributes {
  Layout layout = Layout::kPlain;
};

struct ResizeState final : KernelState {
  std::optional<ResizeGeometry> geometry;
  ResizeGeometry stored;          // with its axes as they lie in memory
  std::vector<AxisTable> tables;  // of those axes

  void update(const ResizeSettings& settings, const ResizeGeometry& wanted) {
    if (geometry && *geometry == wanted) return;
    tables.clear();
    for (size_t axis = 0; axis < wanted.rank; ++axis)
      tables.push_back(wanted.identity(axis, settings) ? AxisTable{} : axisTable(settings, wanted, axis));
    geometry = stored = wanted;
    if (settings.layout != Layout::kChannelsLast) return;
    const auto turn = [&](auto& perAxis) {
      std::rotate(perAxis.begin() + 1, perAxis.begin() + 2, perAxis.begin() + wanted.rank);
    };
    turn(tables);
    turn(stored.input);
    turn(stored.output);
  }
};

// Marks with `value` what lies outside along any axis.
template <typename T>
void extrapolate(const ResizeGeometry& geometry, std::span<const AxisTable> tables, T value, T* y) {
  int64_t inner = 1;
  for (size_t axis = geometry.rank; axis-- > 0; inner *= geometry.output[axis]) {
    const AxisTable& table = tables[axis];
    if (table.outside.empty()) continue;
    const int64_t length = geometry.output[axis];
    const int64_t outer = elementCount({geometry.output.data(), axis});
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < length; ++i) {
        if (table.outside[static_cast<size_t>(i)] != 0) std::fill_n(y + (o * length + i) * inner, inner, value);
      }
    }
  }
}

class ResizeKernel : public Kernel {
 public:
  explicit ResizeKernel(ResizeSettings attributes) : m_attributes(std::move(attributes)) {}
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ResizeState>(); }

  Result<void> run(KernelContext& context) const final {
    CUTAWAY_TRY(const ResizeGeometry geometry,
                operators::resizeGeometry(m_attributes, context.input(0)->dims(),
                                          operators::resizeOperands(m_attributes, context)));
    CUTAWAY_TRY(Tensor * y, context.output(0, std::span<const int64_t>(geometry.output.data(), geometry.rank)));
    if (y->elementCount() == 0) return {};
    auto& state = static_cast<ResizeState&>(*context.state());
    state.update(m_attributes, geometry);
    return resize(context, state.stored, state.tables, *y);
  }

 protected:
  virtual Result<void> resize(KernelContext& context, const ResizeGeometry& geometry, std::span<const AxisTable> tables,
                              Tensor& y) const = 0;
  const ResizeSettings m_attributes;
};

// T: any type with the size of the elements; Value: how the extrapolation value becomes one.
template <typename T, typename Extrapolation = T>
class NearestResize final : public ResizeKernel {
 public:
  using ResizeKernel::ResizeKernel;

 protected:
  Result<void> resize(KernelContext& context, const ResizeGeometry& geometry, std::span<const AxisTable> tables,
                      Tensor& y) const override {
    const T* source = static_cast<const T*>(context.input(0)->data());
    T* target = static_cast<T*>(y.mutableData());
    const size_t last = geometry.rank - 1;
    const int64_t width = geometry.output[last], inputWidth = geometry.input[last];
    const std::vector<int64_t>& columns = tables[last].index;
    parallelFor(y.elementCount() / width, std::max<int64_t>(1, 4096 / width), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const T* from = source + sourceRow(geometry, tables, row) * inputWidth;
        T* to = target + row * width;
        if (columns.empty()) {
          std::copy_n(from, width, to);
        } else {
          for (int64_t i = 0; i < width; ++i)
            to[i] = from[columns[static_cast<size_t>(i)]];
        }
      }
    });
    extrapolate<T>(geometry, tables, extrapolationValue(), target);
    return {};
  }

 private:
  static int64_t sourceRow(const ResizeGeometry& geometry, std::span<const AxisTable> tables, int64_t row) {
    int64_t offset = 0, stride = 1;
    for (size_t axis = geometry.rank - 1; axis-- > 0;) {
      const int64_t position = row % geometry.output[axis];
      row /= geometry.output[axis];
      offset += (tables[axis].index.empty() ? position : tables[axis].index[static_cast<size_t>(position)]) * stride;
      stride *= geometry.input[axis];
    }
    return offset;
  }

  T extrapolationValue() const {
    if constexpr (std::is_arithmetic_v<Extrapolation> && sizeof(Extrapolation) == sizeof(T)) {
      const auto value = static_cast<Extrapolation>(m_attributes.extrapolation);
      T stored;
      std::memcpy(&stored, &value, sizeof(T));
      return stored;
    } else if constexpr (std::is_same_v<Extrapolation, Float16>) {
      return Float16::fromFloat(m_attributes.extrapolation).bits;
    } else if constexpr (std::is_same_v<Extrapolation, Bfloat16>) {
      return Bfloat16::fromFloat(m_attributes.extrapolation).bits;
    } else {
      return T{};
    }
  }
};

// One axis of [outer, length, inner].
template <typename Number>
void resizeAxis(const AxisTable& table, int64_t outer, int64_t inputLength, int64_t outputLength, int64_t inner,
                const Number* from, Number* to) {
  parallelFor(outer * outputLength, std::max<int64_t>(1, 4096 / (inner * table.taps)), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t position = unit % outputLength;
      const Number* plane = from + unit / outputLength * inputLength * inner;
      const int64_t* index = table.index.data() + position * table.taps;
      const double* weight = table.weight.data() + position * table.taps;
      Number* row = to + unit * inner;
      if (inner == 1) {
        Number sum = 0;
        for (int64_t tap = 0; tap < table.taps; ++tap)
          sum += static_cast<Number>(weight[tap]) * plane[index[tap]];
        *row = sum;
        continue;
      }
      for (int64_t tap = 0; tap < table.taps; ++tap) {
        const Number factor = static_cast<Number>(weight[tap]);
        const Number* cells = plane + index[tap] * inner;
        if (tap == 0) {
          for (int64_t i = 0; i < inner; ++i)
            row[i] = factor * cells[i];
        } else {
          for (int64_t i = 0; i < inner; ++i)
            row[i] += factor * cells[i];
        }
      }
    }
  });
}

template <typename T, typename Number>
T backTo(Number value) {
  if constexpr (std::is_integral_v<T>) {
    // To the nearest, ties to even, and into the range.
    value = std::nearbyint(value);
    if (!(value > static_cast<Number>(std::numeric_limits<T>::lowest()))) return std::numeric_limits<T>::lowest();
    if (value >= static_cast<Number>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(value);
  } else {
    return static_cast<T>(value);
  }
}

template <typename T, typename Number>
class InterpolatingResize final : public ResizeKernel {
 public:
  using ResizeKernel::ResizeKernel;

 protected:
  Result<void> resize(KernelContext& context, const ResizeGeometry& geometry, std::span<const AxisTable> tables,
                      Tensor& y) const override {
    constexpr bool kSame = std::is_same_v<T, Number>;
    const Tensor& x = *context.input(0);
    // The last axis first: it is the cheapest one to do on few rows when shrinking, and memory order otherwise.
    std::array<int64_t, kMaxResizeRank> dims = geometry.input;
    int64_t largest = x.elementCount();
    size_t steps = 0;
    for (size_t axis = geometry.rank; axis-- > 0;) {
      if (tables[axis].index.empty()) continue;
      dims[axis] = geometry.output[axis];
      largest = std::max(largest, elementCount({dims.data(), geometry.rank}));
      ++steps;
    }
    CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(static_cast<size_t>(largest) * 2 * sizeof(Number)));
    Number* buffers[2] = {reinterpret_cast<Number*>(scratch.data()),
                          reinterpret_cast<Number*>(scratch.data()) + largest};
    const Number* from = nullptr;
    int next = 0;
    if constexpr (kSame) {
      from = x.span<T>().data();
    } else {
      std::ranges::transform(x.span<T>(), buffers[0], [](T value) { return static_cast<Number>(value); });
      from = buffers[0];
      next = 1;
    }
    dims = geometry.input;
    for (size_t axis = geometry.rank; axis-- > 0;) {
      if (tables[axis].index.empty()) continue;
      const bool final = --steps == 0;
      Number* to = buffers[next];
      if constexpr (kSame) to = final ? y.span<T>().data() : to;
      const int64_t outer = elementCount({dims.data(), axis}),
                    inner = elementCount({dims.data() + axis + 1, geometry.rank - axis - 1});
      resizeAxis<Number>(tables[axis], outer, dims[axis], geometry.output[axis], inner, from, to);
      dims[axis] = geometry.output[axis];
      from = to;
      next = 1 - next;
    }
    T* target = y.span<T>().data();
    if (!kSame || from != static_cast<const void*>(target))
      std::transform(from, from + y.elementCount(), target, [](Number value) { return backTo<T, Number>(value); });
    extrapolate<T>(geometry, tables, backTo<T, Number>(static_cast<Number>(m_attributes.extrapolation)), target);
    return {};
  }
};

Result<std::unique_ptr<Kernel>> createNearest(ResizeSettings attributes, ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return std::make_unique<NearestResize<uint32_t, float>>(std::move(attributes));
    case ElementType::kDouble:
      return std::make_unique<NearestResize<uint64_t, double>>(std::move(attributes));
    case ElementType::kFloat16:
      return std::make_unique<NearestResize<uint16_t, Float16>>(std::move(attributes));
    case ElementType::kBfloat16:
      return std::make_unique<NearestResize<uint16_t, Bfloat16>>(std::move(attributes));
    case ElementType::kInt8:
      return std::make_unique<NearestResize<uint8_t, int8_t>>(std::move(attributes));
    case ElementType::kUint8:
    case ElementType::kBool:
      return std::make_unique<NearestResize<uint8_t>>(std::move(attributes));
    case ElementType::kInt16:
      return std::make_unique<NearestResize<uint16_t, int16_t>>(std::move(attributes));
    case ElementType::kUint16:
      return std::make_unique<NearestResize<uint16_t>>(std::move(attributes));
    case ElementType::kInt32:
      return std::make_unique<NearestResize<uint32_t, int32_t>>(std::move(attributes));
    case ElementType::kUint32:
      return std::make_unique<NearestResize<uint32_t>>(std::move(attributes));
    case ElementType::kInt64:
      return std::make_unique<NearestResize<uint64_t, int64_t>>(std::move(attributes));
    case ElementType::kUint64:
      return std::make_unique<NearestResize<uint64_t>>(std::move(attributes));
    case ElementType::kString:
      return std::make_unique<NearestResize<std::string>>(std::move(attributes));
    case ElementType::kComplex64:
      return std::make_unique<NearestResize<std::complex<float>>>(std::move(attributes));
    case ElementType::kComplex128:
      return std::make_unique<NearestResize<std::complex<double>>>(std::move(attributes));
    default:
      return fail(ErrorCode::kNotImplemented, "Resize of {} is not supported", elementTypeName(type));
  }
}

Result<std::unique_ptr<Kernel>> createResize(const KernelInfo& info) {
  ResizeSettings attributes;
  CUTAWAY_TRY(static_cast<ResizeAttributes&>(attributes), operators::readResizeAttributes(info.node()));
  attributes.layout = info.inputType(0).layout;
  const ElementType type = info.inputElement(0);
  if (attributes.mode == ResizeMode::kNearest) {
    if (attributes.antialias) return fail(ErrorCode::kInvalidArgument, "Resize: antialias is for linear and cubic");
    return createNearest(std::move(attributes), type);
  }
  switch (type) {
    case ElementType::kFloat:
      return std::make_unique<InterpolatingResize<float, float>>(std::move(attributes));
    case ElementType::kDouble:
      return std::make_unique<InterpolatingResize<double, double>>(std::move(attributes));
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return makeThroughFloat(std::make_unique<InterpolatingResize<float, float>>(std::move(attributes)), info);
    case ElementType::kInt8:
      return std::make_unique<InterpolatingResize<int8_t, float>>(std::move(attributes));
    case ElementType::kUint8:
      return std::make_unique<InterpolatingResize<uint8_t, float>>(std::move(attributes));
    case ElementType::kInt16:
      return std::make_unique<InterpolatingResize<int16_t, float>>(std::move(attributes));
    case ElementType::kUint16:
      return std::make_unique<InterpolatingResize<uint16_t, float>>(std::move(attributes));
    case ElementType::kInt32:
      return std::make_unique<InterpolatingResize<int32_t, double>>(std::move(attributes));
    case ElementType::kUint32:
      return std::make_unique<InterpolatingResize<uint32_t, double>>(std::move(attributes));
    case ElementType::kInt64:
      return std::make_unique<InterpolatingResize<int64_t, double>>(std::move(attributes));
    case ElementType::kUint64:
      return std::make_unique<InterpolatingResize<uint64_t, double>>(std::move(attributes));
    case ElementType::kComplex64:
      return std::make_unique<InterpolatingResize<std::complex<float>, std::complex<float>>>(std::move(attributes));
    case ElementType::kComplex128:
      return std::make_unique<InterpolatingResize<std::complex<double>, std::complex<double>>>(std::move(attributes));
    default:
      return fail(ErrorCode::kNotImplemented, "Resize of {} in this mode is not supported", elementTypeName(type));
  }
}

constexpr int kResizeHostInputs[] = {1, 2, 3};
constexpr int kUpsampleHostInputs[] = {1};

constexpr KernelRow kRows[] = {
    {.opType = "Resize", .versions = {10}, .hostInputs = kResizeHostInputs, .create = createResize},
    {.opType = "Upsample", .versions = {1}, .hostInputs = kUpsampleHostInputs, .create = createResize},
};

}  // namespace

KernelRows kernel_resize() {
  return kRows;
}

}  // namespace cutaway::cpu
