#include "providers/cpu/kernels/recurrent/recurrent_inputs.h"

#include "engine/base/checked_math.h"

namespace cutaway {
namespace {

Result<void> checkLengths(const RecurrentSettings& settings, const Tensor& lengths, const RecurrentShape& shape) {
  if (lengths.type() != ElementType::kInt32 || lengths.rank() != 1 || lengths.dims()[0] != shape.batch) {
    return fail(ErrorCode::kInvalidArgument, "{}: sequence_lens is {} {}, but must be int32 [{}]", settings.opType,
                elementTypeName(lengths.type()), dimsToText(lengths.dims()), shape.batch);
  }
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

Result<void> checkRecurrentTensor(const RecurrentSettings& settings, const Tensor& tensor, ElementType type,
                                  std::string_view name, std::string_view meaning, std::span<const int64_t> wanted) {
  if (tensor.type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: {} holds {}, but must hold {}", settings.opType, name,
                elementTypeName(tensor.type()), elementTypeName(type));
  if (!std::ranges::equal(tensor.dims(), wanted)) {
    return fail(ErrorCode::kInvalidArgument, "{}: {} is {}, but must be {} [{}]", settings.opType, name,
                dimsToText(tensor.dims()), dimsToText(wanted), meaning);
  }
  return {};
}

Result<void> checkRecurrentWeights(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                   ElementType type, RecurrentShape& shape) {
  const Tensor &w = *weights.w, &r = *weights.r;
  if (w.rank() != 3 || r.rank() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: W is {} and R {}, but both need three axes", settings.opType,
                dimsToText(w.dims()), dimsToText(r.dims()));
  shape.directions = settings.directions;
  shape.input = w.dims()[2];
  shape.hidden = r.dims()[2];
  if (settings.hiddenSize >= 0 && settings.hiddenSize != shape.hidden) {
    return fail(ErrorCode::kInvalidArgument, "{}: hidden_size is {}, but R is {}", settings.opType, settings.hiddenSize,
                dimsToText(r.dims()));
  }
  CUTAWAY_TRY(const int64_t rows, checkedMultiply(settings.gates * 2, shape.hidden));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, w, type, "W", "directions, gates x hidden, input",
                                     std::array{shape.directions, rows / 2, shape.input}));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, r, type, "R", "directions, gates x hidden, hidden",
                                     std::array{shape.directions, rows / 2, shape.hidden}));
  return checkRecurrentBiases(settings, weights, type, shape);
}

Result<void> checkRecurrentBiases(const RecurrentSettings& settings, const RecurrentWeightTensors& weights,
                                  ElementType type, const RecurrentShape& shape) {
  const int64_t rows = 2 * settings.gates * shape.hidden;
  if (weights.b != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *weights.b, type, "B", "directions, 2 x gates x hidden",
                                       std::array{shape.directions, rows}));
  if (weights.p != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *weights.p, type, "P", "directions, 3 x hidden",
                                       std::array{shape.directions, 3 * shape.hidden}));
  return {};
}

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
  const Tensor& x = *inputs.x;
  if (x.rank() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: X is {}, but must have three axes", settings.opType,
                dimsToText(x.dims()));
  RecurrentShape& shape = inputs.shape;
  shape.directions = settings.directions;
  shape.batchFirst = settings.batchFirst;
  shape.steps = x.dims()[shape.batchFirst ? 1 : 0];
  shape.batch = x.dims()[shape.batchFirst ? 0 : 1];
  return inputs;
}

Result<void> checkRecurrentSequence(const RecurrentSettings& settings, const KernelContext& context, ElementType type,
                                    RecurrentInputs& inputs) {
  const RecurrentShape& shape = inputs.shape;
  const Tensor& x = *inputs.x;
  if (x.type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: X holds {}, but must hold {}", settings.opType,
                elementTypeName(x.type()), elementTypeName(type));
  if (x.dims()[2] + inputs.feedback != shape.input) {
    return fail(ErrorCode::kInvalidArgument, "{}: X is {}, but W takes {} numbers a step", settings.opType,
                dimsToText(x.dims()), shape.input - inputs.feedback);
  }
  if (const Tensor* lengths = optionalInput(context, 4)) {
    CUTAWAY_CHECK(checkLengths(settings, *lengths, shape));
    inputs.lengths = lengths->span<int32_t>().data();
  }
  const std::string_view meaning = shape.batchFirst ? "batch, directions, hidden" : "directions, batch, hidden";
  const std::array state = shape.batchFirst ? std::array{shape.batch, shape.directions, shape.hidden}
                                            : std::array{shape.directions, shape.batch, shape.hidden};
  if (inputs.initialHidden != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.initialHidden, type, "initial_h", meaning, state));
  if (inputs.initialCell != nullptr)
    CUTAWAY_CHECK(checkRecurrentTensor(settings, *inputs.initialCell, type, "initial_c", meaning, state));
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
    const std::array timeFirst{shape.steps, shape.directions, shape.batch, shape.hidden},
        itemFirst{shape.batch, shape.steps, shape.directions, shape.hidden};
    CUTAWAY_TRY(outputs.y, context.output(0, shape.batchFirst ? itemFirst : timeFirst));
  }
  const std::array state = shape.batchFirst ? std::array{shape.batch, shape.directions, shape.hidden}
                                            : std::array{shape.directions, shape.batch, shape.hidden};
  if (wanted(1)) {
    CUTAWAY_TRY(outputs.hidden, context.output(1, state));
  }
  if (settings.kind == RecurrentKind::kLstm && wanted(2)) {
    CUTAWAY_TRY(outputs.cell, context.output(2, state));
  }
  return outputs;
}

}  // namespace cutaway
