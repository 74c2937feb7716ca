#include "engine/stages/load/tensor_file.h"

#include <cstring>

#include <onnx/onnx-data.pb.h>

#include "engine/base/input_budget.h"
#include "engine/base/mapped_file.h"
#include "engine/base/write_file.h"
#include "engine/schema/proto_reader.h"
#include "engine/schema/proto_writer.h"
#include "engine/stages/load/npy_file.h"

namespace cutaway::load {

namespace {

// Numbers of onnx-data.proto: what a sequence or optional holds.
enum Holds : uint64_t {
  kHoldsNothing = 0,
  kHoldsTensor = 1,
  kHoldsSparse = 2,
  kHoldsSequence = 3,
  kHoldsMap = 4,
  kHoldsOptional = 5
};

Result<NamedValue> readTensorMessage(ByteSpan bytes, const std::shared_ptr<const void>& keepAlive) {
  ProtoReaderSettings settings;
  settings.keepAlive = keepAlive;
  ProtoReader reader(std::move(settings));
  CUTAWAY_TRY(NamedTensor named, reader.readTensor(bytes));
  return NamedValue{std::move(named.name), RuntimeValue(std::move(named.tensor))};
}

class ValueReader {
 public:
  explicit ValueReader(std::shared_ptr<const void> keepAlive) : m_keepAlive(std::move(keepAlive)) {}

  Result<NamedValue> read(ByteSpan bytes, Holds kind, int depth, const ValueType& expected) {
    if (depth > kInputBudget.valueDepth)
      return fail(ErrorCode::kInvalidProtobuf, "a value nests more than {} levels", kInputBudget.valueDepth);
    switch (kind) {
      case kHoldsTensor:
        return readTensorMessage(bytes, m_keepAlive);
      case kHoldsSequence:
        return readSequence(bytes, depth, expected);
      case kHoldsOptional:
        return readOptional(bytes, depth, expected);
      case kHoldsMap:
        return readMap(bytes);
      default:
        return fail(ErrorCode::kNotImplemented, "values of kind {} are not read from files",
                    static_cast<uint64_t>(kind));
    }
  }

 private:
  // name 1, elem_type 2, then one list a kind: tensors 3, sparse 4, sequences 5, maps 6, optionals 7.
  Result<NamedValue> readSequence(ByteSpan bytes, int depth, const ValueType& expected) {
    SequenceValue sequence;
    const ValueType unknown;
    const ValueType& inner = expected.kind == TypeKind::kSequence && expected.inner ? *expected.inner : unknown;
    sequence.elementType = inner;
    std::string name;
    WireReader reader(bytes);
    while (reader.next()) {
      if (reader.number() == 1 && reader.isBytes()) name = reader.string();
      if (reader.number() < 3 || reader.number() > 7 || !reader.isBytes()) continue;
      CUTAWAY_TRY(NamedValue item, read(reader.bytes(), static_cast<Holds>(reader.number() - 2), depth + 1, inner));
      sequence.items.push_back(std::move(item.value));
    }
    CUTAWAY_CHECK(reader.status());
    if (!sequence.elementType.known() && !sequence.items.empty() && sequence.items.front().isTensor()) {
      sequence.elementType = ValueType::tensor(sequence.items.front().tensor().type(), std::nullopt);
    }
    return NamedValue{std::move(name), RuntimeValue(std::move(sequence))};
  }

  // name 1, elem_type 2, tensor 3, sparse 4, sequence 5, map 6, optional 7.
  Result<NamedValue> readOptional(ByteSpan bytes, int depth, const ValueType& expected) {
    const ValueType unknown;
    const ValueType& inner = expected.kind == TypeKind::kOptional && expected.inner ? *expected.inner : unknown;
    NamedValue result;
    WireReader reader(bytes);
    while (reader.next()) {
      if (reader.number() == 1 && reader.isBytes()) result.name = reader.string();
      if (reader.number() < 3 || reader.number() > 7 || !reader.isBytes()) continue;
      CUTAWAY_TRY(NamedValue item, read(reader.bytes(), static_cast<Holds>(reader.number() - 2), depth + 1, inner));
      result.value = std::move(item.value);
    }
    CUTAWAY_CHECK(reader.status());
    return result;
  }

