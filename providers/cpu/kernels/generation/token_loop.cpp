#include "providers/cpu/kernels/generation/token_loop.h"

#include <algorithm>
#include <cstring>

#include "providers/cpu/kernels/through_float.h"

namespace cutaway::cpu::generation {

void SearchSettings::read(const KernelInfo& info) {
  vocabulary = std::max<int64_t>(0, info.attribute<int64_t>("vocab_size", 0));
  padToken = static_cast<int32_t>(info.attribute<int64_t>("pad_token_id", 0));
  endToken = static_cast<int32_t>(info.attribute<int64_t>("eos_token_id", 0));
  ngram = info.attribute<int64_t>("no_repeat_ngram_size", 0);
}

Result<Tensor> matrixOf(int64_t rows, int64_t columns) {
  return Tensor::create(ElementType::kInt32, {rows, columns});
}

Result<Tensor> pickRows(const Tensor& tensor, std::span<const int64_t> rows) {
  Dims dims = tensor.dims();
  const int64_t before = dims[0];
  dims[0] = static_cast<int64_t>(rows.size());
  CUTAWAY_TRY(Tensor picked, Tensor::create(tensor.type(), dims));
  const size_t rowBytes = before > 0 ? static_cast<size_t>(tensor.sizeBytes() / before) : 0;
  for (size_t row = 0; rowBytes > 0 && row < rows.size(); ++row)
    std::memcpy(picked.mutableBytes().data() + row * rowBytes,
                tensor.bytes().data() + static_cast<size_t>(rows[row]) * rowBytes, rowBytes);
  return picked;
}

Result<std::span<float>> TokenLoop::takeLogits(const RuntimeValue& value, int64_t copies) {
  if (!value.isTensor()) return fail(ErrorCode::kInvalidGraph, "the logits of the decoder are no tensor");
  CUTAWAY_TRY(const Tensor logits, widened(value.tensor()));
  const Dims& dims = logits.dims();
  if (dims.size() != 3 || dims[0] * copies != m_rows || dims[1] < 1)
    return fail(ErrorCode::kInvalidArgument, "the decoder's logits are {} for {} rows", dimsToText(dims),
                m_rows / copies);
  m_vocabulary = m_settings.vocabulary > 0 ? std::min(m_settings.vocabulary, dims[2]) : dims[2];
  if (m_vocabulary < 1)
    return fail(ErrorCode::kInvalidArgument, "the decoder's logits {} have no vocabulary", dimsToText(dims));
  m_logits.resize(static_cast<size_t>(m_rows * m_vocabulary));
  for (int64_t row = 0; row < m_rows; ++row)
    std::copy_n(logits.span<float>().data() + (row / copies * dims[1] + dims[1] - 1) * dims[2], m_vocabulary,
                m_logits.data() + row * m_vocabulary);
  return std::span<float>(m_logits);
}

void TokenLoop::growSequences(std::span<const int32_t> tokens, std::span<const int64_t> origins) {
  std::vector<std::vector<int32_t>> sequences;
  for (size_t row = 0; row < tokens.size(); ++row) {
    sequences.push_back(sequence(origins[row]));
    sequences.back().push_back(tokens[row]);
  }
  m_sequences = std::move(sequences);
}

}  // namespace cutaway::cpu::generation
