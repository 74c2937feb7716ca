// Backward poolings and Gather of com.microsoft: every gradient goes back to the elements its output was made from.
//
// The pooling operators do not say the size of their result: it is the declared shape of the output, else the smallest
// size the windows fit on.

#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/spatial_window.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

// Calls visit(place in the input plane) for every cell of the window at `out` that lies inside the input.
template <typename Visit>
void visitWindow(const Window& window, const WindowDims& out, Visit&& visit) {
  WindowDims k{};
  const int64_t cells = window.kernelCells();
  for (int64_t cell = 0; cell < cells; ++cell, nextIndex(k, window.kernel, window.rank)) {
    bool inside = true;
    int64_t place = 0;
    for (size_t axis = 0; axis < window.rank && inside; ++axis) {
      const int64_t position = window.start(axis, out[axis]) + k[axis] * window.dilations[axis];
      inside = position >= 0 && position < window.input[axis];
      place = place * window.input[axis] + position;
    }
    if (inside) visit(place);
  }
}

// Cells of the window that count when padding counts: those before the end of the padding.
int64_t paddedCells(const Window& window, const WindowDims& out) {
  int64_t count = 1;
  for (size_t axis = 0; axis < window.rank; ++axis) {
    const int64_t room = window.input[axis] + window.padsEnd[axis] - window.start(axis, out[axis]);
    count *= std::min(window.kernel[axis], (room + window.dilations[axis] - 1) / window.dilations[axis]);
  }
  return count;
}

// The sizes of dX along the spatial axes.
class PooledFrom {
 public:
  static Result<PooledFrom> of(const KernelInfo& info) {
    PooledFrom made;
    CUTAWAY_TRY(made.attributes, readWindowAttributes(info.node()));
    if (made.attributes.kernel.empty())
      return fail(ErrorCode::kInvalidArgument, "{}: kernel_shape is missing", info.node().opType);
    const std::optional<Shape>& declared = info.outputType(0).shape;
    if (!declared || declared->rank() < 2) return made;
    for (size_t axis = 2; axis < declared->rank(); ++axis)
      made.m_declared.push_back((*declared)[axis].value());
    return made;
  }

  Result<Window> windowFor(std::span<const int64_t> spatial) const {
    const size_t rank = attributes.kernel.size();
    if (spatial.size() != rank || rank > kMaxWindowRank)
      return fail(ErrorCode::kInvalidArgument, "a backward pooling: kernel_shape has {} axes, dY {}", rank,
                  spatial.size());
    WindowDims sizes{};
    for (size_t axis = 0; axis < rank; ++axis) {
      const bool declared = axis < m_declared.size() && m_declared[axis] >= 0;
      const int64_t stride = attributes.strides.empty() ? 1 : attributes.strides[axis],
                    dilation = attributes.dilations.empty() ? 1 : attributes.dilations[axis];
      const int64_t pads = attributes.pads.empty() ? 0 : attributes.pads[axis] + attributes.pads[rank + axis];
      sizes[axis] = declared ? m_declared[axis]
                             : (spatial[axis] - 1) * stride + (attributes.kernel[axis] - 1) * dilation + 1 - pads;
      if (sizes[axis] < 0)
        return fail(ErrorCode::kInvalidArgument, "a backward pooling: axis {} would have {} elements", axis + 2,
                    sizes[axis]);
    }
    CUTAWAY_TRY(Window window,
                placeWindow(attributes, std::span<const int64_t>(sizes.data(), rank), {}, WindowFit::kMayExceed));
    for (size_t axis = 0; axis < rank; ++axis) {
      if (window.output[axis] != spatial[axis])
        return fail(ErrorCode::kInvalidArgument,
                    "a backward pooling: dY has {} elements along axis {}; {} fit the window", spatial[axis], axis + 2,
                    window.output[axis]);
    }
    return window;
  }

  WindowAttributes attributes;

 private:
  std::vector<int64_t> m_declared;  // -1: not known
};

Result<Dims> outputDims(const Tensor& dy, const Window& window) {
  Dims dims = dy.dims();
  for (size_t axis = 0; axis < window.rank; ++axis)
    dims[axis + 2] = window.input[axis];
  CUTAWAY_TRY([[maybe_unused]] const int64_t bytes, byteSize(dy.type(), dims));
  return dims;
}

