#include "engine/graph/text_tensor.h"

#include <charconv>

#include "engine/base/quote.h"
#include "engine/tensor/packed_bits.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway {
namespace {

template <typename T>
Result<T> numberFromText(std::string_view text) {
  T value{};
  if (text == "true" || text == "false") text = text == "true" ? "1" : "0";
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return fail(ErrorCode::kInvalidArgument, "{} is out of range", text);
  if (error != std::errc() || end != text.data() + text.size())
    return fail(ErrorCode::kInvalidArgument, "'{}' is not a number of this type", text);
  return value;
}

bool isNarrow(ElementType type) {
  switch (type) {
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
      return true;
    default:
      return isSixBit(type);
  }
}

// Writes and reads element i of a packed tensor.
std::string packedText(ElementType type, const uint8_t* bytes, int64_t index) {
  const int bits = bitsOf(type);
  const uint8_t code = packedBits(bytes, index, bits);
  if (type == ElementType::kFloat4E2M1) return fmt::format("{}", narrowToFloat(type, code));
  const bool isSigned = type == ElementType::kInt4 || type == ElementType::kInt2;
  return std::to_string(isSigned ? signExtend(code, bits) : code);
}

Result<void> setPacked(ElementType type, uint8_t* bytes, int64_t index, std::string_view text) {
  const int bits = bitsOf(type);
  if (type == ElementType::kFloat4E2M1) {
    CUTAWAY_TRY(const float value, numberFromText<float>(text));
    setPackedBits(bytes, index, bits, floatToNarrow(type, value, true));
    return {};
  }
  CUTAWAY_TRY(const int64_t value, numberFromText<int64_t>(text));
  const bool isSigned = type == ElementType::kInt4 || type == ElementType::kInt2;
  const int64_t low = isSigned ? -(int64_t{1} << (bits - 1)) : 0;
  const int64_t high = low + (int64_t{1} << bits) - 1;
  if (value < low || value > high)
    return fail(ErrorCode::kInvalidArgument, "{} is out of range for {}", value, elementTypeName(type));
  setPackedBits(bytes, index, bits, static_cast<uint8_t>(value & 0xF));
  return {};
}

template <typename T>
void appendAll(std::string& text, const void* data, int64_t count) {
  const T* values = static_cast<const T*>(data);
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    if constexpr (std::is_same_v<T, std::string>) {
      text += quotedText(values[i]);
    } else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>) {
      text += fmt::format("{}", values[i].toFloat());
    } else if constexpr (std::is_same_v<T, bool>) {
      text += values[i] ? '1' : '0';
    } else {
      text += fmt::format("{}", values[i]);
    }
  }
}

template <typename T>
Result<void> setOne(void* data, int64_t index, const ElementText& element) {
  T* values = static_cast<T*>(data);
  if constexpr (std::is_same_v<T, std::string>) {
    values[index] = element.text;
  } else if constexpr (std::is_same_v<T, Float16> || std::is_same_v<T, Bfloat16>) {
    CUTAWAY_TRY(const float value, numberFromText<float>(element.text));
    values[index] = T::fromFloat(value);
  } else if constexpr (std::is_same_v<T, bool>) {
    CUTAWAY_TRY(const int64_t value, numberFromText<int64_t>(element.text));
    values[index] = value != 0;
  } else {
    CUTAWAY_TRY(values[index], numberFromText<T>(element.text));
  }
  return {};
}

