#pragma once
// Which element types parameters have: what a model learned, as floating point numbers or quantised.
//
// Thread rule: pure. Example: if (isParameterType(initializer.type())) count += initializer.elementCount();

#include "engine/tensor/element_type.h"

namespace cutaway {

// All numbers but those of 64 bits: shapes, axes and indices are int64 in ONNX. Biases of quantised convolutions are
// int32, so that these count.
inline bool isParameterType(ElementType type) {
  return isFloating(type) || (isInteger(type) && bitsOf(type) < 64);
}

}  // namespace cutaway
