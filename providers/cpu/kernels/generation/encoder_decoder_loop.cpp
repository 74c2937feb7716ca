// The feeds of an encoder and its decoder from step to step.

#include "providers/cpu/kernels/generation/encoder_decoder_loop.h"

#include <algorithm>

namespace cutaway::cpu::generation {
namespace {

constexpr int64_t kT5 = 1, kWhisper = 2;  // model_type

std::vector<std::string> namesOf(const Graph& graph, std::span<const ValueId> values) {
  std::vector<std::string> names;
  for (const ValueId id : values)
    names.push_back(graph.value(id).name);
  return names;
}

bool takes(std::span<const std::string> names, size_t& slot, std::string_view name) {
  if (slot >= names.size() || names[slot] != name) return false;
  ++slot;
  return true;
}

tl::unexpected<Error> otherForm(const char* body, std::span<const std::string> names, const char* wanted) {
  std::string text;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 4); ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  return fail(ErrorCode::kNotImplemented, "BeamSearch with {} of {} inputs ({}{}): only {}", body, names.size(), text,
              names.size() > 4 ? " ..." : "", wanted);
}

Result<void> readEncoder(const Graph& encoder, EncoderDecoderPlan& plan) {
  const std::vector<std::string> names = namesOf(encoder, encoder.inputs());
  size_t slot = 0;
  const bool named = takes(names, slot, "encoder_input_ids");
  plan.encoderMask = takes(names, slot, "encoder_attention_mask");
  plan.encoderStarts = takes(names, slot, "decoder_input_ids");
  if (!named || slot != names.size())
    return otherForm("an encoder", names, "encoder_input_ids, encoder_attention_mask and decoder_input_ids");
  return {};
}

Result<void> readDecoder(const Graph& decoder, EncoderDecoderPlan& plan) {
  const std::vector<std::string> names = namesOf(decoder, decoder.inputs());
  size_t slot = 0;
  const bool named = takes(names, slot, "input_ids");
  plan.decoderMask = takes(names, slot, "encoder_attention_mask");
  plan.decoderHidden = takes(names, slot, "encoder_hidden_states");
  const size_t pasts = names.size() - std::min(slot, names.size()), outputs = decoder.outputs().size();
  if (!named || pasts == 0 || pasts % 4 != 0 || outputs != 1 + pasts / 2) {
    return otherForm("a decoder", names,
                     "input_ids, encoder_attention_mask, encoder_hidden_states and four pasts a layer, with logits and "
                     "two presents a layer");
  }
  const auto& ids = decoder.value(decoder.inputs()[0]).type;
  plan.wholeSequence =
      !(ids.shape && ids.shape->rank() == 2 && (*ids.shape)[1].isKnown() && (*ids.shape)[1].value() == 1);
  for (size_t i = 0; i < pasts / 2; ++i)
    plan.selfTypes.push_back(decoder.value(decoder.inputs()[slot + i]).type);
  return {};
}

}  // namespace

bool EncoderDecoderPlan::isFor(const KernelInfo& info) {
  const int64_t type = info.attribute<int64_t>("model_type", 0);
  return type == kT5 || type == kWhisper;
}

Result<EncoderDecoderPlan> EncoderDecoderPlan::create(const KernelInfo& info) {
  EncoderDecoderPlan plan;
  plan.read(info);
  plan.features = info.attribute<int64_t>("model_type", 0) == kWhisper;
  plan.startToken = static_cast<int32_t>(info.attribute<int64_t>("decoder_start_token_id", -1));
  const Graph *encoder = nullptr, *decoder = nullptr;
  size_t index = 0;
  forEachBody(info.node(), [&](const std::string& attribute, const Graph& body) {
    if (attribute == "encoder") encoder = &body, plan.encoder = index;
    if (attribute == "decoder") decoder = &body, plan.decoder = index;
    ++index;
  });
  if (encoder == nullptr || decoder == nullptr)
    return fail(ErrorCode::kInvalidGraph, "BeamSearch with model_type {} has no {}", plan.features ? kWhisper : kT5,
                encoder == nullptr ? "encoder" : "decoder");
  CUTAWAY_CHECK(readEncoder(*encoder, plan));
  CUTAWAY_CHECK(readDecoder(*decoder, plan));
  const size_t layers = plan.selfTypes.size() / 2, given = encoder->outputs().size();
  if (given != (plan.encoderStarts ? 2 + 4 * layers : 2 * layers))
    return fail(ErrorCode::kNotImplemented, "BeamSearch with an encoder of {} outputs for {} layers of the decoder",
                given, layers);
  return plan;
}

