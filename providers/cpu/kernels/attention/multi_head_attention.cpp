// MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft: separate or packed operands, cross attention
// with keys of an encoder, caches that grow or have room.

#include "engine/operators/multi_head_attention.h"

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/padding_mask.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {
namespace {

using operators::kDecoderMaskedForm;
using operators::kMultiHeadForm;
using operators::MultiHeadForm;
using operators::MultiHeadOperands;
using operators::MultiHeadSettings;

class MultiHeadKernel final : public Kernel {
 public:
  MultiHeadKernel(const MultiHeadForm& form, const MultiHeadSettings& settings)
      : m_form(form), m_settings(settings), m_heads(settings.heads) {}

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &query = *context.input(0), *key = optional(context, 1), *value = optional(context, 2);
    CUTAWAY_TRY(const MultiHeadOperands operands,
                operators::multiHeadOperands(m_form, m_heads, query.dims(), key != nullptr ? &key->dims() : nullptr,
                                             value != nullptr ? &value->dims() : nullptr));
    const Tensor& keys = key != nullptr ? *key : query;
    Problem problem;
    problem.batch = operands.batch, problem.heads = problem.keyHeads = m_heads, problem.queries = operands.queries;
    problem.headSize = operands.size, problem.valueSize = operands.valueSize;
    problem.scale = m_settings.scaleOf(operands.size);
    problem.causal = m_settings.causal;
    problem.q = rowsOf(query, operands.q);
    problem.k = rowsOf(keys, operands.k);
    problem.v = rowsOf(value != nullptr ? *value : keys, operands.v);
    context.subStep("bias, cache and mask");
    CUTAWAY_CHECK(addBias(context, operands, problem));
    CUTAWAY_CHECK(readCache(context, operands, problem));
    if (const Tensor* mask = optional(context, m_form.mask)) {
      CUTAWAY_TRY(problem.planes[0], paddingPlane(context, problem, *mask, m_settings.maskFilter, m_form.name));
    }
    if (const Tensor* bias = optional(context, m_form.scoreBias)) {
      CUTAWAY_TRY(const operators::ScorePlane plane,
                  operators::scoreBiasPlane(scoresOf(problem), bias->dims(), m_form.name));
      problem.planes[1] = planeOf(plane, *bias);
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {operands.batch, operands.queries, m_heads * operands.valueSize}));
    problem.out = headsInside(*y, operands.valueSize);
    if (context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(Tensor * scores,
                  context.output(3, y->type(), std::array{problem.batch, m_heads, problem.queries, problem.keys}));
      problem.scores = scores->mutableData();
      problem.stage = ScoreStage::kBiased;
    }
    return attend(context, problem);
  }

 private:
  static const Tensor* optional(const KernelContext& context, size_t slot) {
    return slot < context.inputCount() ? context.input(slot) : nullptr;
  }

  Result<void> addBias(KernelContext& context, const MultiHeadOperands& operands, Problem& problem) const {
    const Tensor* bias = optional(context, m_form.bias);
    if (bias == nullptr) return {};
    CUTAWAY_CHECK(operators::checkMultiHeadBias(m_form, m_heads, operands, bias->dims()));
    const int64_t hidden = m_heads * operands.size;
    const auto at = [&](int64_t start) { return rowsOf(*bias, {.start = start}).data; };
    CUTAWAY_TRY(problem.q,
                withBias(context, problem.q, operands.batch, m_heads, operands.queries, operands.size, at(0)));
    if (operands.encoder) return {};
    CUTAWAY_TRY(problem.k,
                withBias(context, problem.k, operands.batch, m_heads, operands.fresh, operands.size, at(hidden)));
    CUTAWAY_TRY(problem.v, withBias(context, problem.v, operands.batch, m_heads, operands.fresh, operands.valueSize,
                                    at(2 * hidden)));
    return {};
  }

  Result<void> readCache(KernelContext& context, const MultiHeadOperands& operands, Problem& problem) const {
    const Tensor *pastKey = optional(context, m_form.pastKey), *pastValue = optional(context, m_form.pastValue);
    CUTAWAY_TRY(
        const operators::MultiHeadCache cache,
        operators::multiHeadCache(m_form, m_heads, operands, pastKey, pastValue, optional(context, m_form.pastLength)));
    problem.keys = cache.kept + operands.fresh;
    problem.offset = cache.kept;
    const auto present = [&](size_t slot) { return slot < context.outputCount() && context.hasOutput(slot); };
    const CacheRows keyRows{.batch = operands.batch,
                            .heads = m_heads,
                            .size = operands.size,
                            .capacity = cache.capacity,
                            .pastRows = cache.kept,
                            .freshRows = operands.fresh,
                            .heldRows = cache.held,
                            .clear = true};
    CacheRows valueRows = keyRows;
    valueRows.size = operands.valueSize;
    CUTAWAY_TRY(problem.k, joinCache(context, {pastKey, 1, present(1)}, keyRows, problem.k));
    CUTAWAY_TRY(problem.v, joinCache(context, {pastValue, 2, present(2)}, valueRows, problem.v));
    if (pastKey == nullptr) return {};
    CUTAWAY_CHECK(followBeams(context, keyRows, cache.kept, problem.k));
    return followBeams(context, valueRows, cache.kept, problem.v);
  }

  // With cache_indirection [groups, beams, longest], token j of a beam lies in the rows of another beam of its group.
  Result<void> followBeams(KernelContext& context, const CacheRows& rows, int64_t past, Rows& cache) const {
    const Tensor* indirection = optional(context, m_form.indirection);
    if (indirection == nullptr) return {};
    const Dims& dims = indirection->dims();
    if (dims.size() != 3 || dims[0] * dims[1] != rows.batch || dims[2] < past) {
      return fail(ErrorCode::kInvalidArgument, "{}: cache_indirection {} does not cover {} batches of {} tokens",
                  m_form.name, dimsToText(dims), rows.batch, past);
    }
    const int64_t beams = dims[1], total = past + rows.freshRows, bytes = cache.type == ElementType::kFloat ? 4 : 2;
    const std::span<const int32_t> from = indirection->span<int32_t>();
    for (int64_t batch = 0; batch < rows.batch; ++batch) {
      for (int64_t j = 0; j < past; ++j) {
        const int32_t beam = from[static_cast<size_t>(batch * dims[2] + j)];
        if (beam < 0 || beam >= beams)
          return fail(ErrorCode::kInvalidArgument, "{}: cache_indirection names beam {} of {}", m_form.name, beam,
                      beams);
      }
    }
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(rows.batch * rows.heads * total * rows.size * bytes)));
    const std::byte* source = static_cast<const std::byte*>(cache.data);
    parallelFor(rows.batch * rows.heads, 1, [&](int64_t begin, int64_t end) {
      for (int64_t unit = begin; unit < end; ++unit) {
        const int64_t batch = unit / rows.heads, head = unit % rows.heads;
        for (int64_t j = 0; j < total; ++j) {
          const int64_t origin =
              j < past ? batch / beams * beams + from[static_cast<size_t>(batch * dims[2] + j)] : batch;
          const std::byte* row =
              source + (origin * cache.batchStep + head * cache.headStep + j * cache.rowStep) * bytes;
          std::copy(row, row + rows.size * bytes, memory.data() + (unit * total + j) * rows.size * bytes);
        }
      }
    });
    cache = {memory.data(), cache.type, rows.heads * total * rows.size, total * rows.size, rows.size};
    return {};
  }

  MultiHeadForm m_form;
  MultiHeadSettings m_settings;
  int64_t m_heads;
};

