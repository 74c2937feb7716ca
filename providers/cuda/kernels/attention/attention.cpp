// Attention of ai.onnx, versions 23 and later: 3-D and 4-D operands, shared key heads, masks, caches, windows.

#include "engine/operators/attention.h"

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

using operators::AttentionOperand;
using operators::AttentionOperands;
using operators::AttentionSettings;
using Slots = operators::AttentionSlots;

class AttentionKernel final : public GpuKernel {
 public:
  AttentionKernel(const AttentionSettings& settings, ElementType type) : m_settings(settings), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &q = *call.input(Slots::kQ), &k = *call.input(Slots::kK), &v = *call.input(Slots::kV);
    CUTAWAY_TRY(const AttentionOperands operands,
                operators::attentionOperands(m_settings, q.dims(), k.dims(), v.dims()));
    const AttentionOperand &query = operands.query, &key = operands.key, &value = operands.value;
    AttentionParameters p{.q = q.data(),
                          .batch = query.batch,
                          .heads = query.heads,
                          .keyHeads = key.heads,
                          .queries = query.rows,
                          .keys = key.rows,
                          .size = query.size,
                          .valueSize = value.size,
                          .scale = m_settings.scale ? *m_settings.scale : usualScale(query.size),
                          .softcap = m_settings.softcap,
                          .causal = m_settings.causal,
                          .left = m_settings.left,
                          .right = m_settings.right};
    setStrides(p.strideQ, rowsOf(q, query.steps));
    CUTAWAY_CHECK(readCache(call, p, operands, k, v));
    if (const Tensor* lengths = optionalInput(call, Slots::kLengths)) {
      CUTAWAY_CHECK(operators::checkKeyLengths(lengths->dims(), p.batch));
      p.longLengths = static_cast<const int64_t*>(lengths->data());
      p.offsetFromLength = 1;
    }
    if (const Tensor* mask = optionalInput(call, Slots::kMask)) {
      CUTAWAY_TRY(
          const operators::ScorePlane plane,
          operators::scorePlane(scoresOf(p), mask->dims(), "Attention: attn_mask", m_settings.masksMayBeShorter()));
      p.planes[0] = planeOf(plane, *mask);
    }
    const Dims dims = operands.outputDims();
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    setStrides(p.strideY, operands.inside ? headsInside(*y, p.valueSize) : rowsOf(*y, operators::headsOutside(dims)));
    return m_run.attend(call, p);
  }

 private:
  Result<void> readCache(GpuCall& call, AttentionParameters& p, const AttentionOperands& operands, const Tensor& k,
                         const Tensor& v) const {
    const Tensor *pastKey = optionalInput(call, Slots::kPastKey), *pastValue = optionalInput(call, Slots::kPastValue);
    const AttentionOperand &key = operands.key, &value = operands.value;
    CUTAWAY_TRY(const int64_t past, operators::attentionPast(operands, pastKey, pastValue, m_type, m_type));
    p.keys = past + key.rows;
    p.offset = past;
    const CacheStep keyStep{.past = pastKey,
                            .presentSlot = 1,
                            .batch = key.batch,
                            .heads = key.heads,
                            .size = key.size,
                            .capacity = p.keys,
                            .kept = past,
                            .fresh = key.rows,
                            .held = past};
    const CacheStep valueStep{.past = pastValue,
                              .presentSlot = 2,
                              .batch = key.batch,
                              .heads = key.heads,
                              .size = value.size,
                              .capacity = p.keys,
                              .kept = past,
                              .fresh = key.rows,
                              .held = past};
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, keyStep, rowsOf(k, key.steps)));
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, valueStep, rowsOf(v, value.steps)));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    return {};
  }

  AttentionSettings m_settings;
  AttentionRun m_run;
  ElementType m_type;
};

Result<std::unique_ptr<GpuKernel>> makeAttention(const KernelInfo& info) {
  if (info.hasOutput(3))
    return fail(ErrorCode::kNotImplemented, "Attention: qk_matmul_output is not kept on the device");
  CUTAWAY_TRY(const AttentionSettings settings, operators::readAttention(info.node()));
  for (const size_t slot : {Slots::kK, Slots::kV, Slots::kPastKey, Slots::kPastValue}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(Slots::kQ))
      return fail(ErrorCode::kNotImplemented, "Attention: input {} is of another type than Q", static_cast<int>(slot));
  }
  if (info.hasInput(Slots::kMask)) {
    const ElementType mask = info.inputElement(Slots::kMask);
    if (mask != ElementType::kBool && mask != ElementType::kFloat && mask != info.inputElement(Slots::kQ))
      return fail(ErrorCode::kNotImplemented, "Attention: a mask of {}", elementTypeName(mask));
  }
  return std::make_unique<AttentionKernel>(settings, info.inputElement(Slots::kQ));
}

constexpr TypeRule kTypes[] = {{Slots::kQ, kAttentionTypes}};

}  // namespace

KernelRows kernel_attention() {
  static constexpr KernelRow rows[] = {{.opType = "Attention",
                                        .versions = {23},
                                        .types = kTypes,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeAttention>}};
  return rows;
}

}  // namespace cutaway::cuda
