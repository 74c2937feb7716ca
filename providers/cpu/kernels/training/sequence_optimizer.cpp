// AdamWOptimizer and SGDOptimizerV2 over sequences of variables, and InPlaceAccumulatorV2, of com.microsoft.
//
// The reference writes into the sequences and buffers it is given. Values that come in never change here: the new ones
// are the outputs, and one that a model leaves out is lost. AdamW, mode 0 (Loshchilov and Hutter, as
// torch.optim.AdamW): w -= lr decay w; w -= lr / (1 - alpha^t) m / (sqrt(v / (1 - beta^t)) + epsilon). Mode 1 (as
// transformers.AdamW): w -= lr sqrt(1 - beta^t) / (1 - alpha^t) m / (sqrt(v) + epsilon); w -= lr decay w. Without bias
// correction, the powers are left out.

#include <cmath>
#include <cstring>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/sequence/sequence_slot.h"
#include "providers/cpu/kernels/training/same_shape.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

using namespace cpu;

constexpr int64_t kGrain = 16384;

// One element of the type and kind asked for, or INVALID_ARGUMENT.
template <typename T>
Result<T> scalarInput(KernelContext& context, std::string_view opType, size_t slot) {
  const Tensor* found = context.input(slot);
  if (found == nullptr || found->type() != ElementTypeOf<T>::value || found->elementCount() != 1)
    return fail(ErrorCode::kInvalidArgument, "{}: input {} is not one {}", opType, slot,
                elementTypeName(ElementTypeOf<T>::value));
  T value{};
  std::memcpy(&value, found->data(), sizeof value);
  return value;
}

// Without a signal the step is taken.
Result<bool> isSignalled(KernelContext& context, std::string_view opType, size_t slot) {
  if (context.input(slot) == nullptr) return true;
  return scalarInput<bool>(context, opType, slot);
}

Result<const float*> itemLike(const SequenceValue& sequence, size_t index, const Tensor& like,
                              std::string_view opType) {
  const RuntimeValue& item = sequence.items[index];
  if (!item.isTensor() || item.tensor().type() != ElementType::kFloat ||
      !std::ranges::equal(item.tensor().dims(), like.dims()))
    return fail(ErrorCode::kInvalidArgument, "{}: the sequences differ at variable {}", opType, index);
  return item.tensor().span<float>().data();
}

Result<const SequenceValue*> variables(KernelContext& context, size_t slot, std::string_view opType) {
  CUTAWAY_TRY(const SequenceValue* sequence, requireSequence(context, slot));
  for (const RuntimeValue& item : sequence->items) {
    if (!item.isTensor() || item.tensor().type() != ElementType::kFloat)
      return fail(ErrorCode::kInvalidArgument, "{}: a variable is not a float tensor", opType);
  }
  return sequence;
}

Result<void> writeFlag(KernelContext& context, std::span<const int64_t> dims, bool value) {
  CUTAWAY_TRY(Tensor * flag, context.output(0, dims));
  std::ranges::fill(flag->span<bool>(), value);
  return {};
}

void putSequence(KernelContext& context, size_t slot, SequenceValue sequence) {
  if (slot >= context.outputCount() || !context.hasOutput(slot)) return;
  if (RuntimeValue* output = context.outputValue(slot)) *output = std::move(sequence);
}

