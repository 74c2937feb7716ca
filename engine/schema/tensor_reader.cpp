// TensorProto and SparseTensorProto. A tensor's values stand in raw_data (used where they lie), in one of the typed
// lists (converted), or in another file (asked for).

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/input_budget.h"
#include "engine/base/mapped_pages.h"
#include "engine/schema/proto_reader.h"
#include "engine/tensor/packed_bits.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway {

namespace {

enum TensorField : uint32_t {
  kDims = 1,
  kDataType = 2,
  kSegment = 3,
  kFloatData = 4,
  kInt32Data = 5,
  kStringData = 6,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kDoubleData = 10,
  kUint64Data = 11,
  kExternalData = 13,
  kDataLocation = 14,
};

struct TensorHeader {
  std::string name;
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> dims;
  std::optional<ByteSpan> raw;
  std::vector<std::pair<std::string, std::string>> external;
  bool isExternal = false;
  bool hasSegment = false;
  uint32_t typed = 0, other = 0;  // the first list of numbers that holds something, and another
};

// Each tensor has its values in one place; which one programs read where there are two differs.
const char* fieldName(uint32_t field) {
  switch (field) {
    case kFloatData:
      return "float_data";
    case kInt32Data:
      return "int32_data";
    case kStringData:
      return "string_data";
    case kInt64Data:
      return "int64_data";
    case kDoubleData:
      return "double_data";
    default:
      return "uint64_data";
  }
}

std::optional<Error> twoPlaces(const TensorHeader& header) {
  const bool raw = header.raw && !header.raw->empty();
  if (header.typed == 0 || (!raw && header.other == 0)) return std::nullopt;
  return Error{ErrorCode::kInvalidGraph,
               fmt::format("the values of this tensor stand in {} and in {}: only one may hold them",
                           raw ? "raw_data" : fieldName(header.other), fieldName(header.typed)),
               {}};
}

bool appendPackedVarints(ByteSpan bytes, std::vector<int64_t>& values) {
  uint64_t value = 0;
  while (!bytes.empty()) {
    if (!WireReader::takeVarint(bytes, value)) return false;
    values.push_back(static_cast<int64_t>(value));
  }
  return true;
}

Result<TensorHeader> readHeader(ByteSpan bytes) {
  WireReader reader(bytes);
  TensorHeader header;
  while (reader.next()) {
    switch (reader.number()) {
      case kDims:
        if (reader.isVarint()) header.dims.push_back(reader.signedInteger());
        if (reader.isBytes() && !appendPackedVarints(reader.bytes(), header.dims))
          return fail(ErrorCode::kInvalidProtobuf, "the dimensions of a tensor are malformed");
        break;
      case kDataType:
        if (reader.isVarint()) header.type = static_cast<ElementType>(static_cast<int32_t>(reader.integer()));
        break;
      case kSegment:
        header.hasSegment = true;
        break;
      case kName:
        if (reader.isBytes()) header.name = reader.string();
        break;
      case kRawData:
        if (reader.isBytes()) header.raw = reader.bytes();
        break;
      case kFloatData:
      case kInt32Data:
      case kStringData:
      case kInt64Data:
      case kDoubleData:
      case kUint64Data:
        if (reader.isBytes() && reader.bytes().empty() && reader.number() != kStringData) break;
        if (header.typed == 0) header.typed = reader.number();
        if (reader.number() != header.typed) header.other = reader.number();
        break;
      case kExternalData:
        if (reader.isBytes()) {
          CUTAWAY_TRY(auto entry, readStringEntry(reader.bytes()));
          header.external.push_back(std::move(entry));
        }
        break;
      case kDataLocation:
        if (reader.isVarint()) header.isExternal = reader.integer() == 1;
        break;
      default:
        break;
    }
  }
  CUTAWAY_CHECK(reader.status());
  return header;
}

// Which typed list holds the values of an element type (onnx.proto, comments of TensorProto).
uint32_t typedField(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
    case ElementType::kComplex64:
      return kFloatData;
    case ElementType::kDouble:
    case ElementType::kComplex128:
      return kDoubleData;
    case ElementType::kInt64:
      return kInt64Data;
    case ElementType::kUint32:
    case ElementType::kUint64:
      return kUint64Data;
    case ElementType::kString:
      return kStringData;
    default:
      return kInt32Data;
  }
}

