// GroupQueryAttention and SparseAttention of com.microsoft: packed or separate operands, normalised and rotated queries
// and keys, a cache that grows or is shared, quantised or not.
//
// Batch b holds seqlens_k[b] + 1 tokens after this step; a step whose length is total_sequence_length is the first and
// starts at 0.

#include "engine/operators/group_query_attention.h"

#include <cmath>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_call.h"
#include "providers/cpu/kernels/attention/block_mask.h"
#include "providers/cpu/kernels/attention/cache_quantisation.h"
#include "providers/cpu/kernels/attention/rotary.h"

namespace cutaway::cpu::attention {
namespace {

using operators::GroupQueryForm;
using operators::GroupQueryLengths;
using operators::GroupQueryOperands;
using operators::GroupQuerySettings;
using operators::kGroupQueryForm;
using operators::kSparseForm;
using Slots = operators::GroupQuerySlots;

struct Options : GroupQuerySettings {
  CacheCoding keyCoding, valueCoding;
};

// The numbers of one step.
struct Step : GroupQueryLengths {
  int64_t batch = 0, sequence = 0, size = 0;
  Rows q, k, v;
  int64_t* past = nullptr;     // tokens before this step, a batch each
  int64_t* kept = nullptr;     // those of them that the cache holds: all, or the last ones of a windowed cache
  int64_t* lengths = nullptr;  // rows of keys in this step
  int64_t* after = nullptr;    // rows that a windowed cache holds after it
  int64_t keys = 0;            // the most rows
};

const Tensor* optional(const KernelContext& context, size_t slot) {
  return slot < context.inputCount() ? context.input(slot) : nullptr;
}

template <typename T>
class GroupQueryKernel final : public Kernel {
 public:
  GroupQueryKernel(const Options& options, const GroupQueryForm& form) : m_options(options), m_form(form) {}
  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    Step step;
    CUTAWAY_TRY(const GroupQueryOperands operands, readOperands(context, step));
    CUTAWAY_CHECK(readLengths(context, operands, step));
    CUTAWAY_CHECK(prepare(context, operands, step));
    Problem problem;
    problem.batch = step.batch, problem.heads = m_options.heads, problem.keyHeads = m_options.keyHeads,
    problem.queries = step.sequence;
    problem.headSize = problem.valueSize = step.size;
    problem.scale = m_options.scaleOf(step.size);
    problem.softcap = m_options.softcap;
    problem.causal = m_options.causal;
    problem.left = m_options.left();
    problem.smooth = m_options.smoothSoftmax;
    problem.offsets = step.kept;
    problem.lengths = step.lengths;
    problem.q = step.q;
    problem.keys = step.keys;
    CUTAWAY_CHECK(readBias(context, step, problem));
    context.subStep("grow the cache");
    CUTAWAY_TRY(problem.k, grow(context, step, Slots::kPastKey, 1, step.k, m_options.keyCoding, m_form.keyScale));
    CUTAWAY_TRY(problem.v, grow(context, step, Slots::kPastValue, 2, step.v, m_options.valueCoding, m_form.valueScale));
    CUTAWAY_TRY(Tensor * y, context.output(0, {step.batch, step.sequence, m_options.heads * step.size}));
    problem.out = headsInside(*y, step.size);
    if (m_options.scoreOutput != 0 && context.outputCount() > 3 && context.hasOutput(3)) {
      CUTAWAY_TRY(Tensor * scores,
                  context.output(3, y->type(), std::array{step.batch, m_options.heads, step.sequence, step.total}));
      problem.scores = scores->mutableData();
      problem.stage = m_options.scoreOutput == 1 ? ScoreStage::kSeen : ScoreStage::kProbabilities;
    }
    return attend(context, problem);
  }

 private:
  Result<GroupQueryOperands> readOperands(const KernelContext& context, Step& step) const {
    const Tensor& query = *context.input(Slots::kQuery);
    const Tensor *key = optional(context, Slots::kKey), *value = optional(context, Slots::kValue);
    CUTAWAY_TRY(const GroupQueryOperands operands,
                operators::groupQueryOperands(m_form, m_options, query.dims(), key != nullptr ? &key->dims() : nullptr,
                                              value != nullptr ? &value->dims() : nullptr));
    step.batch = operands.batch, step.sequence = operands.sequence, step.size = operands.size;
    step.q = rowsOf(query, operands.q);
    step.k = rowsOf(key != nullptr ? *key : query, operands.k);
    step.v = rowsOf(value != nullptr ? *value : query, operands.v);
    return operands;
  }