class AdamW final : public Kernel {
 public:
  explicit AdamW(const KernelInfo& info)
      : m_alpha(info.attribute<float>("alpha", 0.9f)),
        m_beta(info.attribute<float>("beta", 0.999f)),
        m_epsilon(info.attribute<float>("epsilon", 1e-8f)),
        m_decay(info.attribute<float>("weight_decay", 1e-2f)),
        m_decayLast(info.attribute<int64_t>("adam_mode", 0) == 1),
        m_correctBias(info.attribute<int64_t>("correct_bias", 1) == 1) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    std::array<const SequenceValue*, 4> given{};
    for (size_t i = 0; i < given.size(); ++i) {
      CUTAWAY_TRY(given[i], variables(context, 2 + i, kName));
      if (given[i]->items.size() != given[0]->items.size())
        return fail(ErrorCode::kInvalidArgument, "{}: {} weights, but sequence {} has {} tensors", kName,
                    given[0]->items.size(), 2 + i, given[i]->items.size());
    }
    CUTAWAY_TRY(const float rate, scalarInput<float>(context, kName, 0));
    CUTAWAY_TRY(const int64_t count, scalarInput<int64_t>(context, kName, 1));
    CUTAWAY_TRY(const bool update, isSignalled(context, kName, 6));
    CUTAWAY_CHECK(writeFlag(context, context.input(1)->dims(), update));
    if (!update) {
      putSequence(context, 1, *given[0]);
      putSequence(context, 2, *given[2]);
      putSequence(context, 3, *given[3]);
      return {};
    }
    return step(context, given, rate, count);
  }

 private:
  static constexpr std::string_view kName = "AdamWOptimizer";

  struct Factors {
    float rate, shrink, denominator;  // of the step, of the decay, of the root of the second moment
  };

  Factors factorsOf(float rate, int64_t count) const {
    const double first = m_correctBias ? 1 - std::pow(static_cast<double>(m_alpha), static_cast<double>(count)) : 1;
    const double second = m_correctBias ? 1 - std::pow(static_cast<double>(m_beta), static_cast<double>(count)) : 1;
    const double lr = static_cast<double>(rate);
    const float shrink = static_cast<float>(1 - lr * static_cast<double>(m_decay));
    if (m_decayLast) return {static_cast<float>(lr * std::sqrt(second) / first), shrink, 1.0f};
    return {static_cast<float>(lr / first), shrink, static_cast<float>(1 / std::sqrt(second))};
  }

  Result<void> step(KernelContext& context, const std::array<const SequenceValue*, 4>& given, float rate,
                    int64_t count) const {
    const Factors factors = factorsOf(rate, count);
    const ValueType type = ValueType::tensor(ElementType::kFloat, std::nullopt);
    std::array<SequenceValue, 3> made{SequenceValue{type, {}}, SequenceValue{type, {}}, SequenceValue{type, {}}};
    for (size_t i = 0; i < given[0]->items.size(); ++i) {
      const Tensor& weight = given[0]->items[i].tensor();
      CUTAWAY_TRY(const float* g, itemLike(*given[1], i, weight, kName));
      CUTAWAY_TRY(const float* m, itemLike(*given[2], i, weight, kName));
      CUTAWAY_TRY(const float* v, itemLike(*given[3], i, weight, kName));
      std::array<float*, 3> to{};
      for (size_t k = 0; k < made.size(); ++k) {
        CUTAWAY_TRY(Tensor fresh, Tensor::create(ElementType::kFloat, weight.dims()));
        to[k] = fresh.span<float>().data();
        made[k].items.emplace_back(std::move(fresh));
      }
      const float* w = weight.span<float>().data();
      parallelFor(weight.elementCount(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; ++at) {
          const float first = m_alpha * m[at] + (1 - m_alpha) * g[at],
                      second = m_beta * v[at] + (1 - m_beta) * g[at] * g[at];
          const float move = factors.rate * first / (std::sqrt(second) * factors.denominator + m_epsilon);
          to[0][at] = m_decayLast ? (w[at] - move) * factors.shrink : w[at] * factors.shrink - move;
          to[1][at] = first;
          to[2][at] = second;
        }
      });
    }
    for (size_t k = 0; k < made.size(); ++k)
      putSequence(context, 1 + k, std::move(made[k]));
    return {};
  }

  float m_alpha, m_beta, m_epsilon, m_decay;
  bool m_decayLast, m_correctBias;
};

