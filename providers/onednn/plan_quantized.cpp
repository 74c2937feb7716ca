// Quantised values in a plan: kept as integers for consumers that compute on them, made floats for the others.
#include <algorithm>

#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

void PlanBuilder::defineQuantized(ValueId value, std::vector<int64_t> dims, Quantized quantized) {
  m_valuesIn[quantized.stored.buffer].push_back(value);
  m_values[value.index()] = {std::move(dims), {}, false, std::move(quantized)};
}

const Quantized* PlanBuilder::quantized(ValueId value) const {
  const auto found = m_values.find(value.index());
  return found != m_values.end() && found->second.quantized ? &*found->second.quantized : nullptr;
}

std::vector<float> PlanBuilder::constantFloats(ValueId value) const {
  const Quantized* integers = quantized(value);
  if (integers == nullptr) {
    const Tensor* tensor = constant(value);
    if (tensor == nullptr || tensor->type() != ElementType::kFloat) return {};
    return {tensor->span<float>().begin(), tensor->span<float>().end()};
  }
  const PlanBuffer& buffer = m_plan->buffers[integers->stored.buffer];
  if (buffer.kind != PlanBuffer::Kind::kConstant || buffer.bytes == nullptr) return {};
  if (const uint32_t key = m_constantKey[integers->stored.buffer]; key != ~uint32_t{0}) m_readConstants.insert(key);
  const std::vector<int64_t>& sizes = dims(value);
  const int64_t inner = integers->scales.size() > 1 ? elementCount(std::span(sizes).subspan(integers->axis + 1)) : 1;
  std::vector<float> floats(static_cast<size_t>(elementCount(sizes)));
  const DataType type = integers->stored.descriptor.data_type();
  for (size_t i = 0; i < floats.size(); ++i) {
    const void* bytes = buffer.bytes.get();
    const int32_t number = type == DataType::s8   ? static_cast<const int8_t*>(bytes)[i]
                           : type == DataType::u8 ? static_cast<const uint8_t*>(bytes)[i]
                                                  : static_cast<const int32_t*>(bytes)[i];
    const size_t channel = integers->scales.size() > 1 ? i / static_cast<size_t>(inner) % integers->scales.size() : 0;
    floats[i] = static_cast<float>(number - integers->zeroPoint) * integers->scales[channel];
  }
  return floats;
}

Result<Stored> PlanBuilder::converted(const Stored& from, DataType type, float scale, int32_t fromZero,
                                      int32_t toZero) {
  dnnl_memory_desc_t same = from.descriptor.data;
  same.data_type = static_cast<dnnl_data_type_t>(type);
  const Stored target = working(Descriptor(same));
  dnnl::primitive_attr attributes = newAttributes();
  if (scale != 1.0f) attributes.set_output_scales(0, {scale});
  if (fromZero != 0) attributes.set_zero_points(DNNL_ARG_SRC, 0, {fromZero});
  if (toZero != 0) attributes.set_zero_points(DNNL_ARG_DST, 0, {toZero});
  CUTAWAY_CHECK(addReorder(from, target, attributes));
  return target;
}

void PlanBuilder::makeFloats(ValueId value, ValueState& state) {
  const Quantized integers = *state.quantized;
  Dimensions sizes = dimensions(value);
  Result<Stored> made;
  if (m_plan->buffers[integers.stored.buffer].kind == PlanBuffer::Kind::kConstant) {
    std::vector<float> numbers = constantFloats(value);
    if (numbers.empty() && !probing()) throw std::runtime_error("the numbers of a quantised constant are missing");
    numbers.resize(static_cast<size_t>(elementCount(sizes)));
    made = floats(numbers, sizes);
  } else {
    made = converted(integers.stored, DataType::f32, integers.scales[0], integers.zeroPoint, 0);
  }
  if (!made) throw dnnl::error(dnnl_unimplemented, "the library does not dequantize this tensor");
  state.stored = *made;
  state.defined = true;
  m_valuesIn[made->buffer].push_back(value);
}

}  // namespace cutaway::onednn
