// Tensors made of little: ConstantOfShape, EyeLike and Range.

#include "engine/operators/constants.h"

#include <cstring>

#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

class ConstantOfShapeKernel final : public GpuKernel {
 public:
  explicit ConstantOfShapeKernel(Tensor value) : m_value(std::move(value)) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* shape, requireTensor(call, 0));
    CUTAWAY_TRY(const Dims dims, readIntegers(*shape));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    return m_mover.fill(call, elementBytes(m_value.type()), m_value.data(), output->mutableData(),
                        output->elementCount());
  }

 private:
  Tensor m_value;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeConstantOfShape(const KernelInfo& info) {
  CUTAWAY_TRY(Tensor value, operators::constantOfShapeValue(info.node()));
  if (elementBytes(value.type()) == 0)
    return fail(ErrorCode::kNotImplemented, "elements of type {} do not fill whole bytes",
                elementTypeName(value.type()));
  return std::make_unique<ConstantOfShapeKernel>(std::move(value));
}

// One of a type, as bytes. False: the type has none.
bool oneOf(ElementType type, std::byte* bytes) {
  const auto put = [&](auto value) {
    std::memcpy(bytes, &value, sizeof value);
    return true;
  };
  switch (type) {
    case ElementType::kFloat:
      return put(1.0f);
    case ElementType::kDouble:
      return put(1.0);
    case ElementType::kFloat16:
      return put(Float16::fromFloat(1.0f));
    case ElementType::kBfloat16:
      return put(Bfloat16::fromFloat(1.0f));
    case ElementType::kInt8:
    case ElementType::kUint8:
    case ElementType::kBool:
      return put(uint8_t{1});
    case ElementType::kInt16:
    case ElementType::kUint16:
      return put(uint16_t{1});
    case ElementType::kInt32:
    case ElementType::kUint32:
      return put(uint32_t{1});
    case ElementType::kInt64:
    case ElementType::kUint64:
      return put(uint64_t{1});
    default:
      return false;
  }
}

class EyeLikeKernel final : public GpuKernel {
 public:
  EyeLikeKernel(ElementType type, int64_t shift) : m_type(type), m_shift(shift) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::Diagonal diagonal, operators::diagonalOf(input->dims(), m_shift));
    CUTAWAY_TRY(Tensor * output, call.output(0, input->dims()));
    const int64_t rows = input->dims()[0], columns = input->dims()[1], unit = elementBytes(m_type);
    if (rows * columns == 0) return {};
    CUTAWAY_CHECK(call.fill(output->mutableData(), 0, static_cast<size_t>(rows * columns * unit)));
    if (diagonal.count == 0) return {};
    alignas(16) std::byte one[16] = {};
    oneOf(m_type, one);
    return m_mover.fill(call, unit, one, bytesAt(output->mutableData(), diagonal.first * unit), diagonal.count,
                        columns + 1);
  }

 private:
  ElementType m_type;
  int64_t m_shift;
  Mover m_mover;
};

Result<std::unique_ptr<GpuKernel>> makeEyeLike(const KernelInfo& info) {
  const auto named = static_cast<ElementType>(info.attribute<int64_t>("dtype", 0));
  const ElementType type = named == ElementType::kUndefined ? info.inputElement(0) : named;
  std::byte one[16];
  if (!oneOf(type, one)) return fail(ErrorCode::kNotImplemented, "EyeLike cannot make {} here", elementTypeName(type));
  return std::make_unique<EyeLikeKernel>(type, info.attribute<int64_t>("k", 0));
}

// start, start + delta, ... up to but not including limit. Numbers come as elements of one type in host memory.
struct Numbers {
  double real[3] = {0, 0, 1};
  int64_t whole[3] = {0, 0, 1};
  bool isWhole = false;

  Result<void> read(const Tensor& tensor, int at) {
    switch (tensor.type()) {
      case ElementType::kFloat:
        real[at] = tensor.span<float>()[0];
        return {};
      case ElementType::kDouble:
        real[at] = tensor.span<double>()[0];
        return {};
      case ElementType::kFloat16:
        real[at] = tensor.span<Float16>()[0].toFloat();
        return {};
      case ElementType::kBfloat16:
        real[at] = tensor.span<Bfloat16>()[0].toFloat();
        return {};
      case ElementType::kInt16:
        whole[at] = tensor.span<int16_t>()[0];
        break;
      case ElementType::kInt32:
        whole[at] = tensor.span<int32_t>()[0];
        break;
      case ElementType::kInt64:
        whole[at] = tensor.span<int64_t>()[0];
        break;
      default:
        return fail(ErrorCode::kInvalidArgument, "Range does not take {}", elementTypeName(tensor.type()));
    }
    isWhole = true;
    return {};
  }

  Result<int64_t> steps() const {
    return isWhole ? operators::countSteps(whole[0], whole[1], whole[2])
                   : operators::countSteps(real[0], real[1], real[2]);
  }
};

class RangeKernel final : public GpuKernel {
 public:
  explicit RangeKernel(std::string functor) : m_functor(std::move(functor)) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    Numbers numbers;
    CUTAWAY_TRY(const operators::RangeOperands operands, operators::rangeOperands(call));
    CUTAWAY_CHECK(numbers.read(*operands.start, 0));
    CUTAWAY_CHECK(numbers.read(*operands.limit, 1));
    if (operands.delta != nullptr) CUTAWAY_CHECK(numbers.read(*operands.delta, 2));
    CUTAWAY_TRY(const int64_t count, numbers.steps());
    CUTAWAY_TRY(Tensor * output, call.output(0, {count}));
    if (count == 0) return {};
    return call.launch(m_kernel, RangeParameters{.to = output->mutableData(),
                                                 .count = count,
                                                 .first = numbers.real[0],
                                                 .delta = numbers.real[2],
                                                 .wholeFirst = static_cast<uint64_t>(numbers.whole[0]),
                                                 .wholeDelta = static_cast<uint64_t>(numbers.whole[2])});
  }

 private:
  std::string m_functor;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeRange(const KernelInfo& info) {
  const char* type = functorType(info.inputElement(0));
  if (type == nullptr)
    return fail(ErrorCode::kNotImplemented, "Range does not take {}", elementTypeName(info.inputElement(0)));
  return std::make_unique<RangeKernel>(fmt::format("move.range.{}", type));
}

constexpr int kFirst[] = {0};
constexpr int kAllOnHost[] = {0, 1, 2};
constexpr ElementType kRangeTypes[] = {ElementType::kFloat,    ElementType::kDouble, ElementType::kFloat16,
                                       ElementType::kBfloat16, ElementType::kInt16,  ElementType::kInt32,
                                       ElementType::kInt64};
constexpr TypeRule kRangeRules[] = {{0, kRangeTypes}};

}  // namespace

KernelRows kernel_constants() {
  static constexpr KernelRow rows[] = {
      {.opType = "ConstantOfShape",
       .versions = {9},
       .hostInputs = kFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeConstantOfShape>},
      {.opType = "EyeLike",
       .versions = {9},
       .shapeOnlyInputs = kFirst,
       .fastPath = "cuda",
       .create = gpuKernel<makeEyeLike>},
      {.opType = "Range",
       .versions = {11},
       .types = kRangeRules,
       .hostInputs = kAllOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeRange>},
      {.opType = "Range",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kRangeRules,
       .hostInputs = kAllOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeRange>},
  };
  return rows;
}

}  // namespace cutaway::cuda
