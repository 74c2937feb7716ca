// Reshape and Flatten: the same elements under other dims. The plan lets the output share the input's buffer; where it
// does not, the bytes are copied.

#include "engine/operators/reshape.h"

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class ReshapeKernel final : public Kernel {
 public:
  explicit ReshapeKernel(const KernelInfo& info)
      : m_shape(operators::reshapeShape(info.node())), m_allowZero(info.attribute<int64_t>("allowzero", 0) != 0) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const std::optional<Dims> wanted, m_shape.read(optionalTensor(context, 1)));
    CUTAWAY_TRY(const Dims dims, operators::reshapedDims(data->dims(), wanted, m_allowZero));
    return copyReshaped(context, *data, dims);
  }

 private:
  operators::ListOperand m_shape;
  bool m_allowZero;
};

class FlattenKernel final : public Kernel {
 public:
  explicit FlattenKernel(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 1)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Dims dims, operators::flattenedDims(data->dims(), m_axis));
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

}  // namespace cutaway::cpu
