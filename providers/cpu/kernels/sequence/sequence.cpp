// SequenceEmpty, SequenceConstruct, SequenceInsert, SequenceErase, SequenceAt, SequenceLength.

#include "providers/cpu/kernels/sequence/sequence_slot.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

Result<void> give(KernelContext& context, SequenceValue sequence) {
  if (RuntimeValue* output = context.outputValue(0)) *output = std::move(sequence);
  return {};
}

// The position input of a slot; `otherwise` when it is absent.
Result<int64_t> positionInput(const KernelContext& context, size_t slot, int64_t otherwise) {
  const Tensor* position = optionalTensor(context, slot);
  return position == nullptr ? Result<int64_t>(otherwise) : readInteger(*position);
}

class SequenceEmptyKernel final : public Kernel {
 public:
  explicit SequenceEmptyKernel(const KernelInfo& info)
      : m_type(static_cast<ElementType>(info.attribute<int64_t>("dtype", static_cast<int64_t>(ElementType::kFloat)))) {}

  Result<void> run(KernelContext& context) const override {
    return give(context, {ValueType::tensor(m_type, std::nullopt), {}});
  }

 private:
  ElementType m_type;
};

class SequenceConstructKernel final : public Kernel {
 public:
  explicit SequenceConstructKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    SequenceValue sequence;
    for (size_t i = 0; i < context.inputCount(); ++i) {
      CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, i));
      if (i == 0) sequence.elementType = ValueType::tensor(tensor->type(), std::nullopt);
      if (tensor->type() != sequence.elementType.element)
        return fail(ErrorCode::kInvalidArgument, "input {} is of type {} in a sequence of {}", i,
                    elementTypeName(tensor->type()), elementTypeName(sequence.elementType.element));
      CUTAWAY_TRY(Tensor copy, tensor->clone());
      sequence.items.emplace_back(std::move(copy));
    }
    return give(context, std::move(sequence));
  }
};

class SequenceInsertKernel final : public Kernel {
 public:
  explicit SequenceInsertKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* input, requireSequence(context, 0));
    CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, 1));
    CUTAWAY_TRY(const int64_t wanted, positionInput(context, 2, static_cast<int64_t>(input->items.size())));
    CUTAWAY_TRY(const size_t position, resolvePosition(wanted, input->items.size(), true));
    const ElementType held = input->elementType.element;
    if (held != ElementType::kUndefined && held != tensor->type())
      return fail(ErrorCode::kInvalidArgument, "a tensor of type {} cannot enter a sequence of {}",
                  elementTypeName(tensor->type()), elementTypeName(held));
    CUTAWAY_TRY(Tensor copy, tensor->clone());
    SequenceValue sequence{input->elementType, {}};
    sequence.items.reserve(input->items.size() + 1);
    sequence.items.assign(input->items.begin(), input->items.begin() + static_cast<std::ptrdiff_t>(position));
    sequence.items.emplace_back(std::move(copy));
    sequence.items.insert(sequence.items.end(), input->items.begin() + static_cast<std::ptrdiff_t>(position),
                          input->items.end());
    return give(context, std::move(sequence));
  }
};

class SequenceEraseKernel final : public Kernel {
 public:
  explicit SequenceEraseKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* input, requireSequence(context, 0));
    CUTAWAY_TRY(const int64_t wanted, positionInput(context, 1, -1));
    CUTAWAY_TRY(const size_t position, resolvePosition(wanted, input->items.size(), false));
    SequenceValue sequence = *input;
    sequence.items.erase(sequence.items.begin() + static_cast<std::ptrdiff_t>(position));
    return give(context, std::move(sequence));
  }
};

class SequenceAtKernel final : public Kernel {
 public:
  explicit SequenceAtKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* input, requireSequence(context, 0));
    CUTAWAY_TRY(const Tensor* given, requireTensor(context, 1));
    CUTAWAY_TRY(const int64_t wanted, readInteger(*given));
    CUTAWAY_TRY(const size_t position, resolvePosition(wanted, input->items.size(), false));
    const RuntimeValue& item = input->items[position];
    if (!item.isTensor()) return fail(ErrorCode::kInvalidArgument, "item {} of the sequence is no tensor", position);
    // A copy: operators after this one may write over their input, and the item stays in its sequence.
    return copyReshaped(context, item.tensor(), item.tensor().dims());
  }
};

class SequenceLengthKernel final : public Kernel {
 public:
  explicit SequenceLengthKernel(const KernelInfo&) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* input, requireSequence(context, 0));
    CUTAWAY_TRY(Tensor * output, context.output(0, ElementType::kInt64, Dims{}));
    output->span<int64_t>()[0] = static_cast<int64_t>(input->items.size());
    return {};
  }
};

constexpr int kPositionIsSecond[] = {1};
constexpr int kPositionIsThird[] = {2};
constexpr int kLengthOnly[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "SequenceEmpty", .versions = {11}, .create = makeKernel<SequenceEmptyKernel>},
    {.opType = "SequenceConstruct", .versions = {11}, .create = makeKernel<SequenceConstructKernel>},
    {.opType = "SequenceInsert",
     .versions = {11},
     .hostInputs = kPositionIsThird,
     .create = makeKernel<SequenceInsertKernel>},
    {.opType = "SequenceErase",
     .versions = {11},
     .hostInputs = kPositionIsSecond,
     .create = makeKernel<SequenceEraseKernel>},
    {.opType = "SequenceAt", .versions = {11}, .hostInputs = kPositionIsSecond, .create = makeKernel<SequenceAtKernel>},
    {.opType = "SequenceLength",
     .versions = {11},
     .hostOutputs = kLengthOnly,
     .shapeOnlyInputs = kLengthOnly,
     .create = makeKernel<SequenceLengthKernel>},
};

}  // namespace

KernelRows kernel_sequence() {
  return kRows;
}

}  // namespace cutaway::cpu
