#include "providers/cuda/kernels/elementwise/element_kernel.h"

#include <limits>

namespace cutaway::cuda {

bool isRealFloat(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 || type == ElementType::kBfloat16 ||
         type == ElementType::kDouble;
}

Result<std::string> functorName(const KernelInfo& info, std::string_view family, ElementType type) {
  const char* name = functorType(type);
  if (name == nullptr)
    return fail(ErrorCode::kNotImplemented, "{} of {} has no kernel on the device", info.node().opType,
                elementTypeName(type));
  return fmt::format("{}.{}", family, name);
}

namespace {

template <typename T>
IntegerRange rangeOf() {
  return {static_cast<int64_t>(std::numeric_limits<T>::min()), static_cast<int64_t>(std::numeric_limits<T>::max())};
}

}  // namespace

IntegerRange integerRange(ElementType type) {
  switch (type) {
    case ElementType::kInt8:
      return rangeOf<int8_t>();
    case ElementType::kUint8:
      return rangeOf<uint8_t>();
    case ElementType::kInt16:
      return rangeOf<int16_t>();
    case ElementType::kUint16:
      return rangeOf<uint16_t>();
    case ElementType::kInt32:
      return rangeOf<int32_t>();
    case ElementType::kUint32:
      return rangeOf<uint32_t>();
    case ElementType::kInt64:
      return rangeOf<int64_t>();
    case ElementType::kUint64:
      return rangeOf<uint64_t>();
    default:
      return {};
  }
}

namespace {

using operators::LegacyBroadcast;

class ElementKernel : public GpuKernel {
 public:
  ElementKernel(const KernelInfo& info, ElementDefinition definition)
      : m_definition(std::move(definition)), m_type(info.inputElement(0)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_definition.functor));
    return {};
  }
  std::string_view variant() const override { return m_definition.functor; }

 protected:
  template <int operands>
  ElementParameters<operands> parameters() const {
    ElementParameters<operands> p;
    p.code = m_definition.code;
    p.flags = m_definition.flags;
    p.first = m_definition.first;
    p.second = m_definition.second;
    p.low = m_definition.low;
    p.high = m_definition.high;
    return p;
  }
  ElementType outputType(const Tensor& x) const {
    return m_definition.output == ElementType::kUndefined ? x.type() : m_definition.output;
  }
  Result<void> checkType(const Tensor& x) const {
    if (m_type == ElementType::kUndefined || x.type() == m_type) return {};
    return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and got {}", elementTypeName(m_type),
                elementTypeName(x.type()));
  }

  ElementDefinition m_definition;
  ElementType m_type;
  DeviceKernel m_kernel;
};

class OneKernel final : public ElementKernel {
 public:
  using ElementKernel::ElementKernel;

  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    CUTAWAY_CHECK(checkType(x));
    CUTAWAY_TRY(Tensor * y, call.context().output(0, outputType(x), x.dims()));
    ElementParameters<1> p = parameters<1>();
    p.from[0] = x.data();
    p.to = y->mutableData();
    const std::array<int64_t, 1> count{x.elementCount()};
    CUTAWAY_CHECK(
        planElements<1>(p, count, {count}, {bitsOf(x.type()) / 8}, bitsOf(y->type()) / 8, m_definition.mayPack));
    return p.packs == 0 ? Result<void>{} : call.launch(m_kernel, p);
  }
};

class TwoKernel final : public ElementKernel {
 public:
  TwoKernel(const KernelInfo& info, ElementDefinition definition)
      : ElementKernel(info, std::move(definition)),
        m_legacy(LegacyBroadcast::of(info.node(), m_definition.legacyBroadcast)) {}

  Result<void> launch(GpuCall& call) const override {
    const Tensor& a = *call.input(0);
    const Tensor& b = *call.input(1);
    CUTAWAY_CHECK(checkType(a));
    if (m_definition.sameTypes && a.type() != b.type())
      return fail(ErrorCode::kInvalidArgument, "the inputs are {} and {}", elementTypeName(a.type()),
                  elementTypeName(b.type()));
    CUTAWAY_TRY(const Dims bDims, m_legacy.align(a.dims(), b.dims()));
    const Dims aDims = a.dims();
    CUTAWAY_TRY(const Dims dims, broadcastDims({&aDims, &bDims}));
    CUTAWAY_TRY(Tensor * y, call.context().output(0, outputType(a), dims));
    ElementParameters<2> p = parameters<2>();
    p.from[0] = a.data();
    p.from[1] = b.data();
    p.to = y->mutableData();
    CUTAWAY_CHECK(planElements<2>(p, dims, {aDims, bDims}, {bitsOf(a.type()) / 8, bitsOf(b.type()) / 8},
                                  bitsOf(y->type()) / 8, m_definition.mayPack));
    return p.packs == 0 ? Result<void>{} : call.launch(m_kernel, p);
  }

 private:
  LegacyBroadcast m_legacy;
};

// Both are there, of types that may differ.
Result<void> checkPair(const KernelInfo& info) {
  if (info.inputCount() < 2)
    return fail(ErrorCode::kInvalidGraph, "{} has {} inputs, not 2", info.node().opType, info.inputCount());
  for (size_t slot = 0; slot < 2; ++slot) {
    if (!info.hasInput(slot))
      return fail(ErrorCode::kInvalidGraph, "{}: input {} is missing", info.node().opType, slot);
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<GpuKernel>> makeOne(const KernelInfo& info, ElementDefinition definition) {
  CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 1));
  return std::make_unique<OneKernel>(info, std::move(definition));
}

Result<std::unique_ptr<GpuKernel>> makeTwo(const KernelInfo& info, ElementDefinition definition) {
  if (definition.sameTypes) {
    CUTAWAY_CHECK(operators::checkAlikeInputs(info.graph(), info.node(), 2));
  } else {
    CUTAWAY_CHECK(checkPair(info));
  }
  return std::make_unique<TwoKernel>(info, std::move(definition));
}

}  // namespace cutaway::cuda
