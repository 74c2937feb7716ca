// Cast, CastLike and BitCast. Pairs that models use have their own kernel; the rest, 8-bit floats among them, go
// through one. Strings, elements below a byte and scales stay on the host.

#include "engine/operators/cast.h"

#include <limits>

#include "providers/cuda/functors/cast_functors.h"
#include "providers/cuda/kernels/elementwise/element_kernel.h"

namespace cutaway::cuda {
namespace {

using Made = Result<std::unique_ptr<GpuKernel>>;

bool hasAnyCast(ElementType type) {
  switch (type) {
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
      return true;
    default:
      return functorType(type) != nullptr;
  }
}

bool isOneOf(ElementType type, std::initializer_list<ElementType> list) {
  return std::ranges::find(list, type) != list.end();
}

bool hasOwnKernel(ElementType from, ElementType to) {
  using enum ElementType;
  return isOneOf(from, {kFloat, kFloat16, kBfloat16, kInt64, kInt32, kBool, kUint8, kInt8}) &&
         isOneOf(to, {kFloat, kFloat16, kBfloat16, kInt64, kInt32, kBool});
}

// The same bytes under another (or the same) type.
class BytesKernel final : public GpuKernel {
 public:
  explicit BytesKernel(ElementType to) : m_to(to) {}
  Result<void> launch(GpuCall& call) const override {
    const Tensor& x = *call.input(0);
    const void* from = x.data();
    const size_t bytes = static_cast<size_t>(x.sizeBytes());
    CUTAWAY_TRY(Tensor * y, call.context().output(0, m_to, x.dims()));
    return y->data() == from || bytes == 0 ? Result<void>{} : call.copy(y->mutableData(), from, bytes);
  }
  std::string_view variant() const override { return "copy"; }

 private:
  ElementType m_to;
};

Made makeCastTo(const KernelInfo& info, ElementType to) {
  const ElementType from = info.inputElement(0);
  CUTAWAY_CHECK(operators::checkCastTarget(to));
  if (from == to && from != ElementType::kString && !isSubByte(from)) return std::make_unique<BytesKernel>(to);
  if (!hasAnyCast(from) || !hasAnyCast(to))
    return fail(ErrorCode::kNotImplemented, "{} does not convert to {} on the device", elementTypeName(from),
                elementTypeName(to));
  if (hasOwnKernel(from, to))
    return makeOne(info, {.functor = fmt::format("cast.{}.{}", functorType(from), functorType(to)), .output = to});
  return makeOne(info, {.functor = "cast.any",
                        .output = to,
                        .code = static_cast<int32_t>(from),
                        .flags = static_cast<int32_t>(to),
                        .low = info.attribute<int64_t>("saturate", 1),
                        .mayPack = false});
}

Made makeCast(const KernelInfo& info) {
  CUTAWAY_TRY(const ElementType to, operators::castTarget(info.node()));
  return makeCastTo(info, to);
}

Made makeCastLike(const KernelInfo& info) {
  return makeCastTo(info, info.inputElement(1));
}

Made makeBitCast(const KernelInfo& info) {
  CUTAWAY_TRY(const ElementType to, operators::bitCastTarget(info.node(), info.inputElement(0)));
  return std::make_unique<BytesKernel>(to);
}

constexpr int kSecond[] = {1};

}  // namespace

KernelRows kernel_cast() {
  static constexpr KernelRow rows[] = {
      {.opType = "Cast",
       .versions = {1, 5},
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeCast>},
      {.opType = "Cast", .versions = {6}, .inplace = kFirstInPlace, .fastPath = "cuda", .create = gpuKernel<makeCast>},
      {.opType = "CastLike",
       .versions = {15},
       .inplace = kFirstInPlace,
       .shapeOnlyInputs = kSecond,
       .fastPath = "cuda",
       .create = gpuKernel<makeCastLike>},
      {.opType = "BitCast",
       .versions = {26},
       .inplace = kFirstInPlace,
       .fastPath = "cuda",
       .create = gpuKernel<makeBitCast>},
  };
  return rows;
}

}  // namespace cutaway::cuda