  // name 1, key_type 2, keys 3, string_keys 4, values 5 (a sequence of tensors).
  Result<NamedValue> readMap(ByteSpan bytes) {
    std::vector<int64_t> keys;
    std::vector<std::string> stringKeys;
    ByteSpan values;
    NamedValue result;
    WireReader reader(bytes);
    while (reader.next()) {
      if (reader.number() == 1 && reader.isBytes()) result.name = reader.string();
      if (reader.number() == 3 && reader.isVarint()) keys.push_back(reader.signedInteger());
      if (reader.number() == 3 && reader.isBytes()) {
        ByteSpan rest = reader.bytes();
        uint64_t key = 0;
        while (!rest.empty()) {
          if (!WireReader::takeVarint(rest, key))
            return fail(ErrorCode::kInvalidProtobuf, "the keys of a map are malformed");
          keys.push_back(static_cast<int64_t>(key));
        }
      }
      if (reader.number() == 4 && reader.isBytes()) stringKeys.push_back(reader.string());
      if (reader.number() == 5 && reader.isBytes()) values = reader.bytes();
    }
    CUTAWAY_CHECK(reader.status());
    CUTAWAY_TRY(NamedValue sequence, readSequence(values, 0, {}));
    MapValue map;
    map.keys = stringKeys.empty() ? Tensor::of(std::span<const int64_t>(keys))
                                  : Tensor::of(std::span<const std::string>(stringKeys));
    CUTAWAY_TRY(map.values, mapValues(sequence.value.sequence().items, map.keys.elementCount()));
    result.value = RuntimeValue(std::move(map));
    return result;
  }

  // The values of a map: one tensor of as many elements as there are keys, or a tensor of one element for each key.
  static Result<Tensor> mapValues(const std::vector<RuntimeValue>& items, int64_t keys) {
    for (const RuntimeValue& item : items) {
      if (!item.isTensor() || item.tensor().type() != items[0].tensor().type())
        return fail(ErrorCode::kNotImplemented, "maps are read only with tensors of one type as values");
    }
    if (items.size() == 1 && items[0].tensor().elementCount() == keys)
      return items[0].tensor().reshaped(std::span<const int64_t>(&keys, 1));
    if (static_cast<int64_t>(items.size()) != keys)
      return fail(ErrorCode::kInvalidProtobuf, "a map has {} keys and {} values", keys, items.size());
    CUTAWAY_TRY(Tensor all, Tensor::create(items.empty() ? ElementType::kFloat : items[0].tensor().type(), {keys}));
    if (isSubByte(all.type()))
      return fail(ErrorCode::kNotImplemented, "maps to {} are not read", elementTypeName(all.type()));
    for (size_t i = 0; i < items.size(); ++i) {
      const Tensor& item = items[i].tensor();
      if (item.elementCount() != 1)
        return fail(ErrorCode::kNotImplemented, "value {} of a map has {} elements; only single ones are read", i,
                    item.elementCount());
      if (all.type() == ElementType::kString)
        all.span<std::string>()[i] = item.span<std::string>()[0];
      else
        std::memcpy(all.mutableBytes().data() + i * static_cast<size_t>(item.sizeBytes()), item.data(),
                    static_cast<size_t>(item.sizeBytes()));
    }
    return all;
  }