// Writes values of a typed list one after the other into a buffer of known size.
class TypedSink {
 public:
  TypedSink(std::byte* data, int64_t sizeBytes) : m_position(data), m_end(data + sizeBytes) {}

  void put(uint64_t value, int width) {
    if (m_end - m_position >= width) {
      std::memcpy(m_position, &value, width);
      m_position += width;
    } else {
      m_overflow = true;
    }
  }
  void putBytes(ByteSpan bytes) {
    if (m_end - m_position >= static_cast<int64_t>(bytes.size())) {
      std::memcpy(m_position, bytes.data(), bytes.size());
      m_position += bytes.size();
    } else {
      m_overflow = true;
    }
  }
  bool exactlyFull() const { return !m_overflow && m_position == m_end; }

 private:
  std::byte* m_position;
  std::byte* m_end;
  bool m_overflow = false;
};

// Bytes that one entry of the typed list fills in storage.
int entryWidth(ElementType type) {
  switch (type) {
    case ElementType::kComplex64:
      return 4;
    case ElementType::kComplex128:
      return 8;
    default:
      return std::max(1, bitsOf(type) / 8);  // sub-byte types: one entry carries a whole byte
  }
}

Result<void> fillTyped(ByteSpan message, ElementType type, int64_t sizeBytes, Tensor& tensor) {
  const uint32_t field = typedField(type);
  const int width = entryWidth(type);
  const bool fixed = field == kFloatData || field == kDoubleData;
  TypedSink sink(static_cast<std::byte*>(tensor.mutableData()), sizeBytes);
  WireReader reader(message);
  while (reader.next()) {
    if (reader.number() != field) continue;
    if (!reader.isBytes()) {
      sink.put(reader.integer(), width);
    } else if (fixed) {
      sink.putBytes(reader.bytes());
    } else {
      ByteSpan rest = reader.bytes();
      uint64_t value = 0;
      while (!rest.empty()) {
        if (!WireReader::takeVarint(rest, value))
          return fail(ErrorCode::kInvalidProtobuf, "a list of numbers is malformed");
        sink.put(value, width);
      }
    }
  }
  if (!sink.exactlyFull())
    return fail(ErrorCode::kInvalidGraph, "the number of values does not fit the dimensions {} ({} bytes)",
                dimsToText(tensor.dims()), sizeBytes);
  return {};
}

Result<void> fillStrings(ByteSpan message, Tensor& tensor) {
  auto target = tensor.span<std::string>();
  size_t count = 0;
  WireReader reader(message);
  while (reader.next()) {
    if (reader.number() != kStringData || !reader.isBytes()) continue;
    if (count < target.size()) target[count] = reader.string();
    ++count;
  }
  if (count != target.size())
    return fail(ErrorCode::kInvalidGraph, "{} strings do not fit the dimensions {}", count, dimsToText(tensor.dims()));
  return {};
}

// A lower bound of the bytes that a message must have to hold so many values, so that a tiny file cannot ask for a huge
// buffer.
bool couldHold(ByteSpan message, ElementType type, int64_t sizeBytes) {
  const int64_t entries = type == ElementType::kString ? sizeBytes / static_cast<int64_t>(sizeof(std::string))
                                                       : sizeBytes / entryWidth(type);
  return entries <= static_cast<int64_t>(message.size());
}

// Six-bit floats lie packed in files and a byte each in memory.
Result<Tensor> unpackedSixBits(ElementType type, const std::vector<int64_t>& dims, ByteSpan packed) {
  CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
  unpackSixBits(packed.data(), tensor.span<uint8_t>().data(), tensor.elementCount());
  return tensor;
}

// Whole elements of up to 8 bytes are moved as one number, complex ones included.
bool isAligned(const std::byte* data, ElementType type) {
  const int bytes = std::clamp(bitsOf(type) / 8, 1, 8);
  return reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(bytes) == 0;
}

}  // namespace

