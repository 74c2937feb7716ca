#pragma once
// Calls one operator on the CPU provider's kernels, as a test would write it.
//
// Thread rule: pure.
// Example: const Tensor y = callOperator({.opType = "Elu", .version = 6, .attributes = {{"alpha", 2.0f}}}, {x});

#include <initializer_list>
#include <string>
#include <vector>

#include "engine/graph/attribute.h"
#include "engine/provider/node_evaluator.h"

namespace cutaway {

struct OperatorCall {
  std::string opType;
  std::string domain = "";
  int64_t version = 28;  // of the domain's opset; the schema's own version is looked up
  std::vector<Attribute> attributes = {};
  size_t outputs = 1;
};

// An empty tensor (Tensor{}) is an absent input.
Result<std::vector<Tensor>> tryOperator(const OperatorCall& call, const std::vector<Tensor>& inputs);
// The first output; an empty tensor and a message in the test's log when it fails.
Tensor callOperator(const OperatorCall& call, const std::vector<Tensor>& inputs);

// A tensor of these values and dims.
template <typename T>
Tensor tensorOf(std::initializer_list<int64_t> dims, const std::vector<T>& values) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::copy(values.begin(), values.end(), tensor.span<T>().begin());
  return tensor;
}

template <typename T>
std::vector<T> valuesOf(const Tensor& tensor) {
  if (tensor.type() != ElementTypeOf<T>::value) return {};
  return std::vector<T>(tensor.span<T>().begin(), tensor.span<T>().end());
}

}  // namespace cutaway