  Result<void> readLengths(KernelContext& context, const GroupQueryOperands& operands, Step& step) const {
    const Tensor &given = *context.input(m_form.lengths), &total = *context.input(m_form.total);
    CUTAWAY_TRY(static_cast<GroupQueryLengths&>(step),
                operators::groupQueryLengths(m_form, m_options, operands, given.dims(), total,
                                             optional(context, Slots::kPastKey)));
    const int64_t held = step.held;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(4 * step.batch) * sizeof(int64_t)));
    step.past = reinterpret_cast<int64_t*>(memory.data());
    step.kept = step.past + step.batch;
    step.lengths = step.kept + step.batch;
    step.after = step.lengths + step.batch;
    step.keys = m_options.windowedCache ? 0 : step.total;
    for (int64_t b = 0; b < step.batch; ++b) {
      const int64_t length = int64_t{given.span<int32_t>()[static_cast<size_t>(b)]} + (m_form.sparse() ? 0 : 1);
      step.past[b] = step.first ? 0 : length - step.sequence;
      step.kept[b] = m_options.windowedCache ? residentRows(step.past[b], held) : step.past[b];
      if (length < 1 || length > step.total || step.past[b] < 0 || step.kept[b] > held) {
        return fail(ErrorCode::kInvalidArgument,
                    "{}: {} tokens of batch {} do not fit {} new tokens after a cache of {} within {} in all",
                    m_form.name, length, b, step.sequence, held, step.total);
      }
      step.lengths[b] = m_options.windowedCache ? step.kept[b] + std::min(step.sequence, length) : length;
      step.after[b] = residentRows(length, held);
      if (m_options.windowedCache) step.keys = std::max(step.keys, step.kept[b] + step.sequence);
    }
    return {};
  }

  // Rows of a windowed cache after `tokens`: when it is full, the oldest go, as many at once as it has room beyond the
  // window.
  int64_t residentRows(int64_t tokens, int64_t capacity) const {
    if (tokens <= capacity || !m_options.windowedCache) return tokens;
    const int64_t group = capacity - m_options.window + 1;
    return tokens - group * ((tokens - capacity + group - 1) / group);
  }

  // Queries and keys normalised and rotated, in memory of their own.
  Result<void> prepare(KernelContext& context, const GroupQueryOperands& operands, Step& step) const {
    const Tensor *queryNorm = optional(context, m_form.queryNorm), *keyNorm = optional(context, m_form.keyNorm);
    if ((queryNorm == nullptr) != (keyNorm == nullptr))
      return fail(ErrorCode::kInvalidArgument, "{}: q_norm_weight and k_norm_weight come together or not at all",
                  m_form.name);
    if (queryNorm != nullptr && (queryNorm->dims() != Dims{step.size} || keyNorm->dims() != Dims{step.size})) {
      return fail(ErrorCode::kInvalidArgument, "{}: q_norm_weight {} and k_norm_weight {} should be {} long",
                  m_form.name, dimsToText(queryNorm->dims()), dimsToText(keyNorm->dims()), step.size);
    }
    if (!m_options.rotary && queryNorm == nullptr) return {};
    Rotation<T> table;
    CUTAWAY_TRY(const int64_t rows, readAngles(context, operands, table));
    CUTAWAY_CHECK(checkPositions(context, operands, step, rows));
    const int64_t tokens = step.batch * step.sequence, heads = m_options.heads + m_options.keyHeads;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(tokens * heads * step.size) * sizeof(T)));
    T* to = reinterpret_cast<T*>(memory.data());
    const Tensor* positions = optional(context, m_form.positions);
    const int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, heads * step.size));
    parallelFor(tokens, grain, [&](int64_t begin, int64_t end) {
      for (int64_t token = begin; token < end; ++token) {
        const int64_t batch = token / step.sequence, place = token % step.sequence;
        Rotation<T> rotation = table;
        if (m_options.rotary) {
          const int64_t position =
              positions != nullptr ? positions->span<int64_t>()[static_cast<size_t>(token)] : step.past[batch] + place;
          rotation.cosine += position * table.half;
          rotation.sine += position * table.half;
        }
        for (int64_t head = 0; head < heads; ++head) {
          const bool isKey = head >= m_options.heads;
          const Rows& from = isKey ? step.k : step.q;
          const T* row = static_cast<const T*>(from.data) + batch * from.batchStep +
                         (isKey ? head - m_options.heads : head) * from.headStep + place * from.rowStep;
          T* target = to + (token * heads + head) * step.size;
          if (queryNorm != nullptr) {
            normalise(row, (isKey ? keyNorm : queryNorm)->span<T>().data(), step.size, target);
            row = target;
          }
          rotateHead(row, step.size, rotation, target);
        }
      }
    });
    step.q = {to, step.q.type, step.sequence * heads * step.size, step.size, heads * step.size};
    step.k = {to + m_options.heads * step.size, step.k.type, step.sequence * heads * step.size, step.size,
              heads * step.size};
    return {};
  }

  void normalise(const T* from, const T* weight, int64_t size, T* to) const {
    float sum = 0.0f;
    for (int64_t i = 0; i < size; ++i)
      sum += cpu::widen(from[i]) * cpu::widen(from[i]);
    const float inverse = 1.0f / std::sqrt(sum / static_cast<float>(size) + m_options.normEpsilon);
    for (int64_t i = 0; i < size; ++i)
      to[i] = cpu::narrow<T>(cpu::widen(from[i]) * inverse * cpu::widen(weight[i]));
  }

  Result<int64_t> readAngles(const KernelContext& context, const GroupQueryOperands& operands,
                             Rotation<T>& table) const {
    if (!m_options.rotary) return 0;
    const Tensor *cosine = optional(context, m_form.cosine), *sine = optional(context, m_form.sine);
    CUTAWAY_TRY(const int64_t angles, operators::groupQueryAngles(m_form, operands, cosine, sine));
    table = {cosine->span<T>().data(), sine->span<T>().data(), angles, m_options.interleaved};
    return cosine->dims()[0];
  }

  Result<void> checkPositions(const KernelContext& context, const GroupQueryOperands& operands, const Step& step,
                              int64_t rows) const {
    if (!m_options.rotary) return {};
    const Tensor* positions = optional(context, m_form.positions);
    if (positions != nullptr) CUTAWAY_CHECK(operators::checkGroupQueryPositions(m_form, operands, positions->dims()));
    const auto refuse = [&](int64_t position) {
      return fail(ErrorCode::kInvalidArgument, "{}: position {} lies outside the caches of {} rows", m_form.name,
                  position, rows);
    };
    for (size_t i = 0; positions != nullptr && i < positions->span<int64_t>().size(); ++i) {
      const int64_t position = positions->span<int64_t>()[i];
      if (position < 0 || position >= rows) return refuse(position);
    }
    for (int64_t b = 0; positions == nullptr && b < step.batch; ++b) {
      if (step.past[b] + step.sequence > rows) return refuse(step.past[b] + step.sequence - 1);
    }
    return {};
  }

  Result<void> readBias(KernelContext& context, const Step& step, Problem& problem) const {
    if (m_form.sparse()) {
      const BlockMask mask{context.input(m_form.blockRows), context.input(m_form.blockColumns),
                           m_options.sparseBlockSize};
      CUTAWAY_TRY(problem.planes[0], blockPlane(context, problem, mask, step.past));
    }
    if (const Tensor* bias = optional(context, m_form.bias)) {
      // Its columns are positions, those of a windowed cache start later.
      operators::ScoreDims whole = scoresOf(problem);
      whole.keys = step.total;
      CUTAWAY_TRY(const operators::ScorePlane plane, operators::scoreBiasPlane(whole, bias->dims(), m_form.name));
      problem.planes[0] = planeOf(plane, *bias);
      if (m_options.windowedCache) CUTAWAY_CHECK(shiftPlane(step, problem.planes[0]));
    }
    const Tensor* sink = optional(context, m_form.sink);
    if (sink == nullptr) return {};
    CUTAWAY_CHECK(operators::checkGroupQuerySink(m_form, m_options, sink->dims()));
    if constexpr (std::is_same_v<T, float>) {
      problem.sinks = sink->span<float>().data();
    } else {
      CUTAWAY_TRY(const std::span<std::byte> memory,
                  context.scratch(static_cast<size_t>(m_options.heads) * sizeof(float)));
      float* sinks = reinterpret_cast<float*>(memory.data());
      cpu::widenRun(sink->span<T>().data(), sinks, m_options.heads);
      problem.sinks = sinks;
    }
    return {};
  }

  Result<void> shiftPlane(const Step& step, Plane& plane) const {
    const int64_t shift = step.batch > 0 ? step.past[0] - step.kept[0] : 0;
    for (int64_t b = 0; b < step.batch; ++b) {
      if (step.past[b] - step.kept[b] != shift)
        return fail(ErrorCode::kNotImplemented, "{} with attention_bias and windows that start apart", m_form.name);
    }
    plane.data = static_cast<const T*>(plane.data) + shift * plane.step[3];
    plane.columns -= shift;
    return {};
  }

  // Past and fresh rows side by side in scratch for this step; the last of them become the cache.
  Result<Rows> slide(KernelContext& context, const Step& step, const CacheSlots& slots, CacheRows rows,
                     const Rows& fresh) const {
    const int64_t bytes = fresh.type == ElementType::kFloat                                             ? 4
                          : fresh.type == ElementType::kFloat16 || fresh.type == ElementType::kBfloat16 ? 2
                                                                                                        : 1;
    if (slots.past->type() != fresh.type)
      return fail(ErrorCode::kInvalidArgument, "{}: a past of {} cannot be continued with {}", m_form.name,
                  elementTypeName(slots.past->type()), elementTypeName(fresh.type));
    rows.capacity = step.keys;
    const int64_t head = step.keys * rows.size;
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(rows.batch * rows.heads * head * bytes)));
    const Rows past = rowsOf(*slots.past, operators::headsOutside(slots.past->dims()));
    fillCache(rows, &past, fresh, {memory.data(), fresh.type, rows.heads * head, head, rows.size});
    const Rows all{memory.data(), fresh.type, rows.heads * head, head, rows.size};
    if (!slots.present) return all;
    CUTAWAY_TRY(Tensor * present, context.output(slots.presentSlot, fresh.type,
                                                 std::array{rows.batch, rows.heads, step.capacity, rows.size}));
    std::byte* to = present->mutableBytes().data();
    for (int64_t unit = 0; unit < rows.batch * rows.heads; ++unit) {
      const int64_t batch = unit / rows.heads, held = step.after[batch], start = step.lengths[batch] - held;
      std::byte* at = to + unit * step.capacity * rows.size * bytes;
      std::copy_n(memory.data() + (unit * head + start * rows.size) * bytes, held * rows.size * bytes, at);
      std::fill_n(at + held * rows.size * bytes, (step.capacity - held) * rows.size * bytes, std::byte{0});
    }
    return all;
  }

  // The cache with this step's rows in it.
  Result<Rows> grow(KernelContext& context, const Step& step, size_t pastSlot, size_t presentSlot, const Rows& fresh,
                    const CacheCoding& coding, size_t scaleSlot) const {
    const Tensor* past = optional(context, pastSlot);
    const int64_t stored = coding.storedSize(step.size);
    if (past != nullptr)
      CUTAWAY_CHECK(operators::checkGroupQueryPast(m_form, m_options,
                                                   {.batch = step.batch, .sequence = step.sequence, .size = step.size},
                                                   past->dims(), step.held, stored));
    const CacheRows rows{.batch = step.batch,
                         .heads = m_options.keyHeads,
                         .size = stored,
                         .capacity = step.capacity,
                         .past = step.kept,
                         .freshRows = step.sequence,
                         .clear = true};
    const CacheSlots slots{past, presentSlot, presentSlot < context.outputCount() && context.hasOutput(presentSlot)};
    const auto join = [&](const Rows& each) {
      return m_options.windowedCache ? slide(context, step, slots, rows, each) : joinCache(context, slots, rows, each);
    };
    if (coding.kind == CacheCoding::kNone) return join(fresh);
    CUTAWAY_TRY(const CacheScale scale, coding.scaleOf(optional(context, scaleSlot), m_options.keyHeads, step.size));
    CUTAWAY_TRY(const Rows coded, encodeRows(context, coding, scale, fresh, rows, step.size));
    CUTAWAY_TRY(Rows all, join(coded));
    return coding.decoded(all, scale);
  }

  Options m_options;
  GroupQueryForm m_form;
};