Result<Tensor> tensorFromBytes(ElementType type, const std::vector<int64_t>& dims, ByteSpan bytes,
                               const std::shared_ptr<const void>& keepAlive, int64_t& copiedBytes) {
  const auto sizeBytes = byteSize(type, dims);
  if (!sizeBytes) return fail(ErrorCode::kInvalidGraph, "{}", sizeBytes.error().message);
  const int64_t fileBytes = isSixBit(type) ? sixBitFileBytes(*sizeBytes) : *sizeBytes;
  if (static_cast<int64_t>(bytes.size()) != fileBytes) {
    return fail(ErrorCode::kInvalidGraph, "{} bytes of data, but {}{} needs {}", bytes.size(), elementTypeName(type),
                dimsToText(dims), fileBytes);
  }
  if (!isSixBit(type) && keepAlive && isAligned(bytes.data(), type))
    return Tensor::wrapConst(type, dims, bytes.data(), keepAlive);
  copiedBytes += *sizeBytes;
  if (isSixBit(type)) return unpackedSixBits(type, dims, bytes);
  CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
  if (*sizeBytes > 0) std::memcpy(tensor.mutableData(), bytes.data(), static_cast<size_t>(*sizeBytes));
  // Who reads the copy needs the file's pages no more: a weight would be in memory twice.
  constexpr int64_t kWorthReleasing = 1 << 16;
  if (*sizeBytes >= kWorthReleasing) releasePages(bytes);
  return tensor;
}

Result<NamedTensor> ProtoReader::readTensor(ByteSpan bytes) {
  CUTAWAY_TRY(TensorHeader header, readHeader(bytes));
  const auto problem = [&](Error error) { return fail(atValue(std::move(error), header.name)); };
  if (!isKnown(header.type) || header.type == ElementType::kUndefined) {
    return problem(
        {ErrorCode::kInvalidGraph,
         fmt::format("element type {} of a tensor is not known to this version", static_cast<int32_t>(header.type)),
         {}});
  }
  if (header.hasSegment) return problem({ErrorCode::kNotImplemented, "tensors in segments are not supported", {}});
  const auto sizeBytes = byteSize(header.type, header.dims);
  if (!sizeBytes) return problem({ErrorCode::kInvalidGraph, sizeBytes.error().message, {}});

  const int64_t fileBytes = isSixBit(header.type) ? sixBitFileBytes(*sizeBytes) : *sizeBytes;

  if (!header.isExternal) {
    if (auto twice = twoPlaces(header)) return problem(*std::move(twice));
  }
  if (header.isExternal) {
    if (!m_settings.external)
      return problem(
          {ErrorCode::kInvalidGraph, "the data of this tensor lies in another file, which is not allowed here", {}});
    if (header.type == ElementType::kString)
      return problem({ErrorCode::kInvalidGraph, "strings cannot be external data", {}});
    const bool packed = isSixBit(header.type);
    auto tensor = m_settings.external({header.name, packed ? ElementType::kUint8 : header.type,
                                       packed ? std::vector<int64_t>{fileBytes} : header.dims, header.external});
    if (tensor && tensor->valid() && packed) tensor = unpackedSixBits(header.type, header.dims, tensor->bytes());
    if (!tensor) return problem(std::move(tensor).error());
    if (!tensor->valid()) return NamedTensor{header.name, Tensor::wrapConst(header.type, header.dims, nullptr)};
    return NamedTensor{header.name, *std::move(tensor)};
  }
  if (header.raw && header.type != ElementType::kString && (!header.raw->empty() || *sizeBytes == 0)) {
    auto tensor = tensorFromBytes(header.type, header.dims, *header.raw, m_settings.keepAlive, m_copiedBytes);
    if (!tensor) return problem(std::move(tensor).error());
    return NamedTensor{header.name, *std::move(tensor)};
  }
  if (!couldHold(bytes, header.type, *sizeBytes)) {
    if (m_settings.allowMissingData)
      return NamedTensor{header.name, Tensor::wrapConst(header.type, header.dims, nullptr)};
    return problem(
        {ErrorCode::kInvalidGraph,
         fmt::format(
             "the file does not have the values of this tensor ({}{} needs {} bytes): they were cut off or taken out",
             elementTypeName(header.type), dimsToText(header.dims), *sizeBytes),
         {}});
  }
  auto tensor = Tensor::create(header.type, header.dims);
  if (!tensor) return problem(std::move(tensor).error());
  const auto filled = header.type == ElementType::kString ? fillStrings(bytes, *tensor)
                                                          : fillTyped(bytes, header.type, *sizeBytes, *tensor);
  if (!filled) return problem(filled.error());
  m_copiedBytes += *sizeBytes;
  return NamedTensor{header.name, *std::move(tensor)};
}

