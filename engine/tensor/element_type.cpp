#include "engine/tensor/element_type.h"

#include <array>
#include <string>

namespace cutaway {
namespace {

enum class Family : uint8_t { kNone, kFloating, kInteger, kOther };

struct Row {
  std::string_view name;
  int bits;
  Family family;
};

// Index: the value of the enumerator; behind the enumerators the six-bit floats, which take a byte each in memory
// (six_bit_float.h).
constexpr std::array<Row, kElementTypeCount + 2> kRows = {{
    {"undefined", 0, Family::kNone},
    {"float", 32, Family::kFloating},
    {"uint8", 8, Family::kInteger},
    {"int8", 8, Family::kInteger},
    {"uint16", 16, Family::kInteger},
    {"int16", 16, Family::kInteger},
    {"int32", 32, Family::kInteger},
    {"int64", 64, Family::kInteger},
    {"string", static_cast<int>(8 * sizeof(std::string)), Family::kOther},
    {"bool", 8, Family::kOther},
    {"float16", 16, Family::kFloating},
    {"double", 64, Family::kFloating},
    {"uint32", 32, Family::kInteger},
    {"uint64", 64, Family::kInteger},
    {"complex64", 64, Family::kOther},
    {"complex128", 128, Family::kOther},
    {"bfloat16", 16, Family::kFloating},
    {"float8e4m3fn", 8, Family::kFloating},
    {"float8e4m3fnuz", 8, Family::kFloating},
    {"float8e5m2", 8, Family::kFloating},
    {"float8e5m2fnuz", 8, Family::kFloating},
    {"uint4", 4, Family::kInteger},
    {"int4", 4, Family::kInteger},
    {"float4e2m1", 4, Family::kFloating},
    {"float8e8m0", 8, Family::kFloating},
    {"uint2", 2, Family::kInteger},
    {"int2", 2, Family::kInteger},
    {"float6e2m3", 8, Family::kFloating},
    {"float6e3m2", 8, Family::kFloating},
}};

// Types come from files as bare numbers: anything out of range is "undefined".
const Row& rowOf(ElementType type) {
  const auto index = static_cast<uint32_t>(type);
  return kRows[index < kRows.size() ? index : 0];
}

}  // namespace

std::string_view elementTypeName(ElementType type) {
  return rowOf(type).name;
}

std::optional<ElementType> elementTypeFromName(std::string_view name) {
  for (size_t i = 1; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<ElementType>(i);
  }
  return std::nullopt;
}

int bitsOf(ElementType type) {
  return rowOf(type).bits;
}
bool isKnown(ElementType type) {
  return rowOf(type).family != Family::kNone;
}
bool isFloating(ElementType type) {
  return rowOf(type).family == Family::kFloating;
}
bool isInteger(ElementType type) {
  return rowOf(type).family == Family::kInteger;
}
bool isSubByte(ElementType type) {
  return rowOf(type).bits > 0 && rowOf(type).bits < 8;
}

}  // namespace cutaway
