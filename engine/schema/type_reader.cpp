// TypeProto, ValueInfoProto and the small messages around them.

#include <algorithm>

#include "engine/base/input_budget.h"
#include "engine/base/short_name.h"
#include "engine/schema/proto_reader.h"

namespace cutaway {

namespace {

std::string normalizedDomain(std::string domain) {
  return domain == "ai.onnx" ? std::string() : std::move(domain);
}

// leastSize: the least number seen as a size. A negative one is an open dimension, as other programs have it.
Result<Dim> readDim(ByteSpan bytes, int64_t& leastSize) {
  WireReader reader(bytes);
  Dim dim;
  while (reader.next()) {
    if (reader.number() == 1 && reader.isVarint()) {
      dim = reader.signedInteger() >= 0 ? Dim(reader.signedInteger()) : Dim();
      leastSize = std::min(leastSize, reader.signedInteger());
    }
    if (reader.number() == 2 && reader.isBytes())
      dim = reader.bytes().empty() ? Dim() : Dim(shortName(reader.string(), kInputBudget.symbolBytes));
  }
  CUTAWAY_CHECK(reader.status());
  return dim;
}

Result<Shape> readShape(ByteSpan bytes, int64_t& leastSize) {
  WireReader reader(bytes);
  Shape shape;
  while (reader.next()) {
    if (reader.number() != 1 || !reader.isBytes()) continue;
    CUTAWAY_TRY(Dim dim, readDim(reader.bytes(), leastSize));
    if (shape.rank() == kInputBudget.rank)
      return fail(ErrorCode::kInvalidGraph, "a shape has more than {} dimensions", kInputBudget.rank);
    shape.mutableDims().push_back(std::move(dim));
  }
  CUTAWAY_CHECK(reader.status());
  return shape;
}

Result<void> readTensorType(ByteSpan bytes, ValueType& type, int64_t& leastSize) {
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.number() == 1 && reader.isVarint()) {
      type.element = static_cast<ElementType>(static_cast<int32_t>(reader.integer()));
      if (type.element != ElementType::kUndefined && !isKnown(type.element)) {
        return fail(ErrorCode::kNotImplemented, "element type {} is not known to this version",
                    static_cast<int32_t>(reader.integer()));
      }
    }
    if (reader.number() == 2 && reader.isBytes()) {
      CUTAWAY_TRY(type.shape, readShape(reader.bytes(), leastSize));
    }
  }
  return reader.status();
}

Result<ValueType> readTypeAt(ByteSpan bytes, int depth, int64_t& leastSize);

// Sequence and optional keep their inner type in field 1, map its key type there and the inner type in field 2.
Result<void> readContainer(ByteSpan bytes, uint32_t innerField, int depth, ValueType& type, int64_t& leastSize) {
  WireReader reader(bytes);
  while (reader.next()) {
    if (reader.number() == innerField && reader.isBytes()) {
      CUTAWAY_TRY(ValueType inner, readTypeAt(reader.bytes(), depth + 1, leastSize));
      type.inner = std::make_shared<const ValueType>(std::move(inner));
    } else if (reader.number() == 1 && reader.isVarint()) {
      type.key = static_cast<ElementType>(static_cast<int32_t>(reader.integer()));
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (!type.inner) type.inner = std::make_shared<const ValueType>();
  return {};
}

Result<ValueType> readTypeAt(ByteSpan bytes, int depth, int64_t& leastSize) {
  if (depth > kInputBudget.typeDepth)
    return fail(ErrorCode::kInvalidGraph, "a type nests more than {} levels", kInputBudget.typeDepth);
  WireReader reader(bytes);
  ValueType type;
  while (reader.next()) {
    if (!reader.isBytes()) continue;
    switch (reader.number()) {
      case 1:
        type.kind = TypeKind::kTensor;
        CUTAWAY_CHECK(readTensorType(reader.bytes(), type, leastSize));
        break;
      case 8:
        type.kind = TypeKind::kSparseTensor;
        CUTAWAY_CHECK(readTensorType(reader.bytes(), type, leastSize));
        break;
      case 4:
        type.kind = TypeKind::kSequence;
        CUTAWAY_CHECK(readContainer(reader.bytes(), 1, depth, type, leastSize));
        break;
      case 9:
        type.kind = TypeKind::kOptional;
        CUTAWAY_CHECK(readContainer(reader.bytes(), 1, depth, type, leastSize));
        break;
      case 5:
        type.kind = TypeKind::kMap;
        CUTAWAY_CHECK(readContainer(reader.bytes(), 2, depth, type, leastSize));
        break;
      case 7:
        type.kind = TypeKind::kOpaque;
        break;
      case 6:
        type.denotation = reader.string();
        break;
      default:
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (type.kind == TypeKind::kTensor && type.element == ElementType::kUndefined && !type.shape)
    type.kind = TypeKind::kUnknown;
  return type;
}

}  // namespace

Result<ValueType> readType(ByteSpan bytes) {
  int64_t leastSize = 0;
  return readTypeAt(bytes, 0, leastSize);
}

Result<ValueInfo> readValueInfo(ByteSpan bytes) {
  WireReader reader(bytes);
  ValueInfo result;
  ByteSpan type;
  while (reader.next()) {
    if (reader.number() == 1 && reader.isBytes()) result.name = reader.string();
    if (reader.number() == 2 && reader.isBytes()) type = reader.bytes();
  }
  CUTAWAY_CHECK(reader.status());
  auto read = readTypeAt(type, 0, result.leastSize);
  if (!read) return fail(atValue(std::move(read).error(), result.name));
  result.type = *std::move(read);
  return result;
}

Result<OpsetImport> readOpsetImport(ByteSpan bytes) {
  WireReader reader(bytes);
  OpsetImport import;
  while (reader.next()) {
    if (reader.number() == 1 && reader.isBytes()) import.domain = normalizedDomain(reader.string());
    if (reader.number() == 2 && reader.isVarint()) import.version = reader.signedInteger();
  }
  CUTAWAY_CHECK(reader.status());
  return import;
}

Result<std::pair<std::string, std::string>> readStringEntry(ByteSpan bytes) {
  WireReader reader(bytes);
  std::pair<std::string, std::string> entry;
  while (reader.next()) {
    if (reader.number() == 1 && reader.isBytes()) entry.first = reader.string();
    if (reader.number() == 2 && reader.isBytes()) entry.second = reader.string();
  }
  CUTAWAY_CHECK(reader.status());
  return entry;
}

}  // namespace cutaway
