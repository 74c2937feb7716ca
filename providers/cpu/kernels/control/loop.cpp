// Loop: the body runs while the condition holds and the trip count lasts.
//
// Body inputs: iteration number, condition, carried values. Body outputs: condition, carried values, slices. Carried
// values go from one run to the next; slices are collected.

#include "providers/cpu/kernels/control/body_call.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

struct LoopState final : KernelState {
  std::vector<CarriedValue> carried;
  std::vector<SliceCollector> slices;
  std::vector<RuntimeValue> inputs;
  std::vector<RuntimeValue> outputs;
};

class LoopKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    const Graph* body = nullptr;
    forEachBody(info.node(), [&](const std::string&, const Graph& each) { body = &each; });
    if (body == nullptr) return fail(ErrorCode::kInvalidGraph, "Loop has no body");
    const size_t carried = info.inputCount() > 2 ? info.inputCount() - 2 : 0;
    if (body->inputs().size() != carried + 2 || body->outputs().size() < carried + 1) {
      return fail(ErrorCode::kInvalidGraph, "a Loop of {} carried values has a body with {} inputs and {} outputs",
                  carried, body->inputs().size(), body->outputs().size());
    }
    const auto rankOf = [&](size_t slot) {
      const std::optional<Shape>& shape = body->value(body->inputs()[slot]).type.shape;
      return shape && shape->rank() == 1 ? size_t{1} : size_t{0};
    };
    return std::unique_ptr<Kernel>(
        std::make_unique<LoopKernel>(carried, body->outputs().size() - carried - 1, rankOf(0), rankOf(1)));
  }
  LoopKernel(size_t carried, size_t slices, size_t countRank, size_t conditionRank)
      : m_carried(carried), m_slices(slices), m_countRank(countRank), m_conditionRank(conditionRank) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<LoopState>(); }

  Result<void> run(KernelContext& context) const override {
    LoopState local;
    LoopState* kept = static_cast<LoopState*>(context.state());
    LoopState& state = kept == nullptr ? local : *kept;
    prepare(context, state);
    Result<void> done = iterate(context, state);
    if (done) done = giveOutputs(context, state);
    for (CarriedValue& value : state.carried)
      value.drop();
    for (RuntimeValue& value : state.inputs)
      value.reset();
    for (RuntimeValue& value : state.outputs)
      value.reset();
    return done;
  }

 private:
  void prepare(const KernelContext& context, LoopState& state) const {
    state.carried.resize(m_carried);
    state.slices.resize(m_slices);
    state.inputs.resize(m_carried + 2);
    for (size_t i = 0; i < m_carried; ++i) {
      const RuntimeValue* initial = context.inputValue(i + 2);
      if (initial != nullptr) state.carried[i].borrow(*initial);
    }
    for (SliceCollector& collector : state.slices)
      collector.begin();
  }

  Result<void> iterate(KernelContext& context, LoopState& state) const {
    int64_t trips = std::numeric_limits<int64_t>::max();
    if (const Tensor* given = optionalTensor(context, 0)) {
      CUTAWAY_TRY(trips, readInteger(*given));
    }
    bool goOn = true;
    const RuntimeValue* condition = context.inputCount() > 1 ? context.inputValue(1) : nullptr;
    if (condition != nullptr) {
      CUTAWAY_TRY(goOn, readCondition(*condition));
    }
    for (int64_t trip = 0; goOn && trip < trips; ++trip) {
      if (context.cancelled()) return fail(cancelledError());
      int64_t number = trip;
      const int64_t one = 1;
      state.inputs[0].asTensor().rebind(ElementType::kInt64, {&one, m_countRank}, &number);
      state.inputs[1].asTensor().rebind(ElementType::kBool, {&one, m_conditionRank}, &goOn);
      for (size_t i = 0; i < m_carried; ++i)
        state.inputs[i + 2] = state.carried[i].value();
      CUTAWAY_CHECK(context.bodies().run(0, state.inputs, state.outputs));
      CUTAWAY_CHECK(takeOutputs(state));
      CUTAWAY_TRY(goOn, readCondition(state.outputs[0]));
    }
    return {};
  }

  Result<void> takeOutputs(LoopState& state) const {
    if (state.outputs.size() != 1 + m_carried + m_slices)
      return fail(ErrorCode::kInvalidGraph, "the body gives {} outputs instead of {}", state.outputs.size(),
                  1 + m_carried + m_slices);
    for (size_t i = 0; i < m_carried; ++i)
      CUTAWAY_CHECK(state.carried[i].take(state.outputs[1 + i]));
    for (size_t i = 0; i < m_slices; ++i) {
      const RuntimeValue& slice = state.outputs[1 + m_carried + i];
      if (!slice.isTensor()) return fail(ErrorCode::kFail, "scan output {} of the body is no tensor", i);
      CUTAWAY_CHECK(state.slices[i].append(slice.tensor()));
    }
    return {};
  }

  Result<void> giveOutputs(KernelContext& context, const LoopState& state) const {
    for (size_t i = 0; i < m_carried && i < context.outputCount(); ++i)
      CUTAWAY_CHECK(giveValue(context, i, state.carried[i].value()));
    for (size_t i = 0; i < m_slices; ++i) {
      const size_t slot = m_carried + i;
      if (!context.hasOutput(slot)) continue;
      if (state.slices[i].count() > 0) {
        CUTAWAY_CHECK(state.slices[i].give(context, slot));
        continue;
      }
      const ValueType& type = context.bodies().outputType(0, 1 + slot);
      const Dims slice = declaredDims(type);
      Dims dims = filledList(slice.size() + 1, 0);
      for (size_t axis = 0; axis < slice.size(); ++axis)
        dims[axis + 1] = slice[axis];
      CUTAWAY_CHECK(type.element == ElementType::kUndefined
                        ? context.output(slot, dims).map([](Tensor*) {})
                        : context.output(slot, type.element, dims).map([](Tensor*) {}));
    }
    return {};
  }

  size_t m_carried;
  size_t m_slices;
  size_t m_countRank;
  size_t m_conditionRank;
};

constexpr int kControlOnHost[] = {0, 1};
constexpr KernelRow kRows[] = {
    {.opType = "Loop", .versions = {1}, .hostInputs = kControlOnHost, .create = LoopKernel::create},
};

}  // namespace

KernelRows kernel_loop() {
  return kRows;
}

}  // namespace cutaway::cpu
