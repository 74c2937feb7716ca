#pragma once
// ONNX's numbers of element types and OpenVINO's.
//
// Thread rule: pure. Example: ov::element::Type type = elementOf(1);   // f32

#include <cstdint>

#include <openvino/core/type/element_type.hpp>

namespace cutaway::openvino {

ov::element::Type elementOf(int32_t onnxElement);      // dynamic: OpenVINO has none
int32_t onnxElementOf(const ov::element::Type& type);  // 0: ONNX has none

}  // namespace cutaway::openvino
