// The one table of element types that both sides know.
#include "providers/openvino/bridge/element.h"

#include <array>
#include <utility>

namespace cutaway::openvino {

namespace {

using ov::element::Type_t;
constexpr std::array<std::pair<int32_t, Type_t>, 21> kTypes{
    {{1, Type_t::f32},     {2, Type_t::u8},   {3, Type_t::i8},     {4, Type_t::u16},     {5, Type_t::i16},
     {6, Type_t::i32},     {7, Type_t::i64},  {8, Type_t::string}, {9, Type_t::boolean}, {10, Type_t::f16},
     {11, Type_t::f64},    {12, Type_t::u32}, {13, Type_t::u64},   {16, Type_t::bf16},   {17, Type_t::f8e4m3},
     {19, Type_t::f8e5m2}, {21, Type_t::u4},  {22, Type_t::i4},    {23, Type_t::f4e2m1}, {24, Type_t::f8e8m0},
     {25, Type_t::u2}}};

}  // namespace

ov::element::Type elementOf(int32_t onnxElement) {
  for (const auto& [number, type] : kTypes) {
    if (number == onnxElement) return type;
  }
  return ov::element::dynamic;
}

int32_t onnxElementOf(const ov::element::Type& type) {
  for (const auto& [number, known] : kTypes) {
    if (type == known) return number;
  }
  return 0;
}

}  // namespace cutaway::openvino
