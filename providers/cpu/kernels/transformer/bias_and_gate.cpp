// SwiGLU (28) and the small sums and products of com.microsoft around projections: BiasAdd, BiasSplitGelu, GatedAdd,
// BiasDropout (inference).
//
// Halves are computed in float and rounded once, but for GatedAdd, which rounds its product first as the separate
// operators do.

#include "engine/base/parallel.h"
#include "engine/operators/bias.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using cpu::Computed;
using cpu::kConversionRun;
using cpu::narrow;
using cpu::PointwiseOp;
using cpu::widen;

constexpr int64_t kGrain = 8192;

// Calls body(first, count, run) for pieces of [0, total); run has room for the piece in the wide type.
template <typename T, typename Body>
void inPieces(int64_t total, Body&& body) {
  parallelFor(total, kGrain, [&](int64_t begin, int64_t end) {
    Computed<T> run[kConversionRun];
    for (int64_t i = begin; i < end; i += kConversionRun)
      body(i, std::min(kConversionRun, end - i), run);
  });
}

template <typename W>
void applyRun(PointwiseOp op, W* run, int64_t count, double alpha) {
  if constexpr (std::is_same_v<W, double>) {
    cpu::scalarDoubleLoop(op)(run, run, count, {.alpha = alpha});
  } else {
    cpu::floatLoop(op)(run, run, count, {.alpha = alpha});
  }
}

Result<void> sameShape(const Tensor& a, const Tensor& b, std::string_view name) {
  if (a.dims() == b.dims() && a.type() == b.type()) return {};
  return fail(ErrorCode::kInvalidArgument, "{} is {} {}, the first input {} {}", name, elementTypeName(b.type()),
              dimsToText(b.dims()), elementTypeName(a.type()), dimsToText(a.dims()));
}

// A vector as long as the last axis of x.
Result<int64_t> biasWidth(const Tensor& x, const Tensor& bias) {
  if (x.rank() > 0 && bias.rank() == 1 && bias.type() == x.type() && bias.dims()[0] == x.dims()[x.rank() - 1])
    return bias.dims()[0];
  return fail(ErrorCode::kInvalidArgument, "bias {} does not fit the last axis of {}", dimsToText(bias.dims()),
              dimsToText(x.dims()));
}

class SwiGlu final : public Kernel {
 public:
  explicit SwiGlu(double alpha) : m_alpha(alpha) {}
  std::string_view variant() const override { return "highway"; }
  Result<void> run(KernelContext& context) const override {
    const Tensor &gate = *context.input(0), &value = *context.input(1);
    CUTAWAY_CHECK(sameShape(gate, value, "B"));
    CUTAWAY_TRY(Tensor * y, context.output(0, gate.type(), gate.dims()));
    cpu::dispatchType(cpu::FloatTypes{}, gate.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T *a = gate.span<T>().data(), *b = value.span<T>().data();
      T* target = y->span<T>().data();
      inPieces<T>(gate.elementCount(), [&](int64_t first, int64_t count, Computed<T>* run) {
        for (int64_t i = 0; i < count; ++i)
          run[i] = widen(a[first + i]);
        applyRun(PointwiseOp::kSwish, run, count, m_alpha);
        for (int64_t i = 0; i < count; ++i)
          target[first + i] = narrow<T>(run[i] * widen(b[first + i]));
      });
    });
    return {};
  }

 private:
  double m_alpha;
};

class BiasAdd final : public Kernel {
 public:
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &bias = *context.input(1), &skip = *context.input(2);
    CUTAWAY_CHECK(sameShape(x, skip, "skip"));
    CUTAWAY_TRY(const int64_t width, biasWidth(x, bias));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    cpu::dispatchType(cpu::FloatTypes{}, x.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T *a = x.span<T>().data(), *b = bias.span<T>().data(), *c = skip.span<T>().data();
      T* target = y->span<T>().data();
      parallelFor(width > 0 ? x.elementCount() / width : 0, std::max<int64_t>(1, kGrain / std::max<int64_t>(width, 1)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) {
                      for (int64_t i = 0; i < width; ++i)
                        target[row * width + i] =
                            narrow<T>(widen(a[row * width + i]) + widen(b[i]) + widen(c[row * width + i]));
                    }
                  });
    });
    return {};
  }
};

// (left half + bias) * gelu(right half + bias).
class BiasSplitGelu final : public Kernel {
 public:
  std::string_view variant() const override { return "highway"; }
  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &bias = *context.input(1);
    CUTAWAY_TRY(const int64_t width, biasWidth(x, bias));
    CUTAWAY_TRY(const Dims dims, operators::splitGeluDims(x.dims()));
    const int64_t half = width / 2;
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), dims));
    cpu::dispatchType(cpu::FloatTypes{}, x.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T *a = x.span<T>().data(), *b = bias.span<T>().data();
      T* target = y->span<T>().data();
      parallelFor(half > 0 ? y->elementCount() / half : 0, std::max<int64_t>(1, kGrain / std::max<int64_t>(half, 1)),
                  [&](int64_t begin, int64_t end) {
                    Computed<T> run[kConversionRun];
                    for (int64_t row = begin; row < end; ++row) {
                      for (int64_t first = 0; first < half; first += kConversionRun) {
                        const int64_t count = std::min(kConversionRun, half - first);
                        const T *left = a + row * width + first, *right = left + half;
                        for (int64_t i = 0; i < count; ++i)
                          run[i] = widen(right[i]) + widen(b[half + first + i]);
                        applyRun(PointwiseOp::kGelu, run, count, 0.0);
                        for (int64_t i = 0; i < count; ++i)
                          target[row * half + first + i] = narrow<T>((widen(left[i]) + widen(b[first + i])) * run[i]);
                      }
                    }
                  });
    });
    return {};
  }
};