Result<Tensor> EncoderDecoderLoop::maskOf(const Prompt& prompt) const {
  if (prompt.mask != nullptr) {
    if (prompt.mask->dims() != prompt.ids.dims() || prompt.mask->type() != ElementType::kInt32)
      return fail(ErrorCode::kInvalidArgument, "attention_mask is {} for an input of {}",
                  dimsToText(prompt.mask->dims()), dimsToText(prompt.ids.dims()));
    return *prompt.mask;
  }
  CUTAWAY_TRY(Tensor mask, Tensor::create(ElementType::kInt32, prompt.ids.dims()));
  std::ranges::fill(mask.span<int32_t>(), 1);
  if (m_plan.features) return mask;
  // Padding on the left alone: a token that ends the text may be the one that pads.
  const int64_t length = prompt.ids.dims()[1];
  const std::span<const int32_t> ids = prompt.ids.span<int32_t>();
  for (int64_t row = 0; row < prompt.ids.dims()[0]; ++row) {
    for (int64_t t = row * length; t < (row + 1) * length && ids[static_cast<size_t>(t)] == m_plan.padToken; ++t)
      mask.span<int32_t>()[static_cast<size_t>(t)] = 0;
  }
  return mask;
}

Result<void> EncoderDecoderLoop::beginTokens(const Tensor* start, int64_t batch) {
  if (start == nullptr && m_plan.startToken < 0)
    return fail(ErrorCode::kInvalidArgument,
                "BeamSearch has neither decoder_input_ids nor an attribute decoder_start_token_id to begin with");
  if (start != nullptr &&
      (start->rank() != 2 || start->dims()[0] != batch || start->dims()[1] < 1 || start->type() != ElementType::kInt32))
    return fail(ErrorCode::kInvalidArgument, "decoder_input_ids is {} of {}, for {} prompts", dimsToText(start->dims()),
                elementTypeName(start->type()), batch);
  const int64_t length = start == nullptr ? 1 : start->dims()[1];
  if (length != 1 && !m_plan.encoderStarts)
    return fail(ErrorCode::kNotImplemented,
                "BeamSearch begins with {} tokens, and its encoder does not take decoder_input_ids", length);
  for (const int64_t row : m_expanded) {
    if (start == nullptr)
      m_sequences.push_back({m_plan.startToken});
    else
      m_sequences.emplace_back(start->span<int32_t>().data() + row * length,
                               start->span<int32_t>().data() + (row + 1) * length);
  }
  return {};
}

Result<void> EncoderDecoderLoop::begin(const Prompt& prompt, int64_t copies) {
  const Tensor& ids = prompt.ids;
  if (ids.rank() != (m_plan.features ? 3U : 2U) || (!m_plan.features && ids.type() != ElementType::kInt32))
    return fail(ErrorCode::kInvalidArgument, "the first input is {} of {}, not {}", dimsToText(ids.dims()),
                elementTypeName(ids.type()), m_plan.features ? "features of rank 3" : "a matrix of int32");
  const int64_t batch = ids.dims()[0];
  m_copies = copies;
  m_rows = batch * copies;
  for (int64_t row = 0; row < m_rows; ++row)
    m_expanded.push_back(row / copies);
  CUTAWAY_CHECK(beginTokens(prompt.start, batch));
  m_prompt.emplace_back(ids);
  if (m_plan.encoderMask || m_plan.decoderMask) {
    CUTAWAY_TRY(m_mask, maskOf(prompt));
  }
  if (m_plan.encoderMask) m_prompt.emplace_back(m_mask);
  if (m_plan.encoderStarts) {
    const size_t length = m_sequences.empty() ? 1 : m_sequences[0].size();
    CUTAWAY_TRY(Tensor tokens, matrixOf(batch, static_cast<int64_t>(length)));
    for (int64_t row = 0; row < batch; ++row)
      std::ranges::copy(sequence(row * copies), tokens.span<int32_t>().begin() + row * static_cast<int64_t>(length));
    m_prompt.emplace_back(std::move(tokens));
  }
  return {};
}

Result<std::span<float>> EncoderDecoderLoop::step() {
  if (m_context.cancelled()) return fail(cancelledError());
  return m_encoded ? decode() : encode();
}

