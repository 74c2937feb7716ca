// GroupQueryAttention of com.microsoft: few key heads, rotary embedding, a cache with room that is written in place,
// windows, soft caps, sinks.
//
// seqlens_k stays on the device (lengths differ by batch and by step), total_sequence_length on the host: with a cache
// of fixed room every step enqueues the same.

#include "engine/operators/group_query_attention.h"

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

using operators::GroupQueryLengths;
using operators::GroupQueryOperands;
using operators::GroupQuerySettings;
using Slots = operators::GroupQuerySlots;
constexpr const operators::GroupQueryForm& kForm = operators::kGroupQueryForm;

struct Step : GroupQueryLengths {
  int64_t batch = 0, sequence = 0, size = 0;
  HeadRows q, k, v;
  const int32_t* lengths = nullptr;  // less one
};

class GroupQueryKernel final : public GpuKernel {
 public:
  GroupQueryKernel(const GroupQuerySettings& settings, ElementType type)
      : m_settings(settings), m_heads(settings.heads), m_keyHeads(settings.keyHeads), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    Step step;
    CUTAWAY_TRY(const GroupQueryOperands operands, readOperands(call, step));
    CUTAWAY_CHECK(readLengths(call, operands, step));
    if (m_settings.rotary) CUTAWAY_CHECK(rotate(call, operands, step));
    AttentionParameters p{.q = step.q.data,
                          .batch = step.batch,
                          .heads = m_heads,
                          .keyHeads = m_keyHeads,
                          .queries = step.sequence,
                          .keys = step.total,
                          .size = step.size,
                          .valueSize = step.size,
                          .scale = m_settings.scale != 0 ? m_settings.scale : usualScale(step.size),
                          .softcap = m_settings.softcap,
                          .causal = m_settings.causal,
                          .smooth = m_settings.smoothSoftmax,
                          .left = m_settings.left(),
                          .offsetFromLength = !step.first,
                          .lengths = step.lengths,
                          .lengthAdd = 1};
    if (const Tensor* bias = optionalInput(call, Slots::kBias)) {
      CUTAWAY_TRY(const operators::ScorePlane plane, operators::scoreBiasPlane(scoresOf(p), bias->dims(), kForm.name));
      p.planes[0] = planeOf(plane, *bias);
    }
    if (const Tensor* sink = optionalInput(call, Slots::kSink)) {
      CUTAWAY_CHECK(operators::checkGroupQuerySink(kForm, m_settings, sink->dims()));
      p.sinks = sink->data();
    }
    setStrides(p.strideQ, step.q);
    CacheStep cache{.past = optionalInput(call, Slots::kPastKey),
                    .presentSlot = 1,
                    .batch = step.batch,
                    .heads = m_keyHeads,
                    .size = step.size,
                    .capacity = step.capacity,
                    .fresh = step.sequence,
                    .lengths = step.first ? nullptr : step.lengths,
                    .lengthAdd = 1};
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, cache, step.k));
    cache.past = optionalInput(call, Slots::kPastValue), cache.presentSlot = 2;
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, cache, step.v));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    CUTAWAY_TRY(Tensor * y, call.output(0, {step.batch, step.sequence, m_heads * step.size}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, step.size));
    return m_run.attend(call, p);
  }

 private:
  Result<GroupQueryOperands> readOperands(const GpuCall& call, Step& step) const {
    const Tensor& query = *call.input(Slots::kQuery);
    const Tensor *key = optionalInput(call, Slots::kKey), *value = optionalInput(call, Slots::kValue);
    CUTAWAY_TRY(const GroupQueryOperands operands,
                operators::groupQueryOperands(kForm, m_settings, query.dims(), key != nullptr ? &key->dims() : nullptr,
                                              value != nullptr ? &value->dims() : nullptr));
    step.batch = operands.batch, step.sequence = operands.sequence, step.size = operands.size;
    step.q = rowsOf(query, operands.q);
    step.k = rowsOf(key != nullptr ? *key : query, operands.k);
    step.v = rowsOf(value != nullptr ? *value : query, operands.v);
    return operands;
  }

  Result<void> readLengths(const GpuCall& call, const GroupQueryOperands& operands, Step& step) const {
    const Tensor &given = *call.input(Slots::kLengths), &total = *call.input(Slots::kTotal);
    const Tensor *past = optionalInput(call, Slots::kPastKey), *pastValue = optionalInput(call, Slots::kPastValue);
    CUTAWAY_TRY(static_cast<GroupQueryLengths&>(step),
                operators::groupQueryLengths(kForm, m_settings, operands, given.dims(), total, past));
    step.lengths = static_cast<const int32_t*>(given.data());
    for (const Tensor* each : {past, pastValue}) {
      if (each != nullptr)
        CUTAWAY_CHECK(operators::checkGroupQueryPast(kForm, m_settings, operands, each->dims(), step.held, step.size));
    }
    return {};
  }

  // Queries and keys turned, in memory of their own.
  Result<void> rotate(GpuCall& call, const GroupQueryOperands& operands, Step& step) const {
    const Tensor *cosine = optionalInput(call, Slots::kCosine), *sine = optionalInput(call, Slots::kSine),
                 *positions = optionalInput(call, Slots::kPositions);
    CUTAWAY_TRY(const int64_t angles, operators::groupQueryAngles(kForm, operands, cosine, sine));
    if (positions != nullptr) CUTAWAY_CHECK(operators::checkGroupQueryPositions(kForm, operands, positions->dims()));
    RotaryParameters p{.cosine = cosine->data(),
                       .sine = sine->data(),
                       .tokens = step.sequence,
                       .size = step.size,
                       .half = angles,
                       .tableRows = cosine->dims()[0],
                       .positions = positions == nullptr ? nullptr : static_cast<const int64_t*>(positions->data()),
                       .lengths = step.first ? nullptr : step.lengths,
                       .lengthAdd = 1,
                       .interleaved = m_settings.interleaved};
    for (const auto& [rows, heads] : {std::pair<HeadRows*, int64_t>{&step.q, m_heads}, {&step.k, m_keyHeads}}) {
      const int64_t elements = step.batch * step.sequence * heads * step.size;
      CUTAWAY_TRY(void* to, call.scratch(static_cast<size_t>(elements * m_run.elementBytes())));
      const HeadRows turned{to, step.sequence * heads * step.size, step.size, heads * step.size};
      p.x = rows->data, p.y = to, p.heads = heads;
      p.count = step.batch * step.sequence * heads * (step.size - p.half);
      setStrides(p.strideX, *rows);
      setStrides(p.strideY, turned);
      CUTAWAY_CHECK(m_run.rotate(call, p));
      *rows = turned;
    }
    return {};
  }

  GroupQuerySettings m_settings;
  int64_t m_heads, m_keyHeads;
  AttentionRun m_run;
  ElementType m_type;
};

