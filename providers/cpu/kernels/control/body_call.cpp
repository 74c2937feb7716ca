#include "providers/cpu/kernels/control/body_call.h"

#include <cstring>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway::cpu {

Result<void> CarriedValue::take(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().keepAlive() != nullptr) {
    m_value = value;
    return {};
  }
  const Tensor& from = value.tensor();
  Tensor& buffer = m_buffers[m_next];
  m_next = 1 - m_next;
  // A body may hand a value through, so that another carried value still looks at this buffer.
  const bool ours = buffer.valid() && buffer.keepAlive().use_count() == 1;
  if (ours && buffer.type() == from.type() && buffer.sizeBytes() == from.sizeBytes()) {
    buffer.setDims(from.dims());
    moveElements(from.type(), from.data(), buffer.mutableData(), from.elementCount());
  } else {
    CUTAWAY_TRY(buffer, from.clone());
  }
  m_value.asTensor() = buffer;
  return {};
}

void SliceCollector::begin() {
  m_type = ElementType::kUndefined;
  m_count = 0;
}

Result<void> SliceCollector::reserve(int64_t elements) {
  const ElementType held = isSubByte(m_type) ? ElementType::kUint8 : m_type;
  const int64_t room = m_buffer.valid() && m_buffer.type() == held ? m_buffer.elementCount() : 0;
  if (room >= elements && m_buffer.valid() && m_buffer.type() == held) return {};
  const int64_t used = m_sliceDims.size() == 0 ? m_count : m_count * elementCount(m_sliceDims);
  CUTAWAY_TRY(Tensor larger, Tensor::create(held, Dims{std::max(elements, 2 * room)}));
  if (room > 0) moveElements(held, m_buffer.data(), larger.mutableData(), used);
  m_buffer = std::move(larger);
  return {};
}

Result<void> SliceCollector::append(const Tensor& slice) {
  if (m_count == 0) {
    m_type = slice.type();
    m_sliceDims = slice.dims();
  } else if (slice.type() != m_type || !(slice.dims() == m_sliceDims)) {
    return fail(ErrorCode::kFail, "iteration {} gives {}{}, the first one gave {}{}", m_count,
                elementTypeName(slice.type()), dimsToText(slice.dims()), elementTypeName(m_type),
                dimsToText(m_sliceDims));
  }
  const int64_t elements = slice.elementCount();
  CUTAWAY_TRY(const int64_t start, checkedMultiply(m_count, elements));
  CUTAWAY_TRY(const int64_t end, checkedAdd(start, elements));
  CUTAWAY_CHECK(reserve(end));
  if (isSubByte(m_type)) {
    unpackBits(bitsOf(m_type), static_cast<const uint8_t*>(slice.data()), m_buffer.span<uint8_t>().data() + start,
               elements);
  } else {
    moveElements(m_type, slice.data(), elementAt(m_type, m_buffer.mutableData(), start), elements);
  }
  ++m_count;
  return {};
}

Result<void> SliceCollector::give(KernelContext& context, size_t slot) const {
  Dims dims = filledList(m_sliceDims.size() + 1, m_count);
  for (size_t i = 0; i < m_sliceDims.size(); ++i)
    dims[i + 1] = m_sliceDims[i];
  CUTAWAY_TRY(Tensor * output, context.output(slot, m_type, dims));
  if (isSubByte(m_type)) {
    packBits(bitsOf(m_type), m_buffer.span<uint8_t>().data(), static_cast<uint8_t*>(output->mutableData()),
             output->elementCount());
  } else {
    moveElements(m_type, m_buffer.data(), output->mutableData(), output->elementCount());
  }
  return {};
}

Result<void> giveValue(KernelContext& context, size_t slot, const RuntimeValue& value) {
  if (!context.hasOutput(slot)) return {};
  if (value.isTensor()) {
    const Tensor& tensor = value.tensor();
    CUTAWAY_TRY(Tensor * output, context.output(slot, tensor.type(), tensor.dims()));
    moveElements(tensor.type(), tensor.data(), output->mutableData(), tensor.elementCount());
    return {};
  }
  if (RuntimeValue* output = context.outputValue(slot)) *output = value;
  return {};
}

Dims declaredDims(const ValueType& type) {
  if (!type.shape) return Dims();
  Dims dims = filledList(type.shape->rank(), 0);
  for (size_t i = 0; i < dims.size(); ++i)
    dims[i] = (*type.shape)[i].isKnown() ? (*type.shape)[i].value() : 0;
  return dims;
}

Result<bool> readCondition(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().type() != ElementType::kBool || value.tensor().elementCount() != 1) {
    return fail(ErrorCode::kFail, "a condition must be one bool{}",
                value.isTensor()
                    ? ", not " + std::string(elementTypeName(value.tensor().type())) + dimsToText(value.tensor().dims())
                    : "");
  }
  return value.tensor().span<bool>()[0];
}

}  // namespace cutaway::cpu
