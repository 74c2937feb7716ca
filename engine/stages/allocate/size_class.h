#pragma once
// "Same size" as a key: two values may share a buffer when their keys are equal (engine-behavior 4.5).
//
// Thread rule: pure. Example: if (auto key = sizeClass(type)) bucket = &free[*key];

#include <optional>
#include <string>

#include "engine/tensor/shape.h"

namespace cutaway {

// Element bits, layout and every dimension (number or symbol). nullopt for strings, for what is not a tensor, and when the rank or a dimension is unknown.
std::optional<std::string> sizeClass(const ValueType& type);
// Bytes as text: "4*batch*768"; "?" stands for an unknown dimension; "unknown" when there is no shape.
std::string sizeText(const ValueType& type);

}  // namespace cutaway
