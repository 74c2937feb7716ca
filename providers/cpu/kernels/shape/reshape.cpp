// Reshape and Flatten: the same elements under other dims. The plan lets the output share the input's buffer; where it
// does not, the bytes are copied.

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

// Fills in 0 ("as the input") and -1 ("what is left").
Result<Dims> resolveShape(std::span<const int64_t> wanted, const Tensor& data, bool zeroIsZero) {
  Dims dims(wanted);
  int64_t known = 1;
  size_t open = wanted.size();
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] < -1) return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is {}", i, wanted[i]);
    if (wanted[i] == -1) {
      if (open != wanted.size())
        return fail(ErrorCode::kInvalidArgument, "the new shape {} has two open dimensions", dimsToText(wanted));
      open = i;
      continue;
    }
    if (wanted[i] == 0 && !zeroIsZero) {
      if (i >= data.rank())
        return fail(ErrorCode::kInvalidArgument, "dimension {} of the new shape is taken from an input of rank {}", i,
                    data.rank());
      dims[i] = data.dims()[i];
    }
    CUTAWAY_TRY(known, checkedMultiply(known, dims[i]));
  }
  const int64_t count = data.elementCount();
  if (open != wanted.size()) {
    if (known == 0 || count % known != 0) {
      return fail(ErrorCode::kInvalidArgument, "{} elements of {} cannot be reshaped to {}", count,
                  dimsToText(data.dims()), dimsToText(wanted));
    }
    dims[open] = count / known;
  } else if (known != count) {
    return fail(ErrorCode::kInvalidArgument, "{} elements of {} cannot be reshaped to {}", count,
                dimsToText(data.dims()), dimsToText(wanted));
  }
  return dims;
}

class ReshapeKernel final : public Kernel {
 public:
  explicit ReshapeKernel(const KernelInfo& info)
      : m_shapeIsInput(info.node().sinceVersion >= 5),
        m_shape(listAttribute(info.node(), "shape")),
        m_allowZero(info.attribute<int64_t>("allowzero", 0) != 0) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    Dims wanted = m_shape;
    if (m_shapeIsInput) {
      CUTAWAY_TRY(const Tensor* shape, requireTensor(context, 1));
      CUTAWAY_TRY(wanted, readIntegers(*shape));
    }
    CUTAWAY_TRY(const Dims dims, resolveShape(wanted, *data, m_allowZero));
    return copyReshaped(context, *data, dims);
  }

 private:
  bool m_shapeIsInput;
  Dims m_shape;
  bool m_allowZero;
};

class FlattenKernel final : public Kernel {
 public:
  explicit FlattenKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 1)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const int64_t rank = static_cast<int64_t>(data->rank());
    if (m_axis < -rank || m_axis > rank) {
      return fail(ErrorCode::kInvalidArgument, "axis {} is outside [{}, {}] of a tensor of rank {}", m_axis, -rank,
                  rank, rank);
    }
    const size_t axis = static_cast<size_t>(m_axis < 0 ? m_axis + rank : m_axis);
    const Dims dims{productOf(data->dims(), 0, axis), productOf(data->dims(), axis, data->rank())};
    return copyReshaped(context, *data, dims);
  }

 private:
  int64_t m_axis;
};

constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr int kShapeOnHost[] = {1};
constexpr KernelRow kRows[] = {
    {.opType = "Reshape",
     .versions = {1, 4},
     .inplace = kView,
     .fastPath = "copy",
     .create = makeKernel<ReshapeKernel>},
    {.opType = "Reshape",
     .versions = {5},
     .inplace = kView,
     .hostInputs = kShapeOnHost,
     .fastPath = "copy",
     .create = makeKernel<ReshapeKernel>},
    {.opType = "Flatten", .versions = {1}, .inplace = kView, .fastPath = "copy", .create = makeKernel<FlattenKernel>},
};

}  // namespace

KernelRows kernel_reshape() {
  return kRows;
}

}  // namespace cutaway