// x + y * gate, the gate one number a row.
class GatedAdd final : public Kernel {
 public:
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &scaled = *context.input(1), &gate = *context.input(2);
    CUTAWAY_CHECK(sameShape(x, scaled, "Y"));
    const bool fits = x.rank() > 0 && gate.rank() == x.rank() && gate.type() == x.type() &&
                      gate.dims()[gate.rank() - 1] == 1 &&
                      std::equal(gate.dims().begin(), gate.dims().end() - 1, x.dims().begin());
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "GatedAdd: the gate is {}, the input {}", dimsToText(gate.dims()),
                  dimsToText(x.dims()));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    const int64_t width = x.dims()[x.rank() - 1];
    cpu::dispatchType(cpu::FloatTypes{}, x.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T *a = x.span<T>().data(), *b = scaled.span<T>().data(), *open = gate.span<T>().data();
      T* target = y->span<T>().data();
      parallelFor(gate.elementCount(), std::max<int64_t>(1, kGrain / std::max<int64_t>(width, 1)),
                  [&](int64_t begin, int64_t end) {
                    for (int64_t row = begin; row < end; ++row) {
                      const Computed<T> factor = widen(open[row]);
                      for (int64_t i = row * width; i < (row + 1) * width; ++i)
                        target[i] = narrow<T>(widen(a[i]) + widen(narrow<T>(widen(b[i]) * factor)));
                    }
                  });
    });
    return {};
  }
};

// data + bias + residual, and a mask of ones: what dropout is when nothing is dropped.
class BiasDropout final : public Kernel {
 public:
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &bias = *context.input(1);
    const auto optional = [&](size_t slot) { return slot < context.inputCount() ? context.input(slot) : nullptr; };
    const Tensor *residual = optional(2), *training = optional(4);
    CUTAWAY_CHECK(operators::checkBiasDropout(training));
    if (!(bias.dims() == x.dims())) CUTAWAY_CHECK(biasWidth(x, bias));
    if (bias.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "BiasDropout: bias is {}, data {}", elementTypeName(bias.type()),
                  elementTypeName(x.type()));
    if (residual != nullptr) CUTAWAY_CHECK(sameShape(x, *residual, "residual"));
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    const int64_t width = std::max<int64_t>(bias.elementCount(), 1);
    cpu::dispatchType(cpu::FloatTypes{}, x.type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T *a = x.span<T>().data(), *b = bias.span<T>().data(),
              *c = residual != nullptr ? residual->span<T>().data() : nullptr;
      T* target = y->span<T>().data();
      parallelFor(x.elementCount(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          target[i] = narrow<T>(widen(a[i]) + widen(b[i % width]) + (c != nullptr ? widen(c[i]) : Computed<T>(0)));
      });
    });
    if (context.outputCount() > 1 && context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * mask, context.output(1, ElementType::kBool, x.dims()));
      std::ranges::fill(mask->span<bool>(), true);
    }
    return {};
  }
};

template <typename Made, size_t inputs>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_CHECK(operators::checkFirstInputs(info.node(), inputs));
  return std::make_unique<Made>();
}

Result<std::unique_ptr<Kernel>> createSwiGlu(const KernelInfo& info) {
  return std::make_unique<SwiGlu>(static_cast<double>(info.attribute<float>("alpha", 1.0f)));
}

constexpr TypeRule kReal[] = {{0, kRealList}};
constexpr InplaceHint kFirst[] = {{.input = 0, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr InplaceHint kFirstOrSecond[] = {{.input = 0, .output = 0}, {.input = 1, .output = 0}},
                      kFirstOrThird[] = {{.input = 0, .output = 0}, {.input = 2, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "SwiGLU",
     .versions = {28},
     .types = kReal,
     .inplace = kFirstOrSecond,
     .fastPath = "highway",
     .create = createSwiGlu},
    {.opType = "BiasAdd",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kFirstOrThird,
     .fastPath = "threads",
     .create = create<BiasAdd, 3>},
    {.opType = "BiasSplitGelu",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .fastPath = "highway",
     .create = create<BiasSplitGelu, 2>},
    {.opType = "GatedAdd",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kFirstOrSecond,
     .fastPath = "threads",
     .create = create<GatedAdd, 3>},
    {.opType = "BiasDropout",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kReal,
     .inplace = kFirstOrThird,
     .fastPath = "threads",
     .create = create<BiasDropout, 2>},
};

}  // namespace

KernelRows kernel_bias_and_gate() {
  return kRows;
}

}  // namespace cutaway::cpu
