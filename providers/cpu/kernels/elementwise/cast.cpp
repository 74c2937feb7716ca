// Cast and CastLike: every pair of element types, see element_conversion.h.

#include "engine/operators/cast.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/elementwise/element_conversion.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr int kSecond[] = {1};

class CastKernel final : public Kernel {
 public:
  CastKernel(ElementType to, const ElementConverter& converter) : m_to(to), m_converter(converter) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    if (x.type() != m_converter.from())
      return fail(ErrorCode::kInvalidArgument, "the kernel was made for {}, and got {}",
                  elementTypeName(m_converter.from()), elementTypeName(x.type()));
    CUTAWAY_TRY(Tensor * y, context.output(0, m_to, x.dims()));
    const int64_t count = x.elementCount();
    if (x.type() == ElementType::kString || m_to == ElementType::kString)
      return m_converter.convert(x.data(), y->mutableData(), 0, count);
    const int64_t blocks = (count + kConversionBlock - 1) / kConversionBlock;
    parallelFor(blocks, 64, [&](int64_t begin, int64_t end) {
      (void)m_converter.convert(x.data(), y->mutableData(), begin * kConversionBlock,
                                std::min(count, end * kConversionBlock));  // only text can fail
    });
    return {};
  }

 private:
  ElementType m_to;
  ElementConverter m_converter;
};

class CopyKernel final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x.type(), x.dims()));
    if (y->data() == x.data()) return {};
    if (x.type() == ElementType::kString) {
      std::ranges::copy(x.span<std::string>(), y->span<std::string>().begin());
    } else if (x.sizeBytes() > 0) {
      std::memcpy(y->mutableData(), x.data(), static_cast<size_t>(x.sizeBytes()));
    }
    return {};
  }
  std::string_view variant() const override { return "copy"; }
};

Result<std::unique_ptr<Kernel>> makeCast(const KernelInfo& info, ElementType to) {
  const ElementType from = info.inputElement(0);
  CUTAWAY_CHECK(operators::checkCastTarget(to));
  if (from == to) return std::make_unique<CopyKernel>();
  const std::string mode = info.attribute<std::string>("round_mode", "up");
  if (mode != "up" && mode != "down" && mode != "nearest")
    return fail(ErrorCode::kInvalidArgument, "round_mode is '{}', not up, down or nearest", mode);
  const ScaleRounding rounding =
      mode == "up" ? ScaleRounding::kUp : (mode == "down" ? ScaleRounding::kDown : ScaleRounding::kNearest);
  CUTAWAY_TRY(const ElementConverter converter,
              ElementConverter::make(from, to, {info.attribute<int64_t>("saturate", 1) != 0, rounding}));
  return std::make_unique<CastKernel>(to, converter);
}

Result<std::unique_ptr<Kernel>> cast(const KernelInfo& info) {
  CUTAWAY_TRY(const ElementType to, operators::castTarget(info.node()));
  return makeCast(info, to);
}

Result<std::unique_ptr<Kernel>> castLike(const KernelInfo& info) {
  return makeCast(info, info.inputElement(1));
}

}  // namespace

KernelRows kernel_cast() {
  static constexpr KernelRow rows[] = {
      {.opType = "Cast", .versions = {1, 5}, .inplace = kFirstInPlace, .fastPath = "threads", .create = cast},
      {.opType = "Cast", .versions = {6}, .inplace = kFirstInPlace, .fastPath = "threads", .create = cast},
      {.opType = "CastLike",
       .versions = {15},
       .inplace = kFirstInPlace,
       .shapeOnlyInputs = kSecond,
       .fastPath = "threads",
       .create = castLike},
  };
  return rows;
}

}  // namespace cutaway::cpu