Result<Options> readOptions(const KernelInfo& info, const GroupQueryForm& form) {
  Options options;
  CUTAWAY_TRY(static_cast<GroupQuerySettings&>(options), operators::readGroupQuery(form, info.graph(), info.node()));
  if (options.windowedCache && options.scoreOutput != 0)
    return fail(ErrorCode::kNotImplemented, "{} with the scores of a cache as long as its window", form.name);
  const ElementType keyCache = info.hasInput(Slots::kPastKey) ? info.inputElement(Slots::kPastKey)
                               : info.hasOutput(1)            ? info.outputType(1).element
                                                              : ElementType::kUndefined;
  const ElementType valueCache = info.hasInput(Slots::kPastValue) ? info.inputElement(Slots::kPastValue)
                                 : info.hasOutput(2)              ? info.outputType(2).element
                                                                  : ElementType::kUndefined;
  CUTAWAY_TRY(options.keyCoding, CacheCoding::create(info, "k_quant_type", keyCache));
  CUTAWAY_TRY(options.valueCoding, CacheCoding::create(info, "v_quant_type", valueCache));
  return options;
}

template <typename T, const GroupQueryForm& kForm>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  CUTAWAY_TRY(const Options options, readOptions(info, kForm));
  return std::unique_ptr<Kernel>(std::make_unique<GroupQueryKernel<T>>(options, kForm));
}