Result<std::span<float>> EncoderDecoderLoop::encode() {
  CUTAWAY_CHECK(m_context.bodies().run(m_plan.encoder, m_prompt, m_outputs));
  m_encoded = true;
  const size_t before = m_plan.encoderStarts ? 2 : 0, selfs = m_plan.encoderStarts ? m_plan.selfTypes.size() : 0;
  if (m_outputs.size() != before + selfs + m_plan.selfTypes.size())
    return fail(ErrorCode::kInvalidGraph, "the encoder gives {} outputs", m_outputs.size());
  for (const RuntimeValue& each : m_outputs) {
    if (!each.isTensor() || each.tensor().rank() < 3 || each.tensor().dims()[0] * m_copies != m_rows)
      return fail(ErrorCode::kInvalidArgument, "an output of the encoder is {} for {} prompts",
                  each.isTensor() ? dimsToText(each.tensor().dims()) : "no tensor", m_rows / m_copies);
  }
  CUTAWAY_CHECK(beginDecoder(before + selfs));
  if (!m_plan.encoderStarts) return decode();
  m_presents = before;
  m_presentCopies = m_copies;
  return takeLogits(m_outputs[0], m_copies);
}

// What stays the same in every step, and empty pasts where the encoder has not begun the text.
Result<void> EncoderDecoderLoop::beginDecoder(size_t firstCross) {
  CUTAWAY_TRY(Tensor tokens, tokensOf(0));
  m_inputs.emplace_back(std::move(tokens));
  if (m_plan.decoderMask) {
    CUTAWAY_TRY(Tensor mask, pickRows(m_mask, m_expanded));
    m_inputs.emplace_back(std::move(mask));
  }
  if (m_plan.decoderHidden) {
    if (!m_plan.encoderStarts)
      return fail(ErrorCode::kInvalidGraph,
                  "the decoder asks for encoder_hidden_states, which the encoder does not give");
    CUTAWAY_TRY(Tensor hidden, pickRows(m_outputs[1].tensor(), m_expanded));
    m_inputs.emplace_back(std::move(hidden));
  }
  m_firstSelf = m_inputs.size();
  for (const ValueType& type : m_plan.selfTypes) {
    Dims dims{m_rows, 0, 0, 0};
    for (const size_t axis : {size_t{1}, size_t{3}}) {
      if (type.shape && type.shape->rank() == 4 && (*type.shape)[axis].isKnown())
        dims[axis] = (*type.shape)[axis].value();
    }
    CUTAWAY_TRY(Tensor empty, Tensor::create(type.element, dims));
    m_inputs.emplace_back(std::move(empty));
  }
  for (size_t i = 0; i < m_plan.selfTypes.size(); ++i) {
    CUTAWAY_TRY(Tensor cross, pickRows(m_outputs[firstCross + i].tensor(), m_expanded));
    m_inputs.emplace_back(std::move(cross));
  }
  return {};
}

Result<std::span<float>> EncoderDecoderLoop::decode() {
  CUTAWAY_CHECK(m_context.bodies().run(m_plan.decoder, m_inputs, m_outputs));
  if (m_outputs.size() != 1 + m_plan.selfTypes.size())
    return fail(ErrorCode::kInvalidGraph, "the decoder gives {} outputs", m_outputs.size());
  m_presents = 1;
  m_presentCopies = 1;
  return takeLogits(m_outputs[0], 1);
}

Result<Tensor> EncoderDecoderLoop::tokensOf(size_t from) const {
  const size_t length = m_sequences.empty() ? 0 : m_sequences[0].size() - from;
  CUTAWAY_TRY(Tensor tokens, matrixOf(m_rows, static_cast<int64_t>(length)));
  auto at = tokens.span<int32_t>().begin();
  for (const std::vector<int32_t>& each : m_sequences)
    at = std::copy(each.begin() + static_cast<std::ptrdiff_t>(from), each.end(), at);
  return tokens;
}

Result<void> EncoderDecoderLoop::advance(std::span<const int32_t> tokens, std::span<const int64_t> origins) {
  growSequences(tokens, origins);
  const size_t length = m_sequences.empty() ? 1 : m_sequences[0].size();
  CUTAWAY_TRY(Tensor ids, tokensOf(m_plan.wholeSequence ? 0 : length - 1));
  m_inputs[0] = std::move(ids);
  std::vector<int64_t> rows;
  for (const int64_t origin : origins)
    rows.push_back(origin / m_presentCopies);
  for (size_t i = 0; i < m_plan.selfTypes.size(); ++i) {
    const RuntimeValue& present = m_outputs[m_presents + i];
    if (!present.isTensor() || present.tensor().rank() != 4 || present.tensor().dims()[0] * m_presentCopies != m_rows)
      return fail(ErrorCode::kInvalidArgument, "present {} of the decoder is {} for {} rows", i,
                  present.isTensor() ? dimsToText(present.tensor().dims()) : "no tensor", m_rows);
    CUTAWAY_TRY(Tensor past, pickRows(present.tensor(), rows));
    m_inputs[m_firstSelf + i] = std::move(past);
  }
  return {};
}

}  // namespace cutaway::cpu::generation
