// Col2Im: columns of sliding blocks added back into the image they came from (any number of spatial axes).

#include <algorithm>
#include <complex>
#include <string>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

struct ImageGeometry {
  Dims image, block, dilations, strides, padsBegin, steps;
  int64_t blockCount = 1;  // elements of a block
  int64_t stepCount = 1;   // places a block takes
};

// Two elements on one place: numbers add up, truth values are joined, the later text stays.
template <typename T>
void join(T& place, const T& element) {
  if constexpr (cpu::isHalf<T>)
    place = T::fromFloat(place.toFloat() + element.toFloat());
  else if constexpr (std::is_same_v<T, bool>)
    place = place || element;
  else if constexpr (std::is_same_v<T, std::string>)
    place = element;
  else if constexpr (std::is_integral_v<T>)
    place = static_cast<T>(static_cast<uint64_t>(place) + static_cast<uint64_t>(element));
  else
    place += element;
}

// Adds one channel's columns [blockCount, stepCount] into its image.
template <typename T>
void addColumns(const ImageGeometry& g, const T* columns, T* image) {
  const size_t last = g.image.size() - 1;
  const Dims imageStrides = rowMajorStrides(g.image);
  const int64_t runSteps = g.steps[last];
  const int64_t stride = g.strides[last];
  for (int64_t k = 0; k < g.blockCount; ++k) {
    const int64_t shift = k % g.block[last] * g.dilations[last] - g.padsBegin[last];
    // The steps of the last axis whose place lies inside: 0 <= step * stride + shift < length.
    const int64_t firstStep = shift >= 0 ? 0 : std::min(runSteps, (-shift + stride - 1) / stride);
    const int64_t inside = g.image[last] - shift;
    const int64_t endStep = inside <= 0 ? 0 : std::min(runSteps, (inside + stride - 1) / stride);
    for (int64_t run = 0; run < g.stepCount; run += runSteps) {
      int64_t kRest = k / g.block[last];
      int64_t sRest = run / runSteps;
      int64_t offset = shift;
      bool visible = true;
      for (size_t i = last; i-- > 0;) {
        const int64_t place = sRest % g.steps[i] * g.strides[i] + kRest % g.block[i] * g.dilations[i] - g.padsBegin[i];
        kRest /= g.block[i];
        sRest /= g.steps[i];
        visible = visible && place >= 0 && place < g.image[i];
        offset += place * imageStrides[i];
      }
      if (!visible) continue;
      const T* from = columns + k * g.stepCount + run;
      for (int64_t step = firstStep; step < endStep; ++step)
        join(image[offset + step * stride], from[step]);
    }
  }
}

class Col2ImKernel final : public Kernel {
 public:
  explicit Col2ImKernel(const KernelInfo& info)
      : m_dilations(listAttribute(info.node(), "dilations")),
        m_strides(listAttribute(info.node(), "strides")),
        m_pads(listAttribute(info.node(), "pads")) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* columns, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* image, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* block, requireTensor(context, 2));
    ImageGeometry g;
    CUTAWAY_TRY(g.image, readIntegers(*image));
    CUTAWAY_TRY(g.block, readIntegers(*block));
    CUTAWAY_CHECK(complete(g));
    if (columns->rank() != 3 || columns->dims()[1] % g.blockCount != 0 || columns->dims()[2] != g.stepCount) {
      return fail(ErrorCode::kInvalidArgument, "columns {} do not fit blocks of {} that take {} places",
                  dimsToText(columns->dims()), g.blockCount, g.stepCount);
    }
    Dims dims = filledList(g.image.size() + 2, 0);
    dims[0] = columns->dims()[0];
    dims[1] = columns->dims()[1] / g.blockCount;
    for (size_t i = 0; i < g.image.size(); ++i)
      dims[i + 2] = g.image[i];
    CUTAWAY_TRY(Tensor * output, context.output(0, columns->type(), dims));
    using Types =
        cpu::Join<cpu::NumericTypes, cpu::TypeList<bool, std::string, std::complex<float>, std::complex<double>>>;
    const bool known = cpu::dispatchType(Types{}, columns->type(), [&]<typename T>(cpu::TypeTag<T>) {
      std::ranges::fill(output->template span<T>(), T{});
      addAll<T>(g, *columns, *output);
    });
    if (!known)
      return fail(ErrorCode::kNotImplemented, "Col2Im of {} is not covered", elementTypeName(columns->type()));
    return {};
  }

 private:
  template <typename T>
  static void addAll(const ImageGeometry& g, const Tensor& columns, Tensor& output) {
    const int64_t pixels = elementCount(g.image);
    const int64_t channels = output.dims()[0] * output.dims()[1];
    parallelFor(channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        addColumns<T>(g, static_cast<const T*>(columns.data()) + c * g.blockCount * g.stepCount,
                      static_cast<T*>(output.mutableData()) + c * pixels);
      }
    });
  }

  Result<void> complete(ImageGeometry& g) const {
    const size_t axes = g.image.size();
    const auto fits = [axes](const Dims& list, size_t count) {
      return list.size() == 0 || list.size() == count * axes;
    };
    if (axes == 0 || g.block.size() != axes || !fits(m_dilations, 1) || !fits(m_strides, 1) || !fits(m_pads, 2)) {
      return fail(ErrorCode::kInvalidArgument,
                  "image_shape, block_shape, dilations, strides and pads of Col2Im differ in length");
    }
    g.dilations = m_dilations.size() == 0 ? filledList(axes, 1) : m_dilations;
    g.strides = m_strides.size() == 0 ? filledList(axes, 1) : m_strides;
    g.padsBegin = filledList(axes, 0);
    g.steps = filledList(axes, 0);
    for (size_t i = 0; i < axes; ++i) {
      const int64_t begin = m_pads.size() == 0 ? 0 : m_pads[i];
      const int64_t end = m_pads.size() == 0 ? 0 : m_pads[i + axes];
      g.padsBegin[i] = begin;
      constexpr int64_t kBound = int64_t{1} << 31;
      for (const int64_t number : {g.image[i], g.block[i], g.dilations[i], g.strides[i], begin + 1, end + 1}) {
        if (number < 1 || number > kBound)
          return fail(ErrorCode::kInvalidArgument, "axis {} of Col2Im has the size, stride, dilation or pad {}", i,
                      number);
      }
      CUTAWAY_TRY(const int64_t reach, checkedMultiply(g.dilations[i], g.block[i] - 1));
      const int64_t free = g.image[i] + begin + end - reach - 1;
      if (free < 0) return fail(ErrorCode::kInvalidArgument, "the block of axis {} is larger than the image", i);
      g.steps[i] = free / g.strides[i] + 1;
      CUTAWAY_TRY(g.blockCount, checkedMultiply(g.blockCount, g.block[i]));
      CUTAWAY_TRY(g.stepCount, checkedMultiply(g.stepCount, g.steps[i]));
    }
    return {};
  }

  Dims m_dilations;
  Dims m_strides;
  Dims m_pads;
};

constexpr int kShapesOnHost[] = {1, 2};
constexpr KernelRow kRows[] = {
    {.opType = "Col2Im",
     .versions = {18},
     .hostInputs = kShapesOnHost,
     .fastPath = "threads",
     .create = makeKernel<Col2ImKernel>},
};

}  // namespace

KernelRows kernel_col2im() {
  return kRows;
}

}  // namespace cutaway::cpu
