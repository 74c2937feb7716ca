// SplitToSequence and ConcatFromSequence: a tensor cut into a sequence, and a sequence put together into a tensor.

#include "engine/base/checked_math.h"
#include "engine/base/short_memory.h"
#include "engine/tensor/heap_limit.h"
#include "providers/cpu/kernels/sequence/sequence_slot.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class SplitToSequenceKernel final : public Kernel {
 public:
  explicit SplitToSequenceKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 0)), m_keepAxis(info.attribute<int64_t>("keepdims", 1) != 0) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    const Tensor* split = optionalTensor(context, 1);
    CUTAWAY_TRY(const Dims lengths, pieceLengths(split, data->dims()[axis]));
    CUTAWAY_CHECK(allowPieces(static_cast<int64_t>(lengths.size())));
    const bool dropAxis = split == nullptr && !m_keepAxis;
    SequenceValue sequence{ValueType::tensor(data->type(), std::nullopt), {}};
    sequence.items.reserve(lengths.size());
    const int64_t rows = productOf(data->dims(), 0, axis);
    const int64_t inner = productOf(data->dims(), axis + 1, data->rank());
    int64_t start = 0;
    for (const int64_t length : lengths) {
      CUTAWAY_TRY(Tensor piece, Tensor::create(data->type(), pieceDims(data->dims(), axis, length, dropAxis)));
      const int64_t row = length * inner;
      moveStrided(
          data->type(),
          {.dims = Dims{rows, row}, .fromStrides = Dims{data->dims()[axis] * inner, 1}, .toStrides = Dims{row, 1}},
          elementAt(data->type(), data->data(), start), piece.mutableData());
      sequence.items.emplace_back(std::move(piece));
      start += row;
    }
    if (RuntimeValue* output = context.outputValue(0)) *output = std::move(sequence);
    return {};
  }

 private:
  // Small pieces take much more than their elements: each is a tensor with memory of its own.
  static Result<void> allowPieces(int64_t count) {
    constexpr int64_t kAround = 128;  // the block, and the count of those who share it
    const std::shared_ptr<HeapBudget> budget = HeapLimit::budget();
    CUTAWAY_TRY(const int64_t sizeBytes, checkedMultiply(count, static_cast<int64_t>(sizeof(RuntimeValue)) + kAround));
    if (budget == nullptr || sizeBytes <= budget->limitBytes() - budget->heldBytes()) return {};
    return fail(noMemoryFor(fmt::format("a sequence of {} tensors", count), sizeBytes,
                            {.heldBytes = budget->heldBytes(), .limitBytes = budget->limitBytes()}));
  }

  static Result<Dims> pieceLengths(const Tensor* split, int64_t total) {
    // A tensor without elements may still claim an axis of any length.
    constexpr int64_t kMostPieces = int64_t{1} << 24;
    if (total > kMostPieces && (split == nullptr || split->rank() == 0))
      return fail(ErrorCode::kInvalidArgument, "an axis of {} is too long to be split into a sequence", total);
    if (split == nullptr) return filledList(static_cast<size_t>(total), 1);
    CUTAWAY_TRY(const Dims given, readIntegers(*split));
    if (split->rank() == 0) {
      const int64_t length = given[0];
      if (length <= 0) return fail(ErrorCode::kInvalidArgument, "pieces of {} elements are asked for", length);
      Dims lengths = filledList(static_cast<size_t>(total == 0 ? 0 : (total - 1) / length + 1), length);
      if (lengths.size() > 0) lengths[lengths.size() - 1] = total - static_cast<int64_t>(lengths.size() - 1) * length;
      return lengths;
    }
    int64_t sum = 0;
    for (const int64_t length : given) {
      if (length < 0 || length > total - sum)
        return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(given), total);
      sum += length;
    }
    if (sum != total)
      return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(given), total);
    return given;
  }

  static Dims pieceDims(const Dims& dims, size_t axis, int64_t length, bool dropAxis) {
    if (!dropAxis) {
      Dims piece = dims;
      piece[axis] = length;
      return piece;
    }
    Dims piece = filledList(dims.size() - 1, 0);
    for (size_t i = 0; i < piece.size(); ++i)
      piece[i] = dims[i < axis ? i : i + 1];
    return piece;
  }

  int64_t m_axis;
  bool m_keepAxis;
};

class ConcatFromSequenceKernel final : public Kernel {
 public:
  explicit ConcatFromSequenceKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 0)), m_newAxis(info.attribute<int64_t>("new_axis", 0) != 0) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const SequenceValue* sequence, requireSequence(context, 0));
    if (sequence->items.empty()) return fail(ErrorCode::kInvalidArgument, "an empty sequence cannot be concatenated");
    for (const RuntimeValue& item : sequence->items) {
      if (!item.isTensor()) return fail(ErrorCode::kInvalidArgument, "an item of the sequence is no tensor");
    }
    const Tensor& first = sequence->items.front().tensor();
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, first.rank() + (m_newAxis ? 1 : 0)));
    const size_t axis = static_cast<size_t>(resolved);
    CUTAWAY_TRY(const Dims dims, outputDims(*sequence, axis));
    CUTAWAY_TRY(Tensor * output, context.output(0, first.type(), dims));
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    const int64_t rows = productOf(dims, 0, axis);
    int64_t start = 0;
    for (const RuntimeValue& item : sequence->items) {
      const Tensor& tensor = item.tensor();
      const int64_t row = (m_newAxis ? 1 : tensor.dims()[axis]) * inner;
      moveStrided(tensor.type(),
                  {.dims = Dims{rows, row}, .fromStrides = Dims{row, 1}, .toStrides = Dims{dims[axis] * inner, 1}},
                  tensor.data(), elementAt(tensor.type(), output->mutableData(), start));
      start += row;
    }
    return {};
  }

 private:
  Result<Dims> outputDims(const SequenceValue& sequence, size_t axis) const {
    const Tensor& first = sequence.items.front().tensor();
    int64_t length = 0;
    for (size_t k = 0; k < sequence.items.size(); ++k) {
      const Tensor& item = sequence.items[k].tensor();
      bool fits = item.rank() == first.rank() && item.type() == first.type();
      for (size_t i = 0; fits && i < first.rank(); ++i)
        fits = (i == axis && !m_newAxis) || item.dims()[i] == first.dims()[i];
      if (!fits)
        return fail(ErrorCode::kInvalidArgument, "item {} of shape {} cannot stand beside {}", k,
                    dimsToText(item.dims()), dimsToText(first.dims()));
      CUTAWAY_TRY(length, checkedAdd(length, m_newAxis ? 1 : item.dims()[axis]));
    }
    if (!m_newAxis) {
      Dims dims = first.dims();
      dims[axis] = length;
      return dims;
    }
    Dims dims = filledList(first.rank() + 1, length);
    for (size_t i = 0; i < first.rank(); ++i)
      dims[i < axis ? i : i + 1] = first.dims()[i];
    return dims;
  }

  int64_t m_axis;
  bool m_newAxis;
};

constexpr int kLengthsOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "SplitToSequence",
     .versions = {11},
     .hostInputs = kLengthsOnHost,
     .fastPath = "copy",
     .create = makeKernel<SplitToSequenceKernel>},
    {.opType = "ConcatFromSequence",
     .versions = {11},
     .fastPath = "copy",
     .create = makeKernel<ConcatFromSequenceKernel>},
};

}  // namespace

KernelRows kernel_sequence_tensor() {
  return kRows;
}

}  // namespace cutaway::cpu