constexpr ElementType kHalf[] = {ElementType::kFloat16}, kBrain[] = {ElementType::kBfloat16},
                      kSingle[] = {ElementType::kFloat}, kInteger[] = {ElementType::kInt32};
constexpr TypeRule kFloatTypes[] = {{Slots::kQuery, kSingle}, {Slots::kLengths, kInteger}, {Slots::kTotal, kInteger}},
                   kHalfTypes[] = {{Slots::kQuery, kHalf}, {Slots::kLengths, kInteger}, {Slots::kTotal, kInteger}},
                   kBrainTypes[] = {{Slots::kQuery, kBrain}, {Slots::kLengths, kInteger}, {Slots::kTotal, kInteger}};
constexpr InplaceHint kInplace[] = {{.input = Slots::kPastKey, .output = 1}, {.input = Slots::kPastValue, .output = 2}};
constexpr int kHostInputs[] = {Slots::kLengths, Slots::kTotal}, kSparseHostInputs[] = {5, 6, 7, 8};
constexpr TypeRule kSparseFloat[] = {{Slots::kQuery, kSingle},
                                     {5, kInteger},
                                     {6, kInteger},
                                     {7, kInteger},
                                     {8, kInteger}},
                   kSparseHalf[] = {{Slots::kQuery, kHalf}, {5, kInteger}, {6, kInteger}, {7, kInteger}, {8, kInteger}},
                   kSparseBrain[] = {
                       {Slots::kQuery, kBrain}, {5, kInteger}, {6, kInteger}, {7, kInteger}, {8, kInteger}};

constexpr KernelRow kRows[] = {
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kFloatTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<float, kGroupQueryForm>},
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kHalfTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<Float16, kGroupQueryForm>},
    {.opType = "GroupQueryAttention",
     .domain = "com.microsoft",
     .types = kBrainTypes,
     .inplace = kInplace,
     .hostInputs = kHostInputs,
     .fastPath = "highway",
     .create = create<Bfloat16, kGroupQueryForm>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseFloat,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<float, kSparseForm>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseHalf,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<Float16, kSparseForm>},
    {.opType = "SparseAttention",
     .domain = "com.microsoft",
     .types = kSparseBrain,
     .inplace = kInplace,
     .hostInputs = kSparseHostInputs,
     .fastPath = "highway",
     .create = create<Bfloat16, kSparseForm>},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_group_query_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