Result<std::unique_ptr<GpuKernel>> makeGroupQuery(const KernelInfo& info) {
  const auto no = [](const char* what) {
    return fail(ErrorCode::kNotImplemented, "GroupQueryAttention {} is not done on the device", what);
  };
  CUTAWAY_TRY(const GroupQuerySettings settings, operators::readGroupQuery(kForm, info.graph(), info.node()));
  if (info.hasInput(Slots::kQueryNorm) || info.hasInput(Slots::kKeyNorm)) return no("with normalised queries and keys");
  if (info.hasInput(Slots::kKeyScale) || info.hasInput(Slots::kValueScale)) return no("with a quantised cache");
  if (info.hasOutput(3)) return no("with its scores as an output");
  if (settings.windowedCache) return no("with a cache as long as its window");
  for (const size_t slot : {Slots::kPastKey, Slots::kPastValue}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(Slots::kQuery))
      return fail(ErrorCode::kNotImplemented, "GroupQueryAttention: input {} is not of the query's type", slot);
  }
  return std::make_unique<GroupQueryKernel>(settings, info.inputElement(Slots::kQuery));
}

constexpr ElementType kInteger[] = {ElementType::kInt32};
constexpr TypeRule kTypes[] = {
    {Slots::kQuery, kAttentionTypes}, {Slots::kLengths, kInteger}, {Slots::kTotal, kInteger}};
constexpr InplaceHint kInplace[] = {{.input = Slots::kPastKey, .output = 1}, {.input = Slots::kPastValue, .output = 2}};
constexpr int kHostInputs[] = {Slots::kTotal};

}  // namespace

KernelRows kernel_group_query_attention() {
  static constexpr KernelRow rows[] = {{.opType = "GroupQueryAttention",
                                        .domain = "com.microsoft",
                                        .types = kTypes,
                                        .inplace = kInplace,
                                        .hostInputs = kHostInputs,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeGroupQuery>}};
  return rows;
}

}  // namespace cutaway::cuda