  std::shared_ptr<const void> m_keepAlive;
};

Holds messageKind(const ValueType& expected) {
  switch (expected.kind) {
    case TypeKind::kSequence:
      return kHoldsSequence;
    case TypeKind::kOptional:
      return kHoldsOptional;
    case TypeKind::kMap:
      return kHoldsMap;
    default:
      return kHoldsTensor;
  }
}

// Keys, and one tensor without axes for each value, as onnx's own tools write and read maps.
Result<void> fillMap(const MapValue& map, onnx::MapProto& proto) {
  proto.set_key_type(static_cast<int32_t>(map.keys.type()));
  if (map.keys.type() == ElementType::kString) {
    for (const std::string& key : map.keys.span<std::string>())
      proto.add_string_keys(key);
  } else {
    for (const int64_t key : map.keys.span<int64_t>())
      proto.add_keys(key);
  }
  if (isSubByte(map.values.type()))
    return fail(ErrorCode::kNotImplemented, "maps to {} are not written", elementTypeName(map.values.type()));
  proto.mutable_values()->set_elem_type(onnx::SequenceProto::TENSOR);
  const int64_t count = map.values.elementCount();
  const auto* bytes = static_cast<const std::byte*>(map.values.data());
  for (int64_t i = 0; i < count; ++i)
    writeTensor(Tensor::wrapConst(map.values.type(), {}, bytes + i * (map.values.sizeBytes() / count)), "",
                *proto.mutable_values()->add_tensor_values());
  return {};
}

// Sequences may hold sequences, as deep as kInputBudget.valueDepth.
Result<void> fillSequence(const SequenceValue& sequence, onnx::SequenceProto& proto, int depth = 0) {
  if (depth > kInputBudget.valueDepth)
    return fail(ErrorCode::kNotImplemented, "a value nests more than {} levels", kInputBudget.valueDepth);
  for (const RuntimeValue& item : sequence.items) {
    if (item.isTensor()) {
      proto.set_elem_type(onnx::SequenceProto::TENSOR);
      writeTensor(item.tensor(), "", *proto.add_tensor_values());
    } else if (item.isMap()) {
      proto.set_elem_type(onnx::SequenceProto::MAP);
      CUTAWAY_CHECK(fillMap(item.map(), *proto.add_map_values()));
    } else if (item.isSequence()) {
      proto.set_elem_type(onnx::SequenceProto::SEQUENCE);
      CUTAWAY_CHECK(fillSequence(item.sequence(), *proto.add_sequence_values(), depth + 1));
    } else {
      return fail(ErrorCode::kNotImplemented, "a sequence with an absent item is not written");
    }
  }
  return {};
}

Result<std::string> pbBytes(std::string_view name, const RuntimeValue& value) {
  std::string bytes;
  if (value.isTensor()) {
    onnx::TensorProto proto;
    writeTensor(value.tensor(), name, proto);
    if (!proto.SerializeToString(&bytes))
      return fail(ErrorCode::kFail, "the tensor passes the 2 GB limit of .pb files");
  } else if (value.isSequence()) {
    onnx::SequenceProto proto;
    proto.set_name(std::string(name));
    CUTAWAY_CHECK(fillSequence(value.sequence(), proto));
    if (!proto.SerializeToString(&bytes))
      return fail(ErrorCode::kFail, "the sequence passes the 2 GB limit of .pb files");
  } else if (value.isMap()) {
    onnx::MapProto proto;
    proto.set_name(std::string(name));
    CUTAWAY_CHECK(fillMap(value.map(), proto));
    if (!proto.SerializeToString(&bytes)) return fail(ErrorCode::kFail, "the map passes the 2 GB limit of .pb files");
  } else {
    onnx::OptionalProto proto;
    proto.set_name(std::string(name));
    if (!proto.SerializeToString(&bytes)) return fail(ErrorCode::kFail, "the value cannot be written");
  }
  return bytes;
}

Result<NamedValue> readFrom(const std::filesystem::path& path, const ValueType& expected) {
  CUTAWAY_TRY(const auto file, MappedFile::open(path));
  const ByteSpan bytes = file->bytes();
  if (isNpy(bytes) || path.extension() == ".npy") {
    CUTAWAY_TRY(Tensor tensor, readNpy(bytes));
    return NamedValue{"", RuntimeValue(std::move(tensor))};
  }
  if (textOf(bytes).starts_with("version https://git-lfs"))
    return fail(ErrorCode::kInvalidProtobuf,
                "this is a Git-LFS pointer, not the tensor: fetch the real file with `git lfs pull`");
  const Holds kind = messageKind(expected);
  // An empty optional is an empty message.
  if (bytes.empty() && kind == kHoldsTensor) return fail(ErrorCode::kInvalidProtobuf, "the file is empty");
  ValueReader reader(file);
  return reader.read(bytes, kind, 0, expected);
}

}  // namespace

Result<NamedValue> readTensorFile(const std::filesystem::path& path, const ValueType& expected) {
  auto value = readFrom(path, expected);
  if (!value) return fail(atFile(std::move(value).error(), path.string()));
  return value;
}

Result<void> writeTensorFile(const std::filesystem::path& path, std::string_view name, const RuntimeValue& value,
                             TensorFileFormat format) {
  const auto problem = [&](Error error) { return fail(atFile(std::move(error), path.string())); };
  if (format == TensorFileFormat::kNpy && !value.isTensor())
    return problem({ErrorCode::kInvalidArgument, "a .npy file holds one tensor; write this value as .pb", {}});
  auto bytes = format == TensorFileFormat::kNpy ? writeNpy(value.tensor()) : pbBytes(name, value);
  if (!bytes) return problem(std::move(bytes).error());
  return writeFile(path, {bytes->data(), bytes->size()});
}

}  // namespace cutaway::load
