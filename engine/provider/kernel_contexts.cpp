#include "engine/provider/kernel_contexts.h"

#include <algorithm>
#include <numeric>

#include "engine/base/short_memory.h"

namespace cutaway {

size_t NoBodies::inputCount(size_t /*body*/) const {
  return 0;
}
size_t NoBodies::outputCount(size_t /*body*/) const {
  return 0;
}
const ValueType& NoBodies::outputType(size_t /*body*/, size_t /*slot*/) const {
  return m_unknown;
}
Result<void> NoBodies::run(size_t /*body*/, std::span<const RuntimeValue> /*inputs*/,
                           std::vector<RuntimeValue>& /*outputs*/) {
  return fail(ErrorCode::kNotImplemented, "nodes with bodies run in a session only");
}

LoneContext::LoneContext(LoneCall call, KernelState* state)
    : m_call(std::move(call)), m_outputs(m_call.outputs.size()), m_state(state) {}

const RuntimeValue* LoneContext::inputValue(size_t slot) const {
  const RuntimeValue* value = slot < m_call.inputs.size() ? m_call.inputs[slot] : nullptr;
  return value == nullptr || value->empty() ? nullptr : value;
}

Result<Tensor*> LoneContext::output(size_t slot, std::span<const int64_t> dims) {
  return output(slot, slot < m_outputs.size() ? m_call.outputs[slot].type : ElementType::kUndefined, dims);
}

Result<Tensor*> LoneContext::output(size_t slot, ElementType type, std::span<const int64_t> dims) {
  if (!hasOutput(slot))
    return fail(ErrorCode::kEngineError, "the kernel asked for output {} ({}{}), which the node does not have", slot,
                elementTypeName(type), dimsToText(dims));
  if (type == ElementType::kUndefined)
    return fail(ErrorCode::kInvalidGraph, "the element type of output {} is not known", slot);
  CUTAWAY_TRY(Tensor tensor, m_call.makeOutput ? m_call.makeOutput(slot, type, dims) : Tensor::create(type, dims));
  m_outputs[slot] = std::move(tensor);
  return &m_outputs[slot].tensor();
}

Result<std::span<std::byte>> LoneContext::scratch(size_t sizeBytes) {
  const size_t held =
      std::accumulate(m_scratch.begin(), m_scratch.end(), size_t{0},
                      [](size_t sum, const Tensor& block) { return sum + static_cast<size_t>(block.sizeBytes()); });
  if (sizeBytes > m_call.mostScratchBytes - std::min(held, m_call.mostScratchBytes))
    return fail(noMemoryFor(
        "scratch of a kernel", static_cast<int64_t>(sizeBytes),
        {.heldBytes = static_cast<int64_t>(held), .limitBytes = static_cast<int64_t>(m_call.mostScratchBytes)}));
  CUTAWAY_TRY(Tensor block, Tensor::create(ElementType::kUint8, {static_cast<int64_t>(sizeBytes)}));
  m_scratch.push_back(std::move(block));
  return std::span<std::byte>(static_cast<std::byte*>(m_scratch.back().mutableData()), sizeBytes);
}

}  // namespace cutaway
