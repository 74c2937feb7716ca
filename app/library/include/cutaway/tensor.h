#pragma once
// Tensors at the border of the library: bytes that somebody owns, never copied.
//
// Thread rule: plain values. Example:
//   std::vector<float> pixels(3 * 224 * 224);
//   NamedTensor feed{"image", {.type = ElementType::kFloat, .shape = {1, 3, 224, 224}, .data = pixels.data(),
//                              .sizeBytes = static_cast<int64_t>(pixels.size() * sizeof(float))}};

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cutaway::api {

// The numbers are those of ONNX's TensorProto.DataType.
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

// The name that ONNX text uses: "float", "int64", "bfloat16"; "undefined" for a number that is none.
std::string elementTypeName(ElementType type);
// kUndefined for a name that is none.
ElementType elementTypeNamed(const std::string& name);

struct Tensor {
  ElementType type = ElementType::kUndefined;
  std::vector<int64_t> shape;         // no axes: a scalar
  const void* data = nullptr;         // row by row; 4- and 2-bit elements packed, low bits first; kString: std::string
  int64_t sizeBytes = 0;              // of the data
  std::shared_ptr<const void> owner;  // keeps the data alive; empty: the caller does until the call returns
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

}  // namespace cutaway::api