Result<SparseTensor> ProtoReader::readSparseTensor(ByteSpan bytes, std::string* name) {
  WireReader reader(bytes);
  SparseTensor sparse;
  while (reader.next()) {
    if (reader.isBytes() && reader.number() == 1) {
      CUTAWAY_TRY(NamedTensor values, readTensor(reader.bytes()));
      if (name != nullptr) *name = values.name;
      sparse.values = std::move(values.tensor);
    } else if (reader.isBytes() && reader.number() == 2) {
      CUTAWAY_TRY(NamedTensor indices, readTensor(reader.bytes()));
      sparse.indices = std::move(indices.tensor);
    } else if (reader.number() == 3) {
      if (reader.isVarint()) sparse.dims.push_back(reader.signedInteger());
      if (reader.isBytes() && !appendPackedVarints(reader.bytes(), sparse.dims))
        return fail(ErrorCode::kInvalidProtobuf, "the dimensions of a sparse tensor are malformed");
    }
  }
  CUTAWAY_CHECK(reader.status());
  if (!sparse.values.valid()) return fail(ErrorCode::kInvalidGraph, "a sparse tensor has no values");
  return sparse;
}

namespace {

void copyElement(const Tensor& from, int64_t fromIndex, Tensor& to, int64_t toIndex) {
  const int bits = bitsOf(from.type());
  if (from.type() == ElementType::kString) {
    to.span<std::string>()[static_cast<size_t>(toIndex)] = from.span<std::string>()[static_cast<size_t>(fromIndex)];
  } else if (isSubByte(from.type())) {
    setPackedBits(static_cast<uint8_t*>(to.mutableData()), toIndex, bits,
                  packedBits(static_cast<const uint8_t*>(from.data()), fromIndex, bits));
  } else {
    const int64_t width = bits / 8;
    std::memcpy(static_cast<std::byte*>(to.mutableData()) + toIndex * width,
                static_cast<const std::byte*>(from.data()) + fromIndex * width, static_cast<size_t>(width));
  }
}

}  // namespace

Result<Tensor> denseTensor(const SparseTensor& sparse) {
  const ElementType type = sparse.values.type();
  CUTAWAY_TRY(const int64_t sizeBytes, byteSize(type, sparse.dims));
  const int64_t stored = sparse.values.sizeBytes() + (sparse.indices.valid() ? sparse.indices.sizeBytes() : 0);
  const int64_t most =
      std::min(kInputBudget.denseBytes, std::max(kInputBudget.denseAlways, stored * kInputBudget.denseTimesStored));
  if (sizeBytes > most)
    return fail(ErrorCode::kInvalidGraph,
                "a sparse tensor would need {} bytes when dense, and at most {} are made of its {}: write it dense",
                sizeBytes, most, stored);
  const int64_t count = sparse.values.elementCount();
  const size_t rank = sparse.dims.size();
  const Tensor& indices = sparse.indices;
  const bool linear = indices.valid() && indices.rank() == 1;
  if (count > 0 && (!indices.valid() || indices.type() != ElementType::kInt64 ||
                    indices.elementCount() != (linear ? count : count * static_cast<int64_t>(rank)))) {
    return fail(ErrorCode::kInvalidGraph, "the indices of a sparse tensor do not fit its {} values", count);
  }
  CUTAWAY_TRY(Tensor dense, Tensor::create(type, sparse.dims));
  if (type != ElementType::kString) std::memset(dense.mutableData(), 0, sizeBytes);
  const int64_t total = dense.elementCount();
  const int64_t* index = count > 0 ? static_cast<const int64_t*>(indices.data()) : nullptr;
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = 0;
    if (linear) {
      offset = index[i];
    } else {
      for (size_t axis = 0; axis < rank; ++axis) {
        const int64_t at = index[i * static_cast<int64_t>(rank) + static_cast<int64_t>(axis)];
        if (at < 0 || at >= sparse.dims[axis])
          return fail(ErrorCode::kInvalidGraph, "index {} of a sparse tensor is outside its dimension {}", at,
                      sparse.dims[axis]);
        offset = offset * sparse.dims[axis] + at;
      }
    }
    if (offset < 0 || offset >= total)
      return fail(ErrorCode::kInvalidGraph, "index {} of a sparse tensor is outside its {} elements", offset, total);
    copyElement(sparse.values, i, dense, offset);
  }
  return dense;
}

}  // namespace cutaway
