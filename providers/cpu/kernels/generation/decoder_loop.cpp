// The decoder's feeds from step to step.

#include "providers/cpu/kernels/generation/decoder_loop.h"

#include <algorithm>
#include <cstring>

namespace cutaway::cpu::generation {
namespace {

constexpr size_t kOwnInputs = 3;  // before the past

}  // namespace

Result<DecoderPlan> DecoderPlan::create(const KernelInfo& info) {
  const std::string& name = info.node().opType;
  if (info.attribute<int64_t>("model_type", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "{} over an encoder and a decoder (model_type {})", name,
                info.attribute<int64_t>("model_type", 0));
  DecoderPlan plan;
  const Graph *decoder = nullptr, *first = nullptr;
  size_t index = 0;
  forEachBody(info.node(), [&](const std::string& attribute, const Graph& body) {
    if (attribute == "decoder") decoder = &body, plan.decoder = index;
    if (attribute == "init_decoder") first = &body, plan.first = index;
    ++index;
  });
  if (decoder == nullptr) return fail(ErrorCode::kInvalidGraph, "{} has no decoder", name);
  if (first == nullptr) first = decoder, plan.first = plan.decoder;
  const size_t inputs = decoder->inputs().size(), outputs = decoder->outputs().size();
  if (inputs < kOwnInputs || inputs - kOwnInputs + 1 != outputs || first->inputs().size() != inputs ||
      first->outputs().size() != outputs) {
    return fail(ErrorCode::kNotImplemented,
                "{} with a decoder of {} inputs and {} outputs: only ids, positions, mask and pasts in, logits and "
                "presents out",
                name, inputs, outputs);
  }
  for (size_t slot = kOwnInputs; slot < inputs; ++slot) {
    const ValueType& type = decoder->value(decoder->inputs()[slot]).type;
    if (!type.shape || type.shape->rank() != 5)
      return fail(ErrorCode::kInvalidGraph,
                  "{}: past {} of the decoder is not declared as [2, rows, heads, length, size]", name,
                  slot - kOwnInputs);
    plan.pastTypes.push_back(type);
  }
  plan.read(info);
  return plan;
}

// Padding has position 0 and is not seen; everything else counts up.
Result<void> DecoderLoop::begin(const Tensor& ids, const Tensor* mask, int64_t copies) {
  if (ids.rank() != 2 || ids.type() != ElementType::kInt32 || ids.dims()[1] < 1)
    return fail(ErrorCode::kInvalidArgument, "input_ids is {} of {}, not a matrix of int32 with a token",
                dimsToText(ids.dims()), elementTypeName(ids.type()));
  if (mask != nullptr && (mask->dims() != ids.dims() || mask->type() != ElementType::kInt32))
    return fail(ErrorCode::kInvalidArgument, "attention_mask is {} for input_ids of {}", dimsToText(mask->dims()),
                dimsToText(ids.dims()));
  const int64_t length = ids.dims()[1];
  m_rows = ids.dims()[0] * copies;
  CUTAWAY_TRY(Tensor idTensor, matrixOf(m_rows, length));
  CUTAWAY_TRY(Tensor positionTensor, matrixOf(m_rows, length));
  CUTAWAY_TRY(Tensor maskTensor, matrixOf(m_rows, length));
  for (int64_t row = 0; row < m_rows; ++row) {
    const int32_t* from = ids.span<int32_t>().data() + row / copies * length;
    const int32_t* given = mask != nullptr ? mask->span<int32_t>().data() + row / copies * length : nullptr;
    int32_t position = 0;
    std::vector<int32_t> seen;
    for (int64_t t = 0; t < length; ++t) {
      const bool real = given != nullptr ? given[t] != 0 : from[t] != m_plan.padToken;
      seen.push_back(real ? 1 : 0);
      positionTensor.span<int32_t>()[static_cast<size_t>(row * length + t)] = real ? position++ : 0;
    }
    std::copy_n(from, length, idTensor.span<int32_t>().data() + row * length);
    std::copy_n(seen.data(), length, maskTensor.span<int32_t>().data() + row * length);
    m_sequences.emplace_back(from, from + length);
    m_masks.push_back(std::move(seen));
    m_positions.push_back(position);
  }
  m_inputs.clear();
  m_inputs.emplace_back(std::move(idTensor));
  m_inputs.emplace_back(std::move(positionTensor));
  m_inputs.emplace_back(std::move(maskTensor));
  for (const ValueType& type : m_plan.pastTypes) {
    CUTAWAY_TRY(Tensor past, emptyPast(type));
    m_inputs.emplace_back(std::move(past));
  }
  return {};
}

Result<Tensor> DecoderLoop::emptyPast(const ValueType& type) const {
  const Dims declared = [&] {
    Dims dims{2, m_rows, 0, 0, 0};
    const auto& shape = *type.shape;
    for (const size_t axis : {size_t{2}, size_t{4}})
      dims[axis] = shape[axis].isKnown() ? shape[axis].value() : 0;
    return dims;
  }();
  return Tensor::create(type.element, declared);
}

Result<std::span<float>> DecoderLoop::step() {
  if (m_context.cancelled()) return fail(cancelledError());
  CUTAWAY_CHECK(m_context.bodies().run(m_steps == 0 ? m_plan.first : m_plan.decoder, m_inputs, m_outputs));
  ++m_steps;
  if (m_outputs.size() != 1 + m_plan.pastTypes.size())
    return fail(ErrorCode::kInvalidGraph, "the decoder gives {} outputs", m_outputs.size());
  return takeLogits(m_outputs[0], 1);
}

Result<void> DecoderLoop::advance(std::span<const int32_t> tokens, std::span<const int64_t> origins) {
  std::vector<std::vector<int32_t>> masks;
  std::vector<int32_t> positions;
  for (int64_t row = 0; row < m_rows; ++row) {
    const size_t origin = static_cast<size_t>(origins[static_cast<size_t>(row)]);
    masks.push_back(m_masks[origin]);
    masks.back().push_back(1);
    positions.push_back(m_positions[origin]);
  }
  growSequences(tokens, origins);
  m_masks = std::move(masks), m_positions = std::move(positions);
  const int64_t length = static_cast<int64_t>(m_masks.empty() ? 0 : m_masks[0].size());
  CUTAWAY_TRY(Tensor idTensor, matrixOf(m_rows, 1));
  CUTAWAY_TRY(Tensor positionTensor, matrixOf(m_rows, 1));
  CUTAWAY_TRY(Tensor maskTensor, matrixOf(m_rows, length));
  for (size_t row = 0; row < static_cast<size_t>(m_rows); ++row) {
    idTensor.span<int32_t>()[row] = tokens[row];
    positionTensor.span<int32_t>()[row] = m_positions[row]++;
    std::copy_n(m_masks[row].data(), length, maskTensor.span<int32_t>().data() + static_cast<int64_t>(row) * length);
  }
  m_inputs[0] = std::move(idTensor), m_inputs[1] = std::move(positionTensor), m_inputs[2] = std::move(maskTensor);
  for (size_t i = 0; i < m_plan.pastTypes.size(); ++i) {
    if (!m_outputs[1 + i].isTensor())
      return fail(ErrorCode::kInvalidGraph, "present {} of the decoder is no tensor", i);
    const Tensor& present = m_outputs[1 + i].tensor();
    if (present.rank() != 5 || present.dims()[0] != 2 || present.dims()[1] != m_rows)
      return fail(ErrorCode::kInvalidArgument, "present {} of the decoder is {}", i, dimsToText(present.dims()));
    // Never in the body's own memory, which its next run overwrites.
    CUTAWAY_TRY(Tensor past, Tensor::create(present.type(), present.dims()));
    const size_t rowBytes = m_rows > 0 ? static_cast<size_t>(present.sizeBytes() / (2 * m_rows)) : 0;
    for (int64_t row = 0; rowBytes > 0 && row < 2 * m_rows; ++row) {
      const int64_t origin = row / m_rows * m_rows + origins[static_cast<size_t>(row % m_rows)];
      std::memcpy(past.mutableBytes().data() + static_cast<size_t>(row) * rowBytes,
                  present.bytes().data() + static_cast<size_t>(origin) * rowBytes, rowBytes);
    }
    m_inputs[kOwnInputs + i] = std::move(past);
  }
  return {};
}

}  // namespace cutaway::cpu::generation
