// Adagrad, Adam and Momentum of ai.onnx.preview.training: one step for any number of variables.
//
// The inputs after R and T lie in blocks: all variables, then all gradients, then all states of one kind after the
// other. The outputs lie the same way, without gradients. Formulas: the operators' text in the ONNX standard. The
// factors of a step are computed in double, the elements in their own type.

#include <array>
#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

constexpr int64_t kGrain = 16384;

// The loops below vectorise: nothing overlaps (ivdep), and square roots set no errno (CMakeLists.txt).

// What the scalars R and T say.
struct Step {
  double rate = 0;
  int64_t count = 0;
};

// One variable's memory: x, g and the states come in; the new x and the new states go out.
template <typename T>
struct Variable {
  const T* x = nullptr;
  const T* g = nullptr;
  std::array<const T*, 2> states{};
  T* newX = nullptr;
  std::array<T*, 2> newStates{};
};

struct Adagrad {
  static constexpr std::string_view kName = "Adagrad";
  static constexpr size_t kStates = 1;
  float normCoefficient, decayFactor, epsilon;

  static Result<Adagrad> of(const KernelInfo& info) {
    return Adagrad{info.attribute<float>("norm_coefficient", 0.0f), info.attribute<float>("decay_factor", 0.0f),
                   info.attribute<float>("epsilon", 1e-6f)};
  }
  template <typename T>
  void apply(const Step& step, const Variable<T>& v, int64_t begin, int64_t end) const {
    const T rate =
        static_cast<T>(step.rate / (1.0 + static_cast<double>(step.count) * static_cast<double>(decayFactor)));
    const T norm = static_cast<T>(normCoefficient), tiny = static_cast<T>(epsilon);
#pragma GCC ivdep
    for (int64_t i = begin; i < end; ++i) {
      const T gradient = norm * v.x[i] + v.g[i];
      const T squares = v.states[0][i] + gradient * gradient;
      v.newX[i] = v.x[i] - rate * gradient / (std::sqrt(squares) + tiny);
      v.newStates[0][i] = squares;
    }
  }
};

struct Adam {
  static constexpr std::string_view kName = "Adam";
  static constexpr size_t kStates = 2;
  float normCoefficient, normCoefficientPost, epsilon, alpha, beta;

  static Result<Adam> of(const KernelInfo& info) {
    return Adam{info.attribute<float>("norm_coefficient", 0.0f), info.attribute<float>("norm_coefficient_post", 0.0f),
                info.attribute<float>("epsilon", 1e-6f), info.attribute<float>("alpha", 0.9f),
                info.attribute<float>("beta", 0.999f)};
  }
  template <typename T>
  void apply(const Step& step, const Variable<T>& v, int64_t begin, int64_t end) const {
    const double power = static_cast<double>(step.count);
    const double adjusted = step.count > 0 ? step.rate * std::sqrt(1 - std::pow(static_cast<double>(beta), power)) /
                                                 (1 - std::pow(static_cast<double>(alpha), power))
                                           : step.rate;
    const T rate = static_cast<T>(adjusted), norm = static_cast<T>(normCoefficient), tiny = static_cast<T>(epsilon);
    const T keepFirst = static_cast<T>(alpha), keepSecond = static_cast<T>(beta);
    const T addFirst = static_cast<T>(1 - static_cast<double>(alpha)),
            addSecond = static_cast<T>(1 - static_cast<double>(beta));
    const T after = static_cast<T>(1 - static_cast<double>(normCoefficientPost));
#pragma GCC ivdep
    for (int64_t i = begin; i < end; ++i) {
      const T gradient = norm * v.x[i] + v.g[i];
      const T first = keepFirst * v.states[0][i] + addFirst * gradient;
      const T second = keepSecond * v.states[1][i] + addSecond * gradient * gradient;
      v.newX[i] = after * (v.x[i] - rate * first / (std::sqrt(second) + tiny));
      v.newStates[0][i] = first;
      v.newStates[1][i] = second;
    }
  }
};

struct Momentum {
  static constexpr std::string_view kName = "Momentum";
  static constexpr size_t kStates = 1;
  float normCoefficient, alpha, beta;
  bool nesterov;

  static Result<Momentum> of(const KernelInfo& info) {
    for (const std::string_view required : {"norm_coefficient", "alpha", "beta", "mode"}) {
      if (info.node().findAttribute(required) == nullptr)
        return fail(ErrorCode::kInvalidArgument, "Momentum: attribute {} is missing", required);
    }
    const std::string mode = info.attribute<std::string>("mode", "");
    if (mode != "standard" && mode != "nesterov")
      return fail(ErrorCode::kInvalidArgument, "Momentum: mode is '{}', not 'standard' or 'nesterov'", mode);
    return Momentum{info.attribute<float>("norm_coefficient", 0.0f), info.attribute<float>("alpha", 0.0f),
                    info.attribute<float>("beta", 0.0f), mode == "nesterov"};
  }
  template <typename T>
  void apply(const Step& step, const Variable<T>& v, int64_t begin, int64_t end) const {
    const T rate = static_cast<T>(step.rate), norm = static_cast<T>(normCoefficient), keep = static_cast<T>(alpha);
    const T add = step.count > 0 ? static_cast<T>(beta) : T(1);
#pragma GCC ivdep
    for (int64_t i = begin; i < end; ++i) {
      const T gradient = norm * v.x[i] + v.g[i];
      const T momentum = keep * v.states[0][i] + add * gradient;
      v.newX[i] = v.x[i] - rate * (nesterov ? gradient + keep * momentum : momentum);
      v.newStates[0][i] = momentum;
    }
  }
};

