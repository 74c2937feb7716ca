#include "engine/stages/load/ort_format/ort_values.h"

#include "engine/base/input_budget.h"
#include "engine/base/short_name.h"
#include "engine/stages/load/ort_format/ort_fields.h"

namespace cutaway::load::ort {

namespace {

Result<ElementType> elementType(int32_t stored, FlatField field) {
  const auto type = static_cast<ElementType>(stored);
  if (type != ElementType::kUndefined && !isKnown(type))
    return fail(ErrorCode::kNotImplemented, "{} is {}, an element type that this version does not know", field.name,
                stored);
  return type;
}

Dim readDim(const FlatTable& dimension) {
  const FlatTable value = dimension.table(kDimensionValue);
  switch (static_cast<StoredDim>(value.number<int8_t>(kDimType))) {
    case StoredDim::kNumber: {
      const auto number = value.number<int64_t>(kDimNumber);
      return number >= 0 ? Dim(number) : Dim();
    }
    case StoredDim::kSymbol:
      return Dim(shortName(value.text(kDimSymbol), kInputBudget.symbolBytes));
    default:
      return {};
  }
}

Result<void> readTensorType(const FlatTable& stored, ValueType& type) {
  type.kind = TypeKind::kTensor;
  CUTAWAY_TRY(type.element, elementType(stored.number<int32_t>(kTensorTypeElement), kTensorTypeElement));
  if (const FlatTable shape = stored.table(kTensorTypeShape)) {
    type.shape.emplace();
    const auto dimensions = shape.tables(kShapeDims);
    if (dimensions.size() > kInputBudget.rank)
      return fail(ErrorCode::kInvalidGraph, "a shape has more than {} dimensions", kInputBudget.rank);
    for (const FlatTable& dimension : dimensions)
      type.shape->mutableDims().push_back(readDim(dimension));
  }
  if (type.element == ElementType::kUndefined && !type.shape) type.kind = TypeKind::kUnknown;
  return {};
}

Result<ValueType> readTypeAt(const FlatTable& table, int depth) {
  if (depth > kInputBudget.typeDepth)
    return fail(ErrorCode::kInvalidGraph, "a type nests more than {} levels", kInputBudget.typeDepth);
  ValueType type;
  type.denotation = table.text(kTypeDenotation);
  const FlatTable stored = table.table(kTypeValue);
  const auto kind = table.number<uint8_t>(kTypeKind);
  switch (static_cast<StoredType>(kind)) {
    case StoredType::kNone:
      break;
    case StoredType::kTensor:
      CUTAWAY_CHECK(readTensorType(stored, type));
      break;
    case StoredType::kSequence: {
      CUTAWAY_TRY(ValueType inner, readTypeAt(stored.table(kSequenceElement), depth + 1));
      type.kind = TypeKind::kSequence;
      type.inner = std::make_shared<const ValueType>(std::move(inner));
      break;
    }
    case StoredType::kMap: {
      CUTAWAY_TRY(ValueType inner, readTypeAt(stored.table(kMapValue), depth + 1));
      type.kind = TypeKind::kMap;
      CUTAWAY_TRY(type.key, elementType(stored.number<int32_t>(kMapKey), kMapKey));
      type.inner = std::make_shared<const ValueType>(std::move(inner));
      break;
    }
    default:
      return fail(ErrorCode::kNotImplemented, "{} is {}, a kind of type that this version does not know",
                  kTypeKind.name, kind);
  }
  return type;
}

Result<Tensor> readStrings(const FlatTable& table, const std::vector<int64_t>& dims) {
  std::vector<std::string> texts = table.texts(kTensorStrings);
  if (const auto needed = byteSize(ElementType::kString, dims);
      !needed || *needed != static_cast<int64_t>(texts.size() * sizeof(std::string)))
    return fail(ErrorCode::kInvalidGraph, "{} strings do not fit the dimensions {}", texts.size(), dimsToText(dims));
  CUTAWAY_TRY(Tensor tensor, Tensor::create(ElementType::kString, dims));
  const auto target = tensor.span<std::string>();
  for (size_t i = 0; i < target.size(); ++i)
    target[i] = std::move(texts[i]);
  return tensor;
}

template <typename T>
Tensor widened(const Tensor& narrow) {
  const auto stored = narrow.span<const T>();
  const std::vector<int64_t> wide(stored.begin(), stored.end());
  return Tensor::of(std::span<const int64_t>(wide)).reshaped(narrow.dims());
}

// The format stores indices in the smallest type that holds them.
Result<Tensor> wideIndices(Tensor stored) {
  switch (stored.type()) {
    case ElementType::kInt8:
      return widened<int8_t>(stored);
    case ElementType::kInt16:
      return widened<int16_t>(stored);
    case ElementType::kInt32:
      return widened<int32_t>(stored);
    case ElementType::kInt64:
      return stored;
    default:
      return fail(ErrorCode::kInvalidGraph, "the indices of a sparse tensor are of type {}, not of an integer type",
                  elementTypeName(stored.type()));
  }
}

}  // namespace

Result<ValueType> readType(const FlatTable& table) {
  return readTypeAt(table, 0);
}

Result<NamedTensor> readTensor(const FlatTable& table, const std::shared_ptr<const void>& keepAlive,
                               int64_t& copiedBytes) {
  NamedTensor named;
  named.name = table.text(kTensorName);
  const auto dims = table.numbers<int64_t>(kTensorDims);
  const auto problem = [&](Error error) { return fail(atValue(std::move(error), named.name)); };
  auto type = elementType(table.number<int32_t>(kTensorType), kTensorType);
  if (!type) return problem(std::move(type).error());
  if (*type == ElementType::kUndefined) return problem({ErrorCode::kInvalidGraph, "a tensor has no element type", {}});
  if (table.number<int64_t>(kTensorExternalOffset, -1) >= 0) {
    return problem({ErrorCode::kNotImplemented,
                    "the data of this tensor lies in another file, which .ort models of sessions do not have (training "
                    "checkpoints do): open the .onnx model it was made from",
                    {}});
  }
  auto tensor = *type == ElementType::kString
                    ? readStrings(table, dims)
                    : tensorFromBytes(*type, dims, table.bytes(kTensorRaw), keepAlive, copiedBytes);
  if (!tensor) return problem(std::move(tensor).error());
  named.tensor = *std::move(tensor);
  return named;
}

Result<NamedTensor> readSparseTensor(const FlatTable& table, const std::shared_ptr<const void>& keepAlive,
                                     int64_t& copiedBytes) {
  CUTAWAY_TRY(NamedTensor values, readTensor(table.table(kSparseValues), keepAlive, copiedBytes));
  CUTAWAY_TRY(NamedTensor stored, readTensor(table.table(kSparseIndices), keepAlive, copiedBytes));
  auto indices = wideIndices(std::move(stored.tensor));
  if (!indices) return fail(atValue(std::move(indices).error(), values.name));
  auto dense = denseTensor({std::move(values.tensor), *std::move(indices), table.numbers<int64_t>(kSparseDims)});
  if (!dense) return fail(atValue(std::move(dense).error(), values.name));
  return NamedTensor{std::move(values.name), *std::move(dense)};
}

}  // namespace cutaway::load::ort