template <const MultiHeadForm& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const MultiHeadSettings settings, operators::readMultiHead(kForm, info.graph(), info.node()));
  if (info.hasOutput(3) && info.outputType(3).element != info.inputElement(0) &&
      info.outputType(3).element != ElementType::kUndefined) {
    return fail(ErrorCode::kNotImplemented, "{} with scores of another type than the query", kForm.name);
  }
  return std::unique_ptr<Kernel>(std::make_unique<MultiHeadKernel>(kForm, settings));
}

constexpr ElementType kTypesList[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kTypes[] = {{0, kTypesList}};
constexpr InplaceHint kInplace[] = {{.input = 6, .output = 1}, {.input = 7, .output = 2}};
constexpr InplaceHint kInplaceDecoder[] = {{.input = 5, .output = 1}, {.input = 6, .output = 2}};
constexpr int kHost[] = {8}, kHostDecoder[] = {7, 8};

constexpr KernelRow kRows[] = {
    {.opType = "MultiHeadAttention",
     .domain = "com.microsoft",
     .types = kTypes,
     .inplace = kInplace,
     .hostInputs = kHost,
     .fastPath = "highway",
     .create = create<kMultiHeadForm>},
    {.opType = "DecoderMaskedMultiHeadAttention",
     .domain = "com.microsoft",
     .types = kTypes,
     .inplace = kInplaceDecoder,
     .hostInputs = kHostDecoder,
     .fastPath = "highway",
     .create = create<kDecoderMaskedForm>},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_multi_head_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