// Calls visit.template operator()<T>() with the C++ type that stores one number (complex: one part); false when the
// type is stored otherwise.
template <typename Visit>
bool withStorageType(ElementType type, Visit&& visit) {
  switch (type) {
    case ElementType::kComplex64:
    case ElementType::kFloat:
      visit.template operator()<float>();
      return true;
    case ElementType::kComplex128:
    case ElementType::kDouble:
      visit.template operator()<double>();
      return true;
    case ElementType::kUint8:
      visit.template operator()<uint8_t>();
      return true;
    case ElementType::kInt8:
      visit.template operator()<int8_t>();
      return true;
    case ElementType::kUint16:
      visit.template operator()<uint16_t>();
      return true;
    case ElementType::kInt16:
      visit.template operator()<int16_t>();
      return true;
    case ElementType::kUint32:
      visit.template operator()<uint32_t>();
      return true;
    case ElementType::kInt32:
      visit.template operator()<int32_t>();
      return true;
    case ElementType::kUint64:
      visit.template operator()<uint64_t>();
      return true;
    case ElementType::kInt64:
      visit.template operator()<int64_t>();
      return true;
    case ElementType::kBool:
      visit.template operator()<bool>();
      return true;
    case ElementType::kString:
      visit.template operator()<std::string>();
      return true;
    case ElementType::kFloat16:
      visit.template operator()<Float16>();
      return true;
    case ElementType::kBfloat16:
      visit.template operator()<Bfloat16>();
      return true;
    default:
      return false;
  }
}

bool isComplex(ElementType type) {
  return type == ElementType::kComplex64 || type == ElementType::kComplex128;
}

Result<void> setElement(Tensor& tensor, int64_t index, const ElementText& element) {
  const ElementType type = tensor.type();
  if (element.isString != (type == ElementType::kString))
    return fail(ErrorCode::kInvalidArgument, "'{}' is not a {}", element.text, elementTypeName(type));
  if (isSubByte(type)) return setPacked(type, static_cast<uint8_t*>(tensor.mutableData()), index, element.text);
  if (isNarrow(type)) {
    CUTAWAY_TRY(const float value, numberFromText<float>(element.text));
    static_cast<uint8_t*>(tensor.mutableData())[index] = floatToNarrow(type, value, false);
    return {};
  }
  Result<void> result;
  withStorageType(type, [&]<typename T>() { result = setOne<T>(tensor.mutableData(), index, element); });
  return result;
}

}  // namespace

std::string elementsText(const Tensor& tensor) {
  std::string text;
  const ElementType type = tensor.type();
  const int64_t count = tensor.elementCount() * (isComplex(type) ? 2 : 1);
  if (withStorageType(type, [&]<typename T>() { appendAll<T>(text, tensor.data(), count); })) return text;
  const auto* bytes = static_cast<const uint8_t*>(tensor.data());
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0) text += ',';
    text += isSubByte(type) ? packedText(type, bytes, i) : fmt::format("{}", narrowToFloat(type, bytes[i]));
  }
  return text;
}

std::string floatText(float value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".ein") == std::string::npos) text += ".0";
  return text;
}

Result<Tensor> tensorFromText(ElementType type, std::span<const int64_t> dims, std::span<const ElementText> elements) {
  // The size is checked before memory is taken: dimensions are what the text claims.
  CUTAWAY_CHECK(byteSize(type, dims).map([](int64_t) {}));
  const auto count = static_cast<uint64_t>(elementCount(dims));
  const uint64_t expected = isComplex(type) ? 2 * count : count;
  if (elements.size() != expected) {
    return fail(ErrorCode::kInvalidArgument, "{}{} has {} elements, not {}", elementTypeName(type), dimsToText(dims),
                expected, elements.size());
  }
  CUTAWAY_TRY(Tensor tensor, Tensor::create(type, dims));
  if (isSubByte(type)) std::ranges::fill(tensor.mutableBytes(), std::byte{0});
  for (size_t i = 0; i < elements.size(); ++i)
    CUTAWAY_CHECK(setElement(tensor, static_cast<int64_t>(i), elements[i]));
  return tensor;
}

Result<int64_t> integerFromText(std::string_view text) {
  return numberFromText<int64_t>(text);
}
Result<float> floatFromText(std::string_view text) {
  return numberFromText<float>(text);
}

}  // namespace cutaway
