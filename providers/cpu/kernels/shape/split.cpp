// Split: pieces along an axis. Lengths come from an attribute (2, 11), an input (1, 13, 18), the number of outputs, or
// num_outputs (18). A piece that the plan has made a view of its part of the data is not moved.

#include <cmath>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway {
namespace {

// Lengths as integers, or (version 1) as whole numbers of the data's float type.
Result<Dims> readLengths(const Tensor& tensor) {
  Dims lengths = filledList(static_cast<size_t>(tensor.elementCount()), 0);
  bool whole = true;
  const bool floats = cpu::dispatchType(cpu::FloatTypes{}, tensor.type(), [&]<typename T>(cpu::TypeTag<T>) {
    for (size_t i = 0; i < lengths.size(); ++i) {
      constexpr double kMost = 9007199254740992.0;
      const auto value = static_cast<double>(cpu::widen(tensor.span<T>()[i]));
      whole = whole && value >= 0 && value <= kMost && std::trunc(value) == value;
      if (whole) lengths[i] = static_cast<int64_t>(value);
    }
  });
  if (!floats) return readIntegers(tensor);
  if (!whole) return fail(ErrorCode::kInvalidArgument, "a length in split is no whole number");
  return lengths;
}

class SplitKernel final : public Kernel {
 public:
  explicit SplitKernel(const KernelInfo& info)
      : m_axis(info.attribute<int64_t>("axis", 0)),
        m_lengths(listAttribute(info.node(), "split")),
        m_hasLengths(info.node().findAttribute("split") != nullptr),
        m_lastMayBeShorter(info.node().sinceVersion >= 18),
        m_outputs(info.outputCount()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
    const size_t axis = static_cast<size_t>(resolved);
    CUTAWAY_TRY(const Dims lengths, pieceLengths(context, data->dims()[axis]));
    const int64_t rows = productOf(data->dims(), 0, axis);
    const int64_t inner = productOf(data->dims(), axis + 1, data->rank());
    Dims dims = data->dims();
    int64_t start = 0;
    for (size_t i = 0; i < m_outputs; ++i) {
      const int64_t row = lengths[i] * inner;
      if (context.hasOutput(i)) {
        dims[axis] = lengths[i];
        CUTAWAY_TRY(Tensor * output, context.output(i, data->type(), dims));
        const void* piece = elementAt(data->type(), data->data(), start);
        if (rows != 1 || output->data() != piece) {
          moveStrided(
              data->type(),
              {.dims = Dims{rows, row}, .fromStrides = Dims{data->dims()[axis] * inner, 1}, .toStrides = Dims{row, 1}},
              piece, output->mutableData());
        }
      }
      start += row;
    }
    return {};
  }

 private:
  Result<Dims> pieceLengths(const KernelContext& context, int64_t total) const {
    const Tensor* input = optionalTensor(context, 1);
    Dims lengths = m_lengths;
    if (input != nullptr) {
      CUTAWAY_TRY(lengths, readLengths(*input));
    } else if (!m_hasLengths) {
      return equalLengths(total);
    }
    int64_t sum = 0;
    for (const int64_t length : lengths) {
      if (length < 0 || length > total - sum)
        return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(lengths), total);
      sum += length;
    }
    if (sum != total)
      return fail(ErrorCode::kInvalidArgument, "pieces {} do not add up to {}", dimsToText(lengths), total);
    if (lengths.size() != m_outputs)
      return fail(ErrorCode::kInvalidArgument, "{} pieces are named for {} outputs", lengths.size(), m_outputs);
    return lengths;
  }

  Result<Dims> equalLengths(int64_t total) const {
    const int64_t count = static_cast<int64_t>(m_outputs);
    const int64_t length = (total + count - 1) / count;
    if (!m_lastMayBeShorter && total % count != 0)
      return fail(ErrorCode::kInvalidArgument, "{} elements cannot be split into {} equal pieces", total, count);
    Dims lengths = filledList(m_outputs, length);
    int64_t left = total;
    for (size_t i = 0; i < m_outputs; ++i) {
      lengths[i] = std::min(length, left);
      left -= lengths[i];
    }
    return lengths;
  }

  int64_t m_axis;
  Dims m_lengths;
  bool m_hasLengths;
  bool m_lastMayBeShorter;
  size_t m_outputs;
};

constexpr int kLengthsOnHost[] = {1};
constexpr InplaceHint kSplits[] = {{.input = 0, .output = InplaceHint::kEveryOutput, .kind = AliasKind::kSplit}};
constexpr KernelRow kRows[] = {
    {.opType = "Split",
     .versions = {1},
     .inplace = kSplits,
     .hostInputs = kLengthsOnHost,
     .fastPath = "copy",
     .create = makeKernel<SplitKernel>},
};

}  // namespace

KernelRows kernel_split() {
  return kRows;
}

}  // namespace cutaway
