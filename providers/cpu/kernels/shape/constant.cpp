// Constant (when it is not folded before) and ConstantOfShape.

#include <cstring>

#include "engine/operators/constants.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway::cpu {
namespace {

// Writes the values of a sparse tensor into a dense one; indices are linear [NNZ] or one row a value [NNZ, rank].
Result<Tensor> densify(const SparseTensor& sparse) {
  const ElementType type = sparse.values.type();
  const int64_t count = sparse.values.elementCount();
  if (isSubByte(type) || sparse.indices.type() != ElementType::kInt64)
    return fail(ErrorCode::kNotImplemented, "sparse constants of type {} are not covered", elementTypeName(type));
  CUTAWAY_TRY(Tensor dense, Tensor::create(type, sparse.dims));
  if (type != ElementType::kString) std::memset(dense.mutableData(), 0, static_cast<size_t>(dense.sizeBytes()));
  const bool linear = sparse.indices.rank() <= 1;
  const size_t width = linear ? 1 : sparse.dims.size();
  const std::span<const int64_t> indices = sparse.indices.span<int64_t>();
  if (indices.size() != static_cast<size_t>(count) * width)
    return fail(ErrorCode::kInvalidArgument, "a sparse constant has {} values and {} indices", count, indices.size());
  const Dims strides = rowMajorStrides(sparse.dims);
  for (int64_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (size_t axis = 0; axis < width; ++axis) {
      const int64_t index = indices[static_cast<size_t>(i) * width + axis];
      const int64_t bound = linear ? dense.elementCount() : sparse.dims[axis];
      if (index < 0 || index >= bound)
        return fail(ErrorCode::kInvalidArgument, "index {} of a sparse constant is outside [0, {}]", index, bound - 1);
      place += index * (linear ? 1 : strides[axis]);
    }
    moveElements(type, elementAt(type, sparse.values.data(), i), elementAt(type, dense.mutableData(), place), 1);
  }
  return dense;
}

Result<Tensor> constantValue(const Node& node) {
  for (const Attribute& attribute : node.attributes) {
    const AttributeValue& value = attribute.value;
    if (const auto* tensor = heldAs<Tensor>(value)) return *tensor;
    if (const auto* sparse = heldAs<SparseTensor>(value)) return densify(*sparse);
    if (const auto* number = std::get_if<float>(&value)) return Tensor::scalar(*number);
    if (const auto* number = std::get_if<int64_t>(&value)) return Tensor::scalar(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return Tensor::scalar(*text);
    if (const auto* numbers = std::get_if<std::vector<float>>(&value)) return Tensor::of<float>(*numbers);
    if (const auto* numbers = std::get_if<std::vector<int64_t>>(&value)) return Tensor::of<int64_t>(*numbers);
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value)) return Tensor::of<std::string>(*texts);
  }
  return fail(ErrorCode::kInvalidArgument, "Constant has no value attribute");
}

class ConstantKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(Tensor value, constantValue(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<ConstantKernel>(std::move(value)));
  }
  explicit ConstantKernel(Tensor value) : m_value(std::move(value)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override { return copyReshaped(context, m_value, m_value.dims()); }

 private:
  Tensor m_value;
};

class ConstantOfShapeKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    CUTAWAY_TRY(Tensor value, operators::constantOfShapeValue(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<ConstantOfShapeKernel>(std::move(value)));
  }
  explicit ConstantOfShapeKernel(Tensor value) : m_value(std::move(value)) {}

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* shape, requireTensor(context, 0));
    CUTAWAY_TRY(const Dims dims, readIntegers(*shape));
    const ElementType type = m_value.type();
    CUTAWAY_TRY(Tensor * output, context.output(0, type, dims));
    if (!isSubByte(type)) {
      fillElements(type, m_value.data(), output->mutableData(), output->elementCount());
      return {};
    }
    const int bits = bitsOf(type);
    uint8_t element = 0;
    unpackBits(bits, static_cast<const uint8_t*>(m_value.data()), &element, 1);
    const int repeated = bits == 4 ? element * 0x11 : element * 0x55;
    std::memset(output->mutableData(), repeated, static_cast<size_t>(output->sizeBytes()));
    // Bits of the last byte that no element uses are zero.
    const int64_t used = output->elementCount() * bits % 8;
    if (used != 0)
      static_cast<uint8_t*>(output->mutableData())[output->sizeBytes() - 1] &= static_cast<uint8_t>((1 << used) - 1);
    return {};
  }

 private:
  Tensor m_value;
};

constexpr int kShapeOnHost[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "Constant", .versions = {1}, .fastPath = "copy", .create = ConstantKernel::create},
    {.opType = "ConstantOfShape", .versions = {9}, .hostInputs = kShapeOnHost, .create = ConstantOfShapeKernel::create},
};

}  // namespace

KernelRows kernel_constant() {
  return kRows;
}

}  // namespace cutaway::cpu