template <typename Rule>
class OptimizerStep final : public Kernel {
 public:
  OptimizerStep(Rule rule, size_t variables) : m_rule(rule), m_variables(variables) {}

  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Step step, stepOf(context));
    for (size_t i = 0; i < m_variables; ++i) {
      const Tensor* x = context.input(2 + i);
      if (x == nullptr) return fail(ErrorCode::kInvalidArgument, "{}: variable {} is missing", Rule::kName, i + 1);
      Result<void> done;
      const bool known = dispatchType(WideFloats{}, x->type(),
                                      [&]<typename T>(TypeTag<T>) { done = update<T>(context, step, i, *x); });
      if (!known)
        return fail(ErrorCode::kInvalidArgument, "{}: variable {} is {}, not float or double", Rule::kName, i + 1,
                    elementTypeName(x->type()));
      CUTAWAY_CHECK(done);
    }
    return {};
  }

 private:
  static Result<Step> stepOf(KernelContext& context) {
    const Tensor *rate = context.input(0), *count = context.input(1);
    if (rate == nullptr || count == nullptr) return fail(ErrorCode::kInvalidArgument, "{} needs R and T", Rule::kName);
    if (rate->elementCount() != 1 || count->elementCount() != 1)
      return fail(ErrorCode::kInvalidArgument, "{}: R is {} and T {}; both must hold one element", Rule::kName,
                  dimsToText(rate->dims()), dimsToText(count->dims()));
    if (count->type() != ElementType::kInt64)
      return fail(ErrorCode::kInvalidArgument, "{}: T is {}, not int64", Rule::kName, elementTypeName(count->type()));
    Step step{.count = count->span<int64_t>()[0]};
    if (!dispatchType(WideFloats{}, rate->type(),
                      [&]<typename T>(TypeTag<T>) { step.rate = static_cast<double>(rate->span<T>()[0]); })) {
      return fail(ErrorCode::kInvalidArgument, "{}: R is {}, not float or double", Rule::kName,
                  elementTypeName(rate->type()));
    }
    return step;
  }

  // The gradient or state of variable i in block `block` (0: gradients), which must be like the variable.
  template <typename T>
  Result<const T*> companion(KernelContext& context, size_t block, size_t i, const Tensor& x) const {
    const Tensor* found = context.input(2 + (1 + block) * m_variables + i);
    if (found == nullptr)
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is missing", Rule::kName,
                  2 + (1 + block) * m_variables + i);
    if (found->type() != x.type() || !std::ranges::equal(found->dims(), x.dims())) {
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is {} {}, the variable it belongs to {} {}", Rule::kName,
                  2 + (1 + block) * m_variables + i, elementTypeName(found->type()), dimsToText(found->dims()),
                  elementTypeName(x.type()), dimsToText(x.dims()));
    }
    return found->span<T>().data();
  }

  template <typename T>
  Result<void> update(KernelContext& context, const Step& step, size_t i, const Tensor& x) const {
    Variable<T> variable{.x = x.span<T>().data()};
    CUTAWAY_TRY(variable.g, companion<T>(context, 0, i, x));
    for (size_t state = 0; state < Rule::kStates; ++state) {
      CUTAWAY_TRY(variable.states[state], companion<T>(context, 1 + state, i, x));
    }
    CUTAWAY_TRY(variable.newX, target<T>(context, 0, i, x));
    for (size_t state = 0; state < Rule::kStates; ++state) {
      CUTAWAY_TRY(variable.newStates[state], target<T>(context, 1 + state, i, x));
    }
    parallelFor(x.elementCount(), kGrain,
                [&](int64_t begin, int64_t end) { m_rule.template apply<T>(step, variable, begin, end); });
    return {};
  }

  template <typename T>
  Result<T*> target(KernelContext& context, size_t block, size_t i, const Tensor& x) const {
    CUTAWAY_TRY(Tensor * made, context.output(block * m_variables + i, x.type(), x.dims()));
    return made->span<T>().data();
  }

  Rule m_rule;
  size_t m_variables;
};

template <typename Rule>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  constexpr size_t kInputsEach = 2 + Rule::kStates, kOutputsEach = 1 + Rule::kStates;
  const size_t given = info.inputCount();
  if (given < 2 + kInputsEach || (given - 2) % kInputsEach != 0)
    return fail(ErrorCode::kInvalidArgument, "{}: {} inputs; R and T and {} for each variable are needed", Rule::kName,
                given, kInputsEach);
  const size_t variables = (given - 2) / kInputsEach;
  if (info.outputCount() != variables * kOutputsEach) {
    return fail(ErrorCode::kInvalidArgument, "{}: {} outputs for {} variables; there must be {}", Rule::kName,
                info.outputCount(), variables, variables * kOutputsEach);
  }
  CUTAWAY_TRY(Rule rule, Rule::of(info));
  return std::make_unique<OptimizerStep<Rule>>(rule, variables);
}

constexpr ElementType kWide[] = {ElementType::kFloat, ElementType::kDouble};
constexpr TypeRule kTypes[] = {{0, kWide}, {2, kWide}};
constexpr int kScalars[] = {0, 1};
constexpr std::string_view kTraining = "ai.onnx.preview.training";

constexpr KernelRow kRows[] = {
    {.opType = "Adagrad",
     .domain = kTraining,
     .types = kTypes,
     .hostInputs = kScalars,
     .fastPath = "threads",
     .create = create<Adagrad>},
    {.opType = "Adam",
     .domain = kTraining,
     .types = kTypes,
     .hostInputs = kScalars,
     .fastPath = "threads",
     .create = create<Adam>},
    {.opType = "Momentum",
     .domain = kTraining,
     .types = kTypes,
     .hostInputs = kScalars,
     .fastPath = "threads",
     .create = create<Momentum>},
};

}  // namespace

KernelRows kernel_optimizer_step() {
  return kRows;
}

}  // namespace cutaway::cpu
