#pragma once
// Tensor elements as text, both ways; part of the text notation (text.h).
//
// Every element type has a text: integers and bool as numbers, every kind of float as its shortest decimal, complex
// numbers as two floats one after the other, strings in quotes. Thread rule: pure functions. Example:
// elementsText(tensor) == "1,2.5,-inf";

#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/tensor.h"

namespace cutaway {

// Elements separated by commas.
std::string elementsText(const Tensor& tensor);
// The shortest decimal that reads back as the same float, with a point or an exponent so that it is not taken for an
// integer: "2.0", "1e-05", "inf", "nan".
std::string floatText(float value);

// One element as read: a number, a word such as inf, or an unquoted string.
struct ElementText {
  std::string text;
  bool isString = false;
};
// INVALID_ARGUMENT when the number of elements or one of them does not fit.
Result<Tensor> tensorFromText(ElementType type, std::span<const int64_t> dims, std::span<const ElementText> elements);

Result<int64_t> integerFromText(std::string_view text);
Result<float> floatFromText(std::string_view text);

}  // namespace cutaway
