#pragma once
// Numbers out of constant tensors, and tensors out of numbers, for passes.
//
// Thread rule: pure. Example: if (auto scale = numbers(*tensor)) ...

#include <optional>
#include <vector>

#include "engine/tensor/tensor.h"

namespace cutaway::optimize {

// The elements of an int64 or int32 tensor; empty for other types.
std::vector<int64_t> integers(const Tensor& tensor);
// A small numeric tensor, not empty, whose elements are all `value`.
bool isFilledWith(const Tensor& tensor, double value);
// The elements of a float, double, float16 or bfloat16 tensor; nullopt for other types.
std::optional<std::vector<double>> numbers(const Tensor& tensor);
// A tensor of one of those types; an invalid tensor for other types or when memory is short.
Tensor tensorOf(ElementType type, std::span<const int64_t> dims, std::span<const double> values);
// A tensor of one of those types, each slice along axis 0 times its factor, in double; an invalid tensor for other
// types, when memory is short, and when a number does not stay finite in its type.
Tensor scaledSlices(const Tensor& tensor, std::span<const double> factors);
bool staysFinite(double value, ElementType type);

}  // namespace cutaway::optimize
