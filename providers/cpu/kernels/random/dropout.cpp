// Dropout. Without training mode: the input itself and a mask of ones. With it (an input since version 12): elements
// are dropped by the seeded generator and the others scaled up.
//
// Versions 1 and 6 train where a model says is_test = 0 and drop `ratio` of the elements; their schema has that as the
// default too, but exporters forgot the attribute and engines have always run such models as inference, and so does
// this one. Versions 7 and 10 are inference only.

#include <cstring>

#include "engine/operators/bias.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"
#include "providers/cpu/kernels/random/random_source.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr ElementType kTypes[] = {ElementType::kFloat,      ElementType::kDouble,        ElementType::kFloat16,
                                  ElementType::kBfloat16,   ElementType::kFloat8E4M3FN,  ElementType::kFloat8E4M3FNUZ,
                                  ElementType::kFloat8E5M2, ElementType::kFloat8E5M2FNUZ};
constexpr TypeRule kRules[] = {{0, kTypes}};
constexpr int kSettings[] = {1, 2};

// The eight-bit floats, which have no C++ type of their own.
bool isNarrow(ElementType type) {
  return isFloating(type) && bitsOf(type) == 8;
}

Result<double> ratioOf(const Tensor* tensor) {
  if (tensor == nullptr) return 0.5;
  double ratio = 0;
  if (tensor->elementCount() == 1 && isNarrow(tensor->type())) {
    ratio = narrowToFloat(tensor->type(), *static_cast<const uint8_t*>(tensor->data()));
  } else if (tensor->elementCount() != 1 || !dispatchType(FloatTypes{}, tensor->type(), [&]<typename T>(TypeTag<T>) {
               ratio = static_cast<double>(widen(tensor->span<T>()[0]));
             })) {
    return fail(ErrorCode::kInvalidArgument, "Dropout: ratio is not one float");
  }
  if (!(ratio >= 0 && ratio < 1))
    return fail(ErrorCode::kInvalidArgument, "Dropout: ratio is {}, not in [0, 1)", ratio);
  return ratio;
}

class DropoutKernel final : public Kernel {
 public:
  DropoutKernel(const KernelInfo& info, bool trainable, bool boolMask)
      : m_seed(SeedRule::of(info)), m_trainable(trainable), m_boolMask(boolMask) {
    m_trainsAlways = info.node().sinceVersion < 7 && info.attribute<int64_t>("is_test", 1) == 0;
    m_ratio = static_cast<double>(info.attribute<float>("ratio", 0.5f));
  }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    Tensor* mask = nullptr;
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(mask, context.output(1, m_boolMask ? ElementType::kBool : x.type(), x.dims()));
    }
    if (m_trainsAlways) {
      if (!(m_ratio >= 0 && m_ratio < 1))
        return fail(ErrorCode::kInvalidArgument, "Dropout: ratio is {}, not in [0, 1)", m_ratio);
      return drop(context, x, *y, mask, m_ratio);
    }
    const Tensor* training = m_trainable ? context.input(2) : nullptr;
    CUTAWAY_TRY(const bool trains, operators::readTrainingMode("Dropout", training));
    if (trains) {
      CUTAWAY_TRY(const double ratio, ratioOf(context.input(1)));
      return drop(context, x, *y, mask, ratio);
    }
    if (y->data() != x.data() && x.sizeBytes() > 0)
      std::memcpy(y->mutableData(), x.data(), static_cast<size_t>(x.sizeBytes()));
    if (mask != nullptr) fillWithOnes(*mask);
    return {};
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<RandomState>(); }

 private:
  static void fillWithOnes(Tensor& mask) {
    if (mask.type() == ElementType::kBool) {
      std::ranges::fill(mask.span<bool>(), true);
      return;
    }
    if (isNarrow(mask.type())) std::ranges::fill(mask.span<uint8_t>(), floatToNarrow(mask.type(), 1, true));
    dispatchType(FloatTypes{}, mask.type(),
                 [&]<typename T>(TypeTag<T>) { std::ranges::fill(mask.span<T>(), narrow<T>(1)); });
  }

  Result<void> drop(KernelContext& context, const Tensor& x, Tensor& y, Tensor* mask, double ratio) const {
    RandomSource source(m_seed.next(context));
    if (isNarrow(x.type())) {
      const auto from = x.span<uint8_t>();
      const auto to = y.span<uint8_t>();
      for (size_t i = 0; i < from.size(); ++i) {
        const bool kept = ratio == 0 || source.uniform() >= ratio;
        if (mask != nullptr) mask->span<bool>()[i] = kept;
        to[i] = floatToNarrow(x.type(),
                              kept ? static_cast<float>(narrowToFloat(x.type(), from[i]) / (1 - ratio)) : 0.0f, true);
      }
      return {};
    }
    const bool known = dispatchType(FloatTypes{}, x.type(), [&]<typename T>(TypeTag<T>) {
      const auto from = x.span<T>();
      const auto to = y.span<T>();
      const double scale = 1 / (1 - ratio);
      for (size_t i = 0; i < from.size(); ++i) {
        const bool kept = ratio == 0 || source.uniform() >= ratio;
        if (mask != nullptr && m_boolMask) mask->span<bool>()[i] = kept;
        if (mask != nullptr && !m_boolMask) mask->span<T>()[i] = narrow<T>(kept ? 1 : 0);
        to[i] = kept ? narrow<T>(static_cast<Computed<T>>(static_cast<double>(widen(from[i])) * scale)) : narrow<T>(0);
      }
    });
    if (!known)
      return fail(ErrorCode::kNotImplemented, "Dropout in training mode of {} is not covered",
                  elementTypeName(x.type()));
    return {};
  }

  SeedRule m_seed;
  bool m_trainable;
  bool m_boolMask;
  bool m_trainsAlways = false;
  double m_ratio = 0.5;
};

template <bool trainable, bool boolMask>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<DropoutKernel>(info, trainable, boolMask);
}

}  // namespace

KernelRows kernel_dropout() {
  static constexpr KernelRow rows[] = {
      {.opType = "Dropout",
       .versions = {1, 9},
       .types = kRules,
       .inplace = kFirstInPlace,
       .create = create<false, false>},
      {.opType = "Dropout",
       .versions = {10, 11},
       .types = kRules,
       .inplace = kFirstInPlace,
       .create = create<false, true>},
      {.opType = "Dropout",
       .versions = {12},
       .types = kRules,
       .inplace = kFirstInPlace,
       .hostInputs = kSettings,
       .create = create<true, true>},
  };
  return rows;
}

}  // namespace cutaway::cpu
