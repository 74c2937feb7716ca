#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

namespace cutaway::cpu {
namespace {

Result<void> checkLengths(const RecurrentSettings& settings, const Tensor& lengths, const RecurrentShape& shape) {
  for (const int32_t length : lengths.span<int32_t>()) {
    if (length < 0 || length > shape.steps)
      return fail(ErrorCode::kInvalidArgument, "{}: sequence_lens has {}, which is outside 0 to {}, the steps of X",
                  settings.opType, length, shape.steps);
  }
  return {};
}

const Tensor* optionalInput(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

}  // namespace

Result<RecurrentInputs> gatherRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context) {
  const bool lstm = settings.kind == RecurrentKind::kLstm;
  RecurrentInputs inputs;
  inputs.x = context.input(0);
  inputs.weights = {.w = context.input(1),
                    .r = context.input(2),
                    .b = optionalInput(context, 3),
                    .p = lstm ? optionalInput(context, 7) : nullptr};
  if (inputs.x == nullptr || inputs.weights.w == nullptr || inputs.weights.r == nullptr)
    return fail(ErrorCode::kInvalidArgument, "{}: X, W and R must be given", settings.opType);
  inputs.initialHidden = optionalInput(context, 5);
  inputs.initialCell = lstm ? optionalInput(context, 6) : nullptr;
  CUTAWAY_TRY(inputs.shape, operators::recurrentSequenceShape(settings, *inputs.x));
  return inputs;
}

Result<void> checkRecurrentSequence(const RecurrentSettings& settings, const KernelContext& context, ElementType type,
                                    RecurrentInputs& inputs) {
  const Tensor* lengths = optionalInput(context, 4);
  CUTAWAY_CHECK(operators::checkRecurrentTensors(
      settings, inputs.shape, type,
      {.x = inputs.x, .lengths = lengths, .initialHidden = inputs.initialHidden, .initialCell = inputs.initialCell},
      inputs.feedback));
  if (lengths == nullptr) return {};
  CUTAWAY_CHECK(checkLengths(settings, *lengths, inputs.shape));
  inputs.lengths = lengths->span<int32_t>().data();
  return {};
}

Result<RecurrentInputs> readRecurrentInputs(const RecurrentSettings& settings, const KernelContext& context,
                                            ElementType type) {
  CUTAWAY_TRY(RecurrentInputs inputs, gatherRecurrentInputs(settings, context));
  CUTAWAY_CHECK(checkRecurrentWeights(settings, inputs.weights, type, inputs.shape));
  CUTAWAY_CHECK(checkRecurrentSequence(settings, context, type, inputs));
  return inputs;
}

Result<RecurrentOutputs> makeRecurrentOutputs(const RecurrentSettings& settings, const RecurrentShape& shape,
                                              KernelContext& context) {
  RecurrentOutputs outputs;
  const auto wanted = [&](size_t slot) { return slot < context.outputCount() && context.hasOutput(slot); };
  if (wanted(0)) {
    CUTAWAY_TRY(outputs.y, context.output(0, shape.outputDims()));
  }
  const std::array state = shape.stateDims();
  if (wanted(1)) {
    CUTAWAY_TRY(outputs.hidden, context.output(1, state));
  }
  if (settings.kind == RecurrentKind::kLstm && wanted(2)) {
    CUTAWAY_TRY(outputs.cell, context.output(2, state));
  }
  return outputs;
}

}  // namespace cutaway::cpu