template <typename T>
class AveragePoolGrad final : public Kernel {
 public:
  AveragePoolGrad(PooledFrom from, bool countPadding) : m_from(std::move(from)), m_countPadding(countPadding) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor* dy = context.input(0);
    if (dy == nullptr || dy->rank() < 3)
      return fail(ErrorCode::kInvalidArgument, "AveragePoolGrad needs dY of at least 3 axes");
    CUTAWAY_TRY(const Window window, m_from.windowFor(std::span(dy->dims()).subspan(2)));
    CUTAWAY_TRY(const Dims dims, outputDims(*dy, window));
    CUTAWAY_TRY(Tensor * dx, context.output(0, dims));
    const T* g = dy->span<T>().data();
    T* to = dx->span<T>().data();
    const int64_t planes = dims[0] * dims[1], inCells = window.inputCells(), outCells = window.outputCells();
    parallelFor(planes, 1, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane)
        spreadPlane(window, g + plane * outCells, to + plane * inCells, inCells, outCells);
    });
    return {};
  }

 private:
  void spreadPlane(const Window& window, const T* g, T* to, int64_t inCells, int64_t outCells) const {
    std::fill_n(to, inCells, T(0));
    WindowDims out{};
    for (int64_t cell = 0; cell < outCells; ++cell, nextIndex(out, window.output, window.rank)) {
      int64_t counted = 0;
      if (m_countPadding)
        counted = paddedCells(window, out);
      else
        visitWindow(window, out, [&](int64_t) { ++counted; });
      const T share = g[cell] / static_cast<T>(std::max<int64_t>(counted, 1));
      visitWindow(window, out, [&](int64_t place) { to[place] += share; });
    }
  }

  PooledFrom m_from;
  bool m_countPadding;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createAveragePoolGrad(const KernelInfo& info) {
  CUTAWAY_TRY(PooledFrom from, PooledFrom::of(info));
  return std::make_unique<AveragePoolGrad<T>>(std::move(from), info.attribute<int64_t>("count_include_pad", 0) != 0);
}

template <typename T>
class MaxPoolGrad final : public Kernel {
 public:
  explicit MaxPoolGrad(PooledFrom from) : m_from(std::move(from)) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor *dy = context.input(0), *indices = context.input(1);
    if (dy == nullptr || indices == nullptr || dy->rank() < 3 || indices->type() != ElementType::kInt64 ||
        !std::ranges::equal(dy->dims(), indices->dims())) {
      return fail(ErrorCode::kInvalidArgument,
                  "MaxPoolGrad needs dY of at least 3 axes and int64 Indices of the same shape");
    }
    CUTAWAY_TRY(const Window window, m_from.windowFor(std::span(dy->dims()).subspan(2)));
    CUTAWAY_TRY(const Dims dims, outputDims(*dy, window));
    CUTAWAY_TRY(Tensor * dx, context.output(0, dims));
    const std::span<const T> g = dy->span<T>();
    const std::span<const int64_t> places = indices->span<int64_t>();
    const std::span<T> to = dx->span<T>();
    std::ranges::fill(to, T(0));
    for (size_t i = 0; i < g.size(); ++i) {
      if (places[i] < 0 || places[i] >= static_cast<int64_t>(to.size()))
        return fail(ErrorCode::kInvalidArgument, "MaxPoolGrad: index {} is not below {}", places[i], to.size());
      to[static_cast<size_t>(places[i])] += g[i];
    }
    return {};
  }

 private:
  PooledFrom m_from;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createMaxPoolGrad(const KernelInfo& info) {
  CUTAWAY_TRY(PooledFrom from, PooledFrom::of(info));
  return std::make_unique<MaxPoolGrad<T>>(std::move(from));
}

