// ReduceSum, -Mean, -Max, -Min, -Prod, -L1, -L2, -LogSum, -LogSumExp, -SumSquare.

#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/reduction/reduction_layout.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr ElementType kNumbers[] = {
    ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16, ElementType::kDouble, ElementType::kInt32,
    ElementType::kUint32, ElementType::kInt64,   ElementType::kUint64,   ElementType::kInt8,   ElementType::kUint8};
constexpr ElementType kWithBool[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                     ElementType::kDouble, ElementType::kInt32,   ElementType::kUint32,
                                     ElementType::kInt64,  ElementType::kUint64,  ElementType::kInt8,
                                     ElementType::kUint8,  ElementType::kBool};
constexpr TypeRule kRules[] = {{0, kNumbers}}, kExtremeRules[] = {{0, kWithBool}}, kFloatRules[] = {{0, kFloats}};
constexpr int kAxesInput[] = {1};

// An operator as a map, a fold and a last step.
struct Kind {
  std::string_view family;  // of functors, for floats; whole numbers take "any"
  ReduceFold fold = ReduceFold::kSum;
  ReduceMap map = ReduceMap::kIdentity;
  ReduceLast last = ReduceLast::kNone;
};

struct Named {
  std::string_view name;
  Kind kind;
};
constexpr Named kKinds[] = {
    {"ReduceSum", {"sum"}},
    {"ReduceMean", {.family = "sum", .last = ReduceLast::kMean}},
    {"ReduceMax", {"extreme", ReduceFold::kMaximum}},
    {"ReduceMin", {"extreme", ReduceFold::kMinimum}},
    {"ReduceProd", {"any", ReduceFold::kProduct}},
    {"ReduceL1", {.family = "sum", .map = ReduceMap::kSize}},
    {"ReduceL2", {.family = "sum", .map = ReduceMap::kSquare, .last = ReduceLast::kRoot}},
    {"ReduceLogSum", {.family = "sum", .last = ReduceLast::kLogarithm}},
    {"ReduceLogSumExp", {"logsumexp"}},
    {"ReduceSumSquare", {.family = "sum", .map = ReduceMap::kSquare}},
};

class ReduceKernel final : public GpuKernel {
 public:
  ReduceKernel(const Kind& kind, const KernelInfo& info, bool axesFromInput)
      : m_kind(kind), m_settings(operators::readReduction(info.node())), m_axesFromInput(axesFromInput) {
    const bool floats = isFloating(info.inputElement(0));
    m_functor = fmt::format("reduce.{}.{}", floats ? kind.family : "any", functorType(info.inputElement(0)));
  }

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_TRY(const operators::AxisSet axes,
                operators::reducedAxes(m_settings, m_axesFromInput && call.inputCount() > 1 ? call.input(1) : nullptr,
                                       x.rank()));
    CUTAWAY_TRY(const ReductionLayout layout, ReductionLayout::make(x.dims(), axes, m_settings.keepDims));
    CUTAWAY_TRY(Tensor * y, call.output(0, layout.outputDims));
    if (layout.outputs == 0) return {};
    ReduceParameters p = layout.parameters(x.data(), bitsOf(x.type()) / 8);
    p.y = y->mutableData();
    p.map = m_kind.map, p.fold = m_kind.fold, p.last = m_kind.last;
    if (p.segments > 1) {
      CUTAWAY_TRY(p.partial, call.scratch(static_cast<size_t>(p.segments * p.outputs) * 16));
    }
    return call.launch(m_kernel, p);
  }

  std::string_view variant() const override { return m_functor; }

 private:
  Kind m_kind;
  operators::ReductionSettings m_settings;
  bool m_axesFromInput;
  std::string m_functor;
  DeviceKernel m_kernel;
};

template <bool axesFromInput>
Result<std::unique_ptr<GpuKernel>> makeReduce(const KernelInfo& info) {
  for (const Named& each : kKinds) {
    if (each.name == info.node().opType) return std::make_unique<ReduceKernel>(each.kind, info, axesFromInput);
  }
  return fail(ErrorCode::kEngineError, "{} is no reduction", info.node().opType);
}

constexpr std::span<const TypeRule> rulesOf(std::string_view name) {
  if (name == "ReduceLogSumExp") return kFloatRules;
  return name == "ReduceMax" || name == "ReduceMin" ? std::span<const TypeRule>(kExtremeRules)
                                                    : std::span<const TypeRule>(kRules);
}

constexpr KernelRow fromAttribute(std::string_view name) {
  return {.opType = name,
          .versions = {1, name == "ReduceSum" ? 12 : 17},
          .types = rulesOf(name),
          .fastPath = "cuda",
          .create = gpuKernel<makeReduce<false>>};
}

constexpr KernelRow fromInput(std::string_view name) {
  return {.opType = name,
          .versions = {name == "ReduceSum" ? 13 : 18},
          .types = rulesOf(name),
          .hostInputs = kAxesInput,
          .fastPath = "cuda",
          .create = gpuKernel<makeReduce<true>>};
}

}  // namespace

KernelRows kernel_reduce() {
  static const std::vector<KernelRow> rows = [] {
    std::vector<KernelRow> made;
    for (const Named& each : kKinds) {
      made.push_back(fromAttribute(each.name));
      made.push_back(fromInput(each.name));
    }
    return made;
  }();
  return rows;
}

}  // namespace cutaway::cuda
