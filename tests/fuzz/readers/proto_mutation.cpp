// Through protobuf's reflection: every message of the format, also those that later versions bring.
#include "tests/fuzz/readers/proto_mutation.h"

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include <onnx/onnx_pb.h>

namespace cutaway::fuzz {

namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr size_t kMostMessages = 4096, kMostBytes = 1 << 18;

void gather(Message& message, std::vector<Message*>& all) {
  if (all.size() >= kMostMessages) return;
  all.push_back(&message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      gather(*reflection.MutableMessage(&message, field), all);
      continue;
    }
    for (int i = 0; i < reflection.FieldSize(message, field); ++i)
      gather(*reflection.MutableRepeatedMessage(&message, field, i), all);
  }
}

int64_t oddNumber(Random& random) {
  static constexpr std::array<int64_t, 12> kNumbers{std::numeric_limits<int64_t>::min(),
                                                    std::numeric_limits<int64_t>::max(),
                                                    int64_t{1} << 40,
                                                    int64_t{1} << 31,
                                                    -(int64_t{1} << 31),
                                                    -1,
                                                    0,
                                                    1,
                                                    2,
                                                    3,
                                                    7,
                                                    16};
  return random.oneIn(3) ? static_cast<int64_t>(random.below(64)) : kNumbers[random.below(kNumbers.size())];
}

std::string oddText(const std::vector<Message*>& all, Random& random) {
  static const std::array<std::string, 8> kTexts{"",        "x",   "y", "\x1b[31m", "\xff\xfe", std::string("a\0b", 3),
                                                 "ai.onnx", "Relu"};
  // Mostly a text that the model has already: names meet.
  for (int tries = 0; tries < 8 && !random.oneIn(4); ++tries) {
    const Message& message = *all[random.below(all.size())];
    std::vector<const FieldDescriptor*> fields;
    message.GetReflection()->ListFields(message, &fields);
    if (fields.empty()) continue;
    const FieldDescriptor* field = fields[random.below(fields.size())];
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) continue;
    if (!field->is_repeated()) return message.GetReflection()->GetString(message, field);
    const auto size = static_cast<size_t>(message.GetReflection()->FieldSize(message, field));
    return message.GetReflection()->GetRepeatedString(message, field, static_cast<int>(random.below(size)));
  }
  return kTexts[random.below(kTexts.size())];
}

// Of this kind, out of the tree; nullptr: none was met.
const Message* another(const google::protobuf::Descriptor* kind, const std::vector<Message*>& all, Random& random) {
  for (int tries = 0; tries < 16; ++tries) {
    const Message* found = all[random.below(all.size())];
    if (found->GetDescriptor() == kind) return found;
  }
  return nullptr;
}

void setNumber(Message& message, const FieldDescriptor* field, bool isNew, Random& random) {
  const Reflection& reflection = *message.GetReflection();
  const int64_t number = oddNumber(random);
  const bool isList = field->is_repeated();
  const int at =
      isNew || !isList ? 0 : static_cast<int>(random.below(static_cast<size_t>(reflection.FieldSize(message, field))));
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return isNew    ? reflection.AddInt32(&message, field, static_cast<int32_t>(number))
             : isList ? reflection.SetRepeatedInt32(&message, field, at, static_cast<int32_t>(number))
                      : reflection.SetInt32(&message, field, static_cast<int32_t>(number));
    case FieldDescriptor::CPPTYPE_INT64:
      return isNew    ? reflection.AddInt64(&message, field, number)
             : isList ? reflection.SetRepeatedInt64(&message, field, at, number)
                      : reflection.SetInt64(&message, field, number);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return isNew    ? reflection.AddFloat(&message, field, static_cast<float>(number))
             : isList ? reflection.SetRepeatedFloat(&message, field, at, static_cast<float>(number))
                      : reflection.SetFloat(&message, field, static_cast<float>(number));
    case FieldDescriptor::CPPTYPE_ENUM:
      if (!isList) reflection.SetEnumValue(&message, field, static_cast<int>(number));
      return;
    default:
      return;
  }
}

void changeText(Message& message, const FieldDescriptor* field, const std::vector<Message*>& all, Random& random) {
  const Reflection& reflection = *message.GetReflection();
  std::string text = oddText(all, random);
  if (!field->is_repeated()) return reflection.SetString(&message, field, std::move(text));
  const auto size = static_cast<size_t>(reflection.FieldSize(message, field));
  if (size == 0 || random.oneIn(3)) return reflection.AddString(&message, field, std::move(text));
  reflection.SetRepeatedString(&message, field, static_cast<int>(random.below(size)), std::move(text));
}

void changeMessage(Message& message, const FieldDescriptor* field, const std::vector<Message*>& all, Random& random) {
  const Reflection& reflection = *message.GetReflection();
  // A copy, made before: the other may be around this place, or end with what this field takes the place of.
  std::unique_ptr<Message> copy;
  if (const Message* other = another(field->message_type(), all, random)) {
    copy.reset(other->New());
    copy->CopyFrom(*other);
  }
  Message* place =
      field->is_repeated() ? reflection.AddMessage(&message, field) : reflection.MutableMessage(&message, field);
  if (copy != nullptr) place->CopyFrom(*copy);
}

void change(Message& root, Random& random) {
  std::vector<Message*> all;
  gather(root, all);
  Message& message = *all[random.below(all.size())];
  const Reflection& reflection = *message.GetReflection();
  const auto* descriptor = message.GetDescriptor();
  if (descriptor->field_count() == 0) return;
  const FieldDescriptor* field =
      descriptor->field(static_cast<int>(random.below(static_cast<size_t>(descriptor->field_count()))));
  const int size = field->is_repeated() ? reflection.FieldSize(message, field) : 0;
  if (size > 0 && random.oneIn(3)) return reflection.RemoveLast(&message, field);
  if (size > 1 && random.oneIn(3))
    return reflection.SwapElements(&message, field, static_cast<int>(random.below(static_cast<size_t>(size))),
                                   size - 1);
  if (!field->is_repeated() && reflection.HasField(message, field) && random.oneIn(4))
    return reflection.ClearField(&message, field);
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) return changeText(message, field, all, random);
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) return changeMessage(message, field, all, random);
  setNumber(message, field, field->is_repeated() && (size == 0 || random.oneIn(2)), random);
}

}  // namespace

std::optional<std::string> mutatedModel(std::string_view bytes, Random& random) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || !model.has_graph()) return std::nullopt;
  for (size_t times = 1 + random.below(4); times-- > 0;)
    change(model, random);
  std::string changed;
  if (!model.SerializePartialToString(&changed) || changed.size() > kMostBytes) return std::nullopt;
  return changed;
}

}  // namespace cutaway::fuzz