// shape, indices, dY: rows of dY are added up at their places along one axis.
template <typename T>
class GatherGrad final : public Kernel {
 public:
  explicit GatherGrad(int64_t axis) : m_axis(axis) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor *shape = context.input(0), *indices = context.input(1), *dy = context.input(2);
    if (shape == nullptr || indices == nullptr || dy == nullptr || shape->rank() != 1 ||
        shape->type() != ElementType::kInt64)
      return fail(ErrorCode::kInvalidArgument, "GatherGrad needs a shape, indices and dY");
    const Dims dims(shape->span<int64_t>());
    CUTAWAY_TRY([[maybe_unused]] const int64_t bytes, byteSize(dy->type(), dims));
    const int64_t rank = static_cast<int64_t>(dims.size()), axis = m_axis < 0 ? m_axis + rank : m_axis;
    if (axis < 0 || axis >= rank)
      return fail(ErrorCode::kInvalidArgument, "GatherGrad: axis {} of {}", m_axis, dimsToText(dims));
    const size_t place = static_cast<size_t>(axis);
    const std::span<const int64_t> all = dims;
    const int64_t outer = elementCount(all.first(place)), inner = elementCount(all.subspan(place + 1)),
                  size = dims[place], count = indices->elementCount();
    CUTAWAY_TRY(const int64_t row, checkedMultiply(outer, inner));
    CUTAWAY_TRY(const int64_t wanted, checkedMultiply(row, count));
    if (wanted != dy->elementCount()) {
      return fail(ErrorCode::kInvalidArgument, "GatherGrad: dY {} does not fit {} indices along axis {} of {}",
                  dimsToText(dy->dims()), count, m_axis, dimsToText(dims));
    }
    CUTAWAY_TRY(Tensor * dx, context.output(0, dims));
    std::ranges::fill(dx->span<T>(), T(0));
    Result<void> done;
    const bool known = dispatchType(TypeList<int32_t, int64_t>{}, indices->type(), [&]<typename I>(TypeTag<I>) {
      const std::span<const I> chosen = indices->span<I>();
      for (int64_t k = 0; k < count; ++k) {
        const int64_t index =
            chosen[static_cast<size_t>(k)] < 0 ? chosen[static_cast<size_t>(k)] + size : chosen[static_cast<size_t>(k)];
        if (index < 0 || index >= size) {
          done = fail(ErrorCode::kInvalidArgument, "GatherGrad: index {} of an axis of {}",
                      chosen[static_cast<size_t>(k)], size);
          return;
        }
        for (int64_t o = 0; o < outer; ++o) {
          const T* from = dy->span<T>().data() + (o * count + k) * inner;
          T* to = dx->span<T>().data() + (o * size + index) * inner;
          for (int64_t i = 0; i < inner; ++i)
            to[i] += from[i];
        }
      }
    });
    if (!known)
      return fail(ErrorCode::kInvalidArgument, "GatherGrad: indices are {}", elementTypeName(indices->type()));
    return done;
  }

 private:
  int64_t m_axis;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createGatherGrad(const KernelInfo& info) {
  return std::make_unique<GatherGrad<T>>(info.attribute<int64_t>("axis", 0));
}

constexpr int kShape[] = {0};
constexpr TypeRule kFloatGather[] = {{2, kFloatList}}, kDoubleGather[] = {{2, kDoubleList}},
                   kHalfGather[] = {{2, kHalfList}};
constexpr std::string_view kDomain = "com.microsoft";

constexpr KernelRow kRows[] = {
    {.opType = "AveragePoolGrad",
     .domain = kDomain,
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createAveragePoolGrad<float>},
    {.opType = "AveragePoolGrad",
     .domain = kDomain,
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createAveragePoolGrad<double>},
    {.opType = "AveragePoolGrad",
     .domain = kDomain,
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createAveragePoolGrad<float>>},
    {.opType = "MaxPoolGrad", .domain = kDomain, .types = kFloatInput, .create = createMaxPoolGrad<float>},
    {.opType = "MaxPoolGrad", .domain = kDomain, .types = kDoubleInput, .create = createMaxPoolGrad<double>},
    {.opType = "MaxPoolGrad",
     .domain = kDomain,
     .types = kHalfInput,
     .create = createThroughFloat<createMaxPoolGrad<float>>},
    {.opType = "GatherGrad",
     .domain = kDomain,
     .types = kFloatGather,
     .hostInputs = kShape,
     .create = createGatherGrad<float>},
    {.opType = "GatherGrad",
     .domain = kDomain,
     .types = kDoubleGather,
     .hostInputs = kShape,
     .create = createGatherGrad<double>},
    {.opType = "GatherGrad",
     .domain = kDomain,
     .types = kHalfGather,
     .hostInputs = kShape,
     .create = createThroughFloat<createGatherGrad<float>>},
};

}  // namespace

KernelRows kernel_pool_grad() {
  return kRows;
}

}  // namespace cutaway::cpu
