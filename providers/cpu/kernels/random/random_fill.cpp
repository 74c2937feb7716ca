// RandomUniform, RandomNormal, and the same shaped like an input.

#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/random/random_source.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr int kFirst[] = {0};

class RandomFillKernel final : public Kernel {
 public:
  RandomFillKernel(const KernelInfo& info, ElementType type, bool normal, bool like)
      : m_seed(SeedRule::of(info)),
        m_type(type),
        m_normal(normal),
        m_like(like),
        m_shape(info.attribute<std::vector<int64_t>>("shape", {})) {
    m_low = info.attribute(normal ? "mean" : "low", 0.0f);
    m_range = normal ? info.attribute("scale", 1.0f) : static_cast<double>(info.attribute("high", 1.0f)) - m_low;
  }

  Result<void> run(KernelContext& context) const override {
    const Dims dims = m_like ? context.input(0)->dims() : Dims(m_shape);
    CUTAWAY_TRY(Tensor * y, context.output(0, m_type, dims));
    RandomSource source(m_seed.next(context));
    dispatchType(FloatTypes{}, m_type, [&]<typename T>(TypeTag<T>) {
      for (T& element : y->span<T>())
        element =
            narrow<T>(static_cast<Computed<T>>(m_low + m_range * (m_normal ? source.normal() : source.uniform())));
    });
    return {};
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<RandomState>(); }

 private:
  SeedRule m_seed;
  ElementType m_type;
  bool m_normal;
  bool m_like;
  std::vector<int64_t> m_shape;
  double m_low = 0;
  double m_range = 1;
};

template <bool normal, bool like>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const ElementType standard = like ? info.inputElement(0) : ElementType::kFloat;
  const auto type = static_cast<ElementType>(info.attribute<int64_t>("dtype", static_cast<int64_t>(standard)));
  if (!dispatchType(FloatTypes{}, type, [](auto) {}))
    return fail(ErrorCode::kNotImplemented, "{}: random numbers of {} are not covered", info.node().opType,
                elementTypeName(type));
  for (const int64_t dim : info.attribute<std::vector<int64_t>>("shape", {})) {
    if (dim < 0) return fail(ErrorCode::kInvalidArgument, "{}: a dimension of shape is {}", info.node().opType, dim);
  }
  return std::make_unique<RandomFillKernel>(info, type, normal, like);
}

}  // namespace

KernelRows kernel_random_fill() {
  static constexpr KernelRow rows[] = {
      {.opType = "RandomNormal", .versions = {1}, .create = create<true, false>},
      {.opType = "RandomUniform", .versions = {1}, .create = create<false, false>},
      {.opType = "RandomNormalLike", .versions = {1}, .shapeOnlyInputs = kFirst, .create = create<true, true>},
      {.opType = "RandomUniformLike", .versions = {1}, .shapeOnlyInputs = kFirst, .create = create<false, true>},
  };
  return rows;
}

}  // namespace cutaway::cpu
