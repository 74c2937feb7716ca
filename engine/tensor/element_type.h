#pragma once
// Element types of ONNX tensors. Values are those of TensorProto.DataType, so that conversion is a cast.
//
// Thread rule: pure functions. Example: elementTypeName(ElementType::kFloat) == "float"; bitsOf(ElementType::kInt4)
// == 4.

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway {

enum class ElementType : int32_t {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kFloat8E4M3FN = 17,
  kFloat8E4M3FNUZ = 18,
  kFloat8E5M2 = 19,
  kFloat8E5M2FNUZ = 20,
  kUint4 = 21,
  kInt4 = 22,
  kFloat4E2M1 = 23,
  kFloat8E8M0 = 24,
  kUint2 = 25,
  kInt2 = 26,
};
inline constexpr int kElementTypeCount = 27;

// The name ONNX text uses: "float", "int64", "float8e4m3fn", ...; "undefined" for kUndefined or a number out of range.
std::string_view elementTypeName(ElementType type);
std::optional<ElementType> elementTypeFromName(std::string_view name);

// Storage bits of one element: 2, 4, 8, ... 128; strings: bits of std::string; undefined: 0.
int bitsOf(ElementType type);
// Known to ONNX 1.23 and storable here.
bool isKnown(ElementType type);
bool isFloating(ElementType type);  // float, double, half kinds, fp8, fp4
bool isInteger(ElementType type);   // signed and unsigned, 2 to 64 bits; not bool
bool isSubByte(ElementType type);   // 4- and 2-bit: several elements a byte, low bits first

}  // namespace cutaway
