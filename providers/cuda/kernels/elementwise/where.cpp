// Where: three operands with broadcasting. Only the width of an element matters.

#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

class WhereKernel final : public GpuKernel {
 public:
  explicit WhereKernel(ElementType type) : m_type(type), m_functor(fmt::format("select.{}", bitsOf(type))) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &condition = *call.input(0), &x = *call.input(1), &y = *call.input(2);
    if (condition.type() != ElementType::kBool || x.type() != y.type() || x.type() != m_type)
      return fail(ErrorCode::kInvalidArgument, "Where: X is {} and Y is {}, and the kernel was made for {}",
                  elementTypeName(x.type()), elementTypeName(y.type()), elementTypeName(m_type));
    const Dims conditionDims = condition.dims(), xDims = x.dims(), yDims = y.dims();
    CUTAWAY_TRY(const Dims dims, broadcastDims({&conditionDims, &xDims, &yDims}));
    ElementParameters<3> p;
    p.from[0] = condition.data();
    p.from[1] = x.data();
    p.from[2] = y.data();
    CUTAWAY_TRY(Tensor * to, call.output(0, dims));
    p.to = to->mutableData();
    const int64_t bytes = bitsOf(m_type) / 8;
    CUTAWAY_CHECK(planElements<3>(p, dims, {conditionDims, xDims, yDims}, {1, bytes, bytes}, bytes));
    return p.packs == 0 ? Result<void>{} : call.launch(m_kernel, p);
  }

  std::string_view variant() const override { return m_functor; }

 private:
  ElementType m_type;
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeWhere(const KernelInfo& info) {
  const ElementType x = info.inputElement(1), y = info.inputElement(2), type = x == ElementType::kUndefined ? y : x;
  if (y != type && y != ElementType::kUndefined) return fail(ErrorCode::kInvalidGraph, "Where: X and Y differ in type");
  if (type == ElementType::kString || type == ElementType::kUndefined || isSubByte(type))
    return fail(ErrorCode::kNotImplemented, "Where of {} has no kernel on the device", elementTypeName(type));
  return std::make_unique<WhereKernel>(type);
}

constexpr TypeRule kRules[] = {{0, kBoolTypes}};
constexpr InplaceHint kInPlace[] = {{1, 0, AliasKind::kMayInplace}, {2, 0, AliasKind::kMayInplace}};

}  // namespace

KernelRows kernel_where() {
  static constexpr KernelRow rows[] = {{.opType = "Where",
                                        .versions = {9},
                                        .types = kRules,
                                        .inplace = kInPlace,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeWhere>}};
  return rows;
}

}  // namespace cutaway::cuda
