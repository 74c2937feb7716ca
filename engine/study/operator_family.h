#pragma once
// The family of an operator, for windows that colour a graph before anything else is known about it.
//
// Example: operatorFamilyOf("Conv") == OperatorFamily::kProduct

#include <optional>
#include <string_view>

namespace cutaway::study {

enum class OperatorFamily { kProduct, kActivation, kNormalization, kArithmetic, kMovement, kControl, kType };

// By the operator's name, whatever its domain; nullopt: it belongs to none.
std::optional<OperatorFamily> operatorFamilyOf(std::string_view opType);

}  // namespace cutaway::study
