#include "engine/graph/attribute_text.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/graph/graph.h"

namespace cutaway {
namespace {

constexpr size_t kMaxAttributeText = 200;
constexpr int64_t kPreviewElements = 8;

std::string shortened(std::string text) {
  if (text.size() <= kMaxAttributeText) return text;
  // Not inside a UTF-8 character.
  size_t end = kMaxAttributeText - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
    --end;
  text.resize(end);
  return text + "...";
}

template <typename T>
std::string listText(std::span<const T> values) {
  std::string text = "[";
  for (size_t i = 0; i < values.size() && text.size() <= kMaxAttributeText; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", values[i]);
  return text + "]";
}

std::string tensorText(const Tensor& tensor) {
  return fmt::format("{}{} {}", elementTypeName(tensor.type()), dimsToText(tensor.dims()), tensorPreview(tensor));
}

// Compiled contexts and the like are bytes of any size in a text attribute: only the beginning is looked at, and their
// size is said in its place.
std::string stringText(std::string_view value) {
  const std::string_view start = value.substr(0, kMaxAttributeText + 1);
  const bool binary = std::any_of(start.begin(), start.end(), [](char letter) {
    return (static_cast<unsigned char>(letter) < 0x20 && letter != '\n' && letter != '\t' && letter != '\r') ||
           letter == 0x7f;
  });
  return binary ? fmt::format("binary, {} bytes", value.size()) : std::string(start);
}

struct AttributeText {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return fmt::format("{}", value); }
  // Long ones are whole binaries (EPContext): only what is shown is copied.
  std::string operator()(const std::string& value) const { return stringText(value); }
  std::string operator()(const Tensor& value) const { return tensorText(value); }
  std::string operator()(const GraphBox& value) const {
    return fmt::format("graph '{}' with {}", value->name(), counted(static_cast<int64_t>(value->nodeCount()), "node"));
  }
  std::string operator()(const std::vector<int64_t>& values) const {
    return listText(std::span<const int64_t>(values));
  }
  std::string operator()(const std::vector<float>& values) const { return listText(std::span<const float>(values)); }
  std::string operator()(const std::vector<std::string>& values) const {
    return listText(std::span<const std::string>(values));
  }
  std::string operator()(const std::vector<Tensor>& values) const { return fmt::format("{} tensors", values.size()); }
  std::string operator()(const std::vector<GraphBox>& values) const { return fmt::format("{} graphs", values.size()); }
  std::string operator()(const SparseTensor& value) const { return fmt::format("sparse {}", tensorText(value.values)); }
  std::string operator()(const std::vector<SparseTensor>& values) const {
    return fmt::format("{} sparse tensors", values.size());
  }
  std::string operator()(const ValueType& value) const { return toText(value); }
  std::string operator()(const std::vector<ValueType>& values) const { return fmt::format("{} types", values.size()); }
  std::string operator()(const AttributeReference& value) const { return "@" + value.name; }
};

}  // namespace

std::string tensorPreview(const Tensor& tensor) {
  const int64_t count = std::min(tensor.elementCount(), kPreviewElements);
  if (tensor.data() == nullptr || count == 0) return {};
  std::string text;
  const auto add = [&](const auto& value) { text += fmt::format("{}{}", text.empty() ? "" : ", ", value); };
  const auto addAll = [&]<typename T>(T) {
    for (int64_t i = 0; i < count; ++i)
      add(tensor.span<T>()[static_cast<size_t>(i)]);
  };
  switch (tensor.type()) {
    case ElementType::kFloat:
      addAll(float{});
      break;
    case ElementType::kDouble:
      addAll(double{});
      break;
    case ElementType::kInt64:
      addAll(int64_t{});
      break;
    case ElementType::kInt32:
      addAll(int32_t{});
      break;
    case ElementType::kInt16:
      addAll(int16_t{});
      break;
    case ElementType::kUint16:
      addAll(uint16_t{});
      break;
    case ElementType::kUint32:
      addAll(uint32_t{});
      break;
    case ElementType::kUint64:
      addAll(uint64_t{});
      break;
    case ElementType::kInt8:
      for (int64_t i = 0; i < count; ++i)
        add(static_cast<int>(tensor.span<int8_t>()[static_cast<size_t>(i)]));
      break;
    case ElementType::kUint8:
      for (int64_t i = 0; i < count; ++i)
        add(static_cast<int>(tensor.span<uint8_t>()[static_cast<size_t>(i)]));
      break;
    case ElementType::kBool:
      for (int64_t i = 0; i < count; ++i)
        add(tensor.span<uint8_t>()[static_cast<size_t>(i)] != 0);
      break;
    case ElementType::kFloat16:
      for (int64_t i = 0; i < count; ++i)
        add(tensor.span<Float16>()[static_cast<size_t>(i)].toFloat());
      break;
    case ElementType::kBfloat16:
      for (int64_t i = 0; i < count; ++i)
        add(tensor.span<Bfloat16>()[static_cast<size_t>(i)].toFloat());
      break;
    case ElementType::kString:
      for (int64_t i = 0; i < count; ++i)
        add("'" + tensor.span<std::string>()[static_cast<size_t>(i)] + "'");
      break;
    default:
      return {};
  }
  return shortened(text + (tensor.elementCount() > count ? ", ..." : ""));
}

std::string attributeText(const Attribute& attribute) {
  return shortened(visitHeld(AttributeText{}, attribute.value));
}

}  // namespace cutaway
