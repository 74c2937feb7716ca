#pragma once
// Anything that flows along an edge at run time: tensor, sequence, optional or map.
//
// Thread rule: plain values; copies share tensor bytes.
// Example: RuntimeValue value = tensor;  if (value.isTensor()) use(value.tensor());

#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "engine/tensor/tensor.h"

namespace cutaway {

class RuntimeValue;

struct SequenceValue {
  ValueType elementType;
  std::vector<RuntimeValue> items;
};
struct MapValue {  // keys: int64 or string; values: int64, float, double or string tensors of the same length
  Tensor keys;
  Tensor values;
};

class RuntimeValue {
 public:
  RuntimeValue() = default;  // empty: an absent optional
  RuntimeValue(Tensor tensor) : m_value(std::move(tensor)) {}
  RuntimeValue(SequenceValue sequence) : m_value(std::make_shared<SequenceValue>(std::move(sequence))) {}
  RuntimeValue(MapValue map) : m_value(std::make_shared<MapValue>(std::move(map))) {}

  bool empty() const { return std::holds_alternative<std::monostate>(m_value); }
  bool isTensor() const { return std::holds_alternative<Tensor>(m_value); }
  bool isSequence() const { return std::holds_alternative<std::shared_ptr<SequenceValue>>(m_value); }
  bool isMap() const { return std::holds_alternative<std::shared_ptr<MapValue>>(m_value); }
  const Tensor& tensor() const { return std::get<Tensor>(m_value); }
  Tensor& tensor() { return std::get<Tensor>(m_value); }
  // Makes this a tensor if it is not one already; never frees when it is.
  Tensor& asTensor() { return isTensor() ? tensor() : m_value.emplace<Tensor>(); }
  const SequenceValue& sequence() const { return *std::get<std::shared_ptr<SequenceValue>>(m_value); }
  const MapValue& map() const { return *std::get<std::shared_ptr<MapValue>>(m_value); }
  void reset() { m_value.emplace<std::monostate>(); }

 private:
  std::variant<std::monostate, Tensor, std::shared_ptr<SequenceValue>, std::shared_ptr<MapValue>> m_value;
};

}  // namespace cutaway
