// MultiHeadAttention and DecoderMaskedMultiHeadAttention of com.microsoft: separate or packed operands, cross attention
// with keys of an encoder, caches that grow or have room.

#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/padding_mask.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::attention {
namespace {

// Where the inputs lie in each operator.
struct Form {
  std::string_view name;
  size_t bias, mask, scoreBias, pastKey, pastValue, pastLength, beams, indirection;
};
constexpr size_t kNowhere = 64;
constexpr Form kMultiHead{"MultiHeadAttention", 3, 4, 5, 6, 7, 8, kNowhere, 9};
constexpr Form kDecoder{"DecoderMaskedMultiHeadAttention", 10, 3, 4, 5, 6, 7, 8, 9};

struct Operands {
  int64_t batch = 0, queries = 0, fresh = 0, size = 0, valueSize = 0;
  Rows q, k, v;
  bool encoder = false;  // keys and values are [batch, heads, keys, size]: no bias, no past
};

class MultiHeadKernel final : public Kernel {
 public:
  MultiHeadKernel(const KernelInfo& info, const Form& form)
      : m_form(form),
        m_heads(info.attribute<int64_t>("num_heads", 0)),
        m_scale(info.attribute<float>("scale", 0.0f)),
        m_filter(info.attribute<float>("mask_filter_value", -10000.0f)),
        m_causal(info.attribute<int64_t>("unidirectional", 0) != 0) {}

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    Operands operands;
    CUTAWAY_CHECK(readOperands(context, operands));
    context.subStep("bias, cache and mask");
    CUTAWAY_CHECK(addBias(context, operands));
    Problem problem;
    problem.batch = operands.batch, problem.heads = problem.keyHeads = m_heads, problem.queries = operands.queries;
    problem.headSize = operands.size, problem.valueSize = operands.valueSize;
    problem.scale = m_scale != 0.0f
                        ? m_scale
                        : static_cast<float>(1.0 / std::sqrt(static_cast<double>(std::max<int64_t>(1, operands.size))));
    problem.causal = m_causal;
    problem.q = operands.q;
    CUTAWAY_CHECK(readCache(context, operands, problem));
    if (const Tensor* mask = optional(context, m_form.mask)) {
      CUTAWAY_TRY(problem.planes[0], paddingPlane(context, problem, *mask, m_filter, m_form.name));
    }
    if (const Tensor* bias = optional(context, m_form.scoreBias)) {
      if (bias->rank() != 4)
        return fail(ErrorCode::kInvalidArgument, "{}: attention_bias is {}, not 4-D", m_form.name,
                    dimsToText(bias->dims()));
      CUTAWAY_TRY(problem.planes[1], planeOf(problem, *bias, "attention_bias"));
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

  Result<void> readOperands(const KernelContext& context, Operands& operands) const {
    const Tensor& query = *context.input(0);
    const Tensor *key = optional(context, 1), *value = optional(context, 2);
    const Dims& dims = query.dims();
    const auto refuse = [&] {
      return fail(ErrorCode::kInvalidArgument, "{}: query {}, key {} and value {} do not belong together with {} heads",
                  m_form.name, dimsToText(dims), key != nullptr ? dimsToText(key->dims()) : "none",
                  value != nullptr ? dimsToText(value->dims()) : "none", m_heads);
    };
    if (dims.size() < 3) return refuse();
    operands.batch = dims[0], operands.queries = operands.fresh = dims[1];
    if (key == nullptr) {
      if (value != nullptr) return refuse();
      return readPacked(query, operands) ? Result<void>() : refuse();
    }
    if (dims.size() != 3 || dims[2] % m_heads != 0) return refuse();
    operands.size = dims[2] / m_heads;
    operands.q = headsInside(query, operands.size);
    const Dims& keyDims = key->dims();
    if (value == nullptr) {
      if (keyDims.size() != 5 || keyDims != Dims{dims[0], keyDims[1], m_heads, 2, operands.size}) return refuse();
      const int64_t pair = 2 * operands.size;
      operands.fresh = keyDims[1], operands.valueSize = operands.size;
      operands.k = rowsOf(*key, keyDims[1] * m_heads * pair, pair, m_heads * pair);
      operands.v = rowsOf(*key, keyDims[1] * m_heads * pair, pair, m_heads * pair, operands.size);
      return {};
    }
    const Dims& valueDims = value->dims();
    if (keyDims.size() == 4 && valueDims.size() == 4) {
      if (keyDims != Dims{dims[0], m_heads, keyDims[2], operands.size} ||
          valueDims != Dims{dims[0], m_heads, keyDims[2], valueDims[3]})
        return refuse();
      operands.encoder = true;
      operands.fresh = keyDims[2], operands.valueSize = valueDims[3];
      operands.k = headsOutside(*key), operands.v = headsOutside(*value);
      return {};
    }
    if (keyDims.size() != 3 || valueDims.size() != 3 || keyDims != Dims{dims[0], keyDims[1], dims[2]} ||
        valueDims != Dims{dims[0], keyDims[1], valueDims[2]} || valueDims[2] % m_heads != 0)
      return refuse();
    operands.fresh = keyDims[1], operands.valueSize = valueDims[2] / m_heads;
    operands.k = headsInside(*key, operands.size), operands.v = headsInside(*value, operands.valueSize);
    return {};
  }

  // [batch, sequence, heads, 3, size], or for one decoding step [batch, 1, 3 * hidden].
  bool readPacked(const Tensor& query, Operands& operands) const {
    const Dims& dims = query.dims();
    const bool five = dims.size() == 5 && dims[2] == m_heads && dims[3] == 3;
    const bool three = dims.size() == 3 && m_form.beams != kNowhere && dims[2] % (3 * m_heads) == 0;
    if (!five && !three) return false;
    operands.size = operands.valueSize = five ? dims[4] : dims[2] / (3 * m_heads);
    const int64_t row = 3 * m_heads * operands.size, head = five ? 3 * operands.size : operands.size,
                  part = five ? operands.size : m_heads * operands.size;
    operands.q = rowsOf(query, dims[1] * row, head, row);
    operands.k = rowsOf(query, dims[1] * row, head, row, part);
    operands.v = rowsOf(query, dims[1] * row, head, row, 2 * part);
    return true;
  }

  Result<void> addBias(KernelContext& context, Operands& operands) const {
    const Tensor* bias = optional(context, m_form.bias);
    if (bias == nullptr) return {};
    const int64_t hidden = m_heads * operands.size, valueHidden = m_heads * operands.valueSize;
    if (bias->dims() != Dims{2 * hidden + valueHidden} || bias->type() != operands.q.type) {
      return fail(ErrorCode::kInvalidArgument, "{}: bias is {} instead of {} long", m_form.name,
                  dimsToText(bias->dims()), 2 * hidden + valueHidden);
    }
    const auto at = [&](int64_t start) { return rowsOf(*bias, 0, 0, 0, start).data; };
    CUTAWAY_TRY(operands.q,
                withBias(context, operands.q, operands.batch, m_heads, operands.queries, operands.size, at(0)));
    if (operands.encoder) return {};
    CUTAWAY_TRY(operands.k,
                withBias(context, operands.k, operands.batch, m_heads, operands.fresh, operands.size, at(hidden)));
    CUTAWAY_TRY(operands.v, withBias(context, operands.v, operands.batch, m_heads, operands.fresh, operands.valueSize,
                                     at(2 * hidden)));
    return {};
  }

  Result<void> readCache(KernelContext& context, const Operands& operands, Problem& problem) const {
    const Tensor *pastKey = optional(context, m_form.pastKey), *pastValue = optional(context, m_form.pastValue),
                 *pastLength = optional(context, m_form.pastLength);
    if ((pastKey == nullptr) != (pastValue == nullptr))
      return fail(ErrorCode::kInvalidArgument, "{}: past_key and past_value come together or not at all", m_form.name);
    int64_t past = 0, held = 0, capacity = operands.fresh;
    if (pastKey != nullptr) {
      held = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
      past = pastLength != nullptr && pastLength->elementCount() == 1 ? pastLength->span<int32_t>()[0] : held;
      const bool fits = pastKey->dims() == Dims{operands.batch, m_heads, held, operands.size} &&
                        pastValue->dims() == Dims{operands.batch, m_heads, held, operands.valueSize};
      if (!fits || operands.encoder || past < 0 || past > held) {
        return fail(ErrorCode::kInvalidArgument,
                    "{}: {} tokens of past_key {} and past_value {} cannot go before {} batches of {} heads of {} and "
                    "{} channels",
                    m_form.name, past, dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), operands.batch,
                    m_heads, operands.size, operands.valueSize);
      }
      capacity = pastLength != nullptr ? std::max(held, past + operands.fresh) : past + operands.fresh;
    }
    problem.keys = past + operands.fresh;
    problem.offset = past;
    const auto present = [&](size_t slot) { return slot < context.outputCount() && context.hasOutput(slot); };
    const CacheRows keyRows{.batch = operands.batch,
                            .heads = m_heads,
                            .size = operands.size,
                            .capacity = capacity,
                            .pastRows = past,
                            .freshRows = operands.fresh,
                            .heldRows = held,
                            .clear = true};
    CacheRows valueRows = keyRows;
    valueRows.size = operands.valueSize;
    CUTAWAY_TRY(problem.k, joinCache(context, {pastKey, 1, present(1)}, keyRows, operands.k));
    CUTAWAY_TRY(problem.v, joinCache(context, {pastValue, 2, present(2)}, valueRows, operands.v));
    if (pastKey == nullptr) return {};
    CUTAWAY_CHECK(followBeams(context, keyRows, past, problem.k));
    return followBeams(context, valueRows, past, problem.v);
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

  Form m_form;
  int64_t m_heads;
  float m_scale, m_filter;
  bool m_causal;
};

template <const Form& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const int64_t heads = info.attribute<int64_t>("num_heads", 0);
  if (heads <= 0) return fail(ErrorCode::kInvalidArgument, "{}: num_heads is {}", kForm.name, heads);
  for (const size_t slot : {size_t{1}, size_t{2}, kForm.bias, kForm.scoreBias, kForm.pastKey, kForm.pastValue}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(0))
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of the query's type", kForm.name, slot);
  }
  for (const size_t slot : {kForm.pastLength, kForm.indirection}) {
    if (info.hasInput(slot) && info.inputElement(slot) != ElementType::kInt32)
      return fail(ErrorCode::kInvalidArgument, "{}: input {} is not of int32", kForm.name, slot);
  }
  if (info.hasOutput(3) && info.outputType(3).element != info.inputElement(0) &&
      info.outputType(3).element != ElementType::kUndefined) {
    return fail(ErrorCode::kNotImplemented, "{} with scores of another type than the query", kForm.name);
  }
  return std::unique_ptr<Kernel>(std::make_unique<MultiHeadKernel>(info, kForm));
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
     .create = create<kMultiHead>},
    {.opType = "DecoderMaskedMultiHeadAttention",
     .domain = "com.microsoft",
     .types = kTypes,
     .inplace = kInplaceDecoder,
     .hostInputs = kHostDecoder,
     .fastPath = "highway",
     .create = create<kDecoder>},
};

}  // namespace
}  // namespace cutaway::attention

namespace cutaway {
KernelRows kernel_multi_head_attention() {
  return attention::kRows;
}
}  // namespace cutaway