class Sgd final : public Kernel {
 public:
  explicit Sgd(const KernelInfo&) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* weights, variables(context, 1, kName));
    CUTAWAY_TRY(const SequenceValue* gradients, variables(context, 2, kName));
    if (weights->items.size() != gradients->items.size())
      return fail(ErrorCode::kInvalidArgument, "{}: {} weights and {} gradients", kName, weights->items.size(),
                  gradients->items.size());
    CUTAWAY_TRY(const float rate, scalarInput<float>(context, kName, 0));
    CUTAWAY_TRY(const bool update, isSignalled(context, kName, 3));
    CUTAWAY_CHECK(writeFlag(context, context.input(0)->dims(), update));
    SequenceValue made{ValueType::tensor(ElementType::kFloat, std::nullopt), {}};
    for (size_t i = 0; i < weights->items.size() && update; ++i) {
      const Tensor& weight = weights->items[i].tensor();
      CUTAWAY_TRY(const float* g, itemLike(*gradients, i, weight, kName));
      CUTAWAY_TRY(Tensor fresh, Tensor::create(ElementType::kFloat, weight.dims()));
      const float* w = weight.span<float>().data();
      float* to = fresh.span<float>().data();
      parallelFor(weight.elementCount(), kGrain, [&](int64_t begin, int64_t end) {
        for (int64_t at = begin; at < end; ++at)
          to[at] = w[at] - rate * g[at];
      });
      made.items.emplace_back(std::move(fresh));
    }
    putSequence(context, 1, update ? std::move(made) : *weights);
    return {};
  }

 private:
  static constexpr std::string_view kName = "SGDOptimizerV2";
};

// buffer_out = overwrite_flag ? value : buffer + value
class Accumulator final : public Kernel {
 public:
  explicit Accumulator(const KernelInfo&) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor *buffer = context.input(0), *value = context.input(1);
    if (buffer == nullptr || value == nullptr || !std::ranges::equal(buffer->dims(), value->dims()))
      return fail(ErrorCode::kInvalidArgument, "{}: buffer and value differ in shape", kName);
    CUTAWAY_TRY(const bool overwrite, scalarInput<bool>(context, kName, 2));
    const int64_t one[] = {1};
    CUTAWAY_CHECK(writeFlag(context, one, true));
    if (context.outputCount() < 2 || !context.hasOutput(1)) return {};
    CUTAWAY_TRY(Tensor * made, context.output(1, buffer->dims()));
    const bool known = dispatchType(FloatTypes{}, buffer->type(), [&]<typename T>(TypeTag<T>) {
      dispatchType(FloatTypes{}, value->type(), [&]<typename V>(TypeTag<V>) {
        const T* old = buffer->span<T>().data();
        const V* from = value->span<V>().data();
        T* to = made->span<T>().data();
        parallelFor(buffer->elementCount(), kGrain, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const auto added = static_cast<Computed<T>>(widen(from[i]));
            to[i] = narrow<T>(overwrite ? added : widen(old[i]) + added);
          }
        });
      });
    });
    if (!known)
      return fail(ErrorCode::kInvalidArgument, "{}: the buffer is {}", kName, elementTypeName(buffer->type()));
    return {};
  }

 private:
  static constexpr std::string_view kName = "InPlaceAccumulatorV2";
};

template <typename K>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<K>(info);
}

Result<std::unique_ptr<Kernel>> createAdamW(const KernelInfo& info) {
  const int64_t mode = info.attribute<int64_t>("adam_mode", 0);
  if (mode != 0 && mode != 1)
    return fail(ErrorCode::kInvalidArgument, "AdamWOptimizer: adam_mode is {}, not 0 or 1", mode);
  return std::make_unique<AdamW>(info);
}

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kBufferTypes[] = {{0, kFloats}, {1, kFloats}};
constexpr int kAdamHost[] = {0, 1, 6}, kSgdHost[] = {0, 3}, kFlag[] = {2};
constexpr InplaceHint kBuffer[] = {{.input = 0, .output = 1, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "AdamWOptimizer",
     .domain = "com.microsoft",
     .types = kFloatInput,
     .hostInputs = kAdamHost,
     .fastPath = "threads",
     .create = createAdamW},
    {.opType = "SGDOptimizerV2",
     .domain = "com.microsoft",
     .types = kFloatInput,
     .hostInputs = kSgdHost,
     .fastPath = "threads",
     .create = create<Sgd>},
    {.opType = "InPlaceAccumulatorV2",
     .domain = "com.microsoft",
     .types = kBufferTypes,
     .inplace = kBuffer,
     .hostInputs = kFlag,
     .fastPath = "threads",
     .create = create<Accumulator>},
};

}  // namespace

KernelRows kernel_sequence_optimizer() {
  return kRows;
}

}  // namespace cutaway::cpu
