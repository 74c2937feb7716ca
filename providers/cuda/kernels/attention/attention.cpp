// Attention of ai.onnx, versions 23 and later: 3-D and 4-D operands, shared key heads, masks, caches, windows.

#include "providers/cuda/kernels/attention/attention_run.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t { kQ, kK, kV, kMask, kPastKey, kPastValue, kLengths };

struct Operand {
  int64_t batch = 0, heads = 0, rows = 0, size = 0;
  HeadRows view;
};

Result<Operand> operandOf(const Tensor& tensor, int64_t heads, std::string_view name) {
  const Dims& dims = tensor.dims();
  if (dims.size() == 4) return Operand{dims[0], dims[1], dims[2], dims[3], headsOutside(tensor)};
  if (dims.size() != 3 || heads <= 0 || dims[2] % heads != 0)
    return fail(ErrorCode::kInvalidArgument, "Attention: {} is {}, which {} heads do not divide", name,
                dimsToText(dims), heads);
  return Operand{dims[0], heads, dims[1], dims[2] / heads, headsInside(tensor, dims[2] / heads)};
}

class AttentionKernel final : public GpuKernel {
 public:
  explicit AttentionKernel(const KernelInfo& info)
      : m_type(info.inputElement(kQ)),
        m_queryHeads(info.attribute<int64_t>("q_num_heads", 0)),
        m_keyHeads(info.attribute<int64_t>("kv_num_heads", 0)),
        m_version(info.opset()),
        m_hasScale(info.node().findAttribute("scale") != nullptr),
        m_scale(info.attribute<float>("scale", 1.0f)),
        m_softcap(info.attribute<float>("softcap", 0.0f)),
        m_causal(info.attribute<int64_t>("is_causal", 0) != 0),
        m_left(info.attribute<int64_t>("left_window_size", -1)),
        m_right(info.attribute<int64_t>("right_window_size", -1)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_run.prepare(resources, m_type); }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<AttentionState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &q = *call.input(kQ), &k = *call.input(kK), &v = *call.input(kV);
    if (q.rank() != k.rank() || q.rank() != v.rank())
      return fail(ErrorCode::kInvalidArgument, "Attention: Q, K and V are 3-D or 4-D alike, not {}, {} and {}",
                  dimsToText(q.dims()), dimsToText(k.dims()), dimsToText(v.dims()));
    CUTAWAY_TRY(const Operand query, operandOf(q, m_queryHeads, "Q"));
    CUTAWAY_TRY(const Operand key, operandOf(k, m_keyHeads, "K"));
    CUTAWAY_TRY(const Operand value, operandOf(v, m_keyHeads, "V"));
    const bool alike = key.batch == query.batch && value.batch == query.batch && key.rows == value.rows &&
                       key.heads == value.heads && key.size == query.size;
    if (!alike)
      return fail(ErrorCode::kInvalidArgument, "Attention: Q {}, K {} and V {} do not belong together",
                  dimsToText(q.dims()), dimsToText(k.dims()), dimsToText(v.dims()));
    if (key.heads <= 0 || query.heads % key.heads != 0)
      return fail(ErrorCode::kInvalidArgument, "Attention: {} heads of keys do not divide {} heads of queries",
                  key.heads, query.heads);
    AttentionParameters p{.q = q.data(),
                          .batch = query.batch,
                          .heads = query.heads,
                          .keyHeads = key.heads,
                          .queries = query.rows,
                          .keys = key.rows,
                          .size = query.size,
                          .valueSize = value.size,
                          .scale = m_hasScale ? m_scale : usualScale(query.size),
                          .softcap = m_softcap,
                          .causal = m_causal,
                          .left = m_left,
                          .right = m_right};
    setStrides(p.strideQ, query.view);
    CUTAWAY_CHECK(readCache(call, p, key, value));
    if (const Tensor* lengths = optionalInput(call, kLengths)) {
      if (lengths->dims() != Dims{p.batch})
        return fail(ErrorCode::kInvalidArgument, "Attention: nonpad_kv_seqlen is {} for {} batches",
                    dimsToText(lengths->dims()), p.batch);
      p.longLengths = static_cast<const int64_t*>(lengths->data());
      p.offsetFromLength = 1;
    }
    if (const Tensor* mask = optionalInput(call, kMask)) {
      CUTAWAY_TRY(p.planes[0], planeOf(p, *mask, "Attention: attn_mask", m_version >= 24));
    }
    const bool inside = q.rank() == 3;
    const Dims dims =
        inside ? Dims{p.batch, p.queries, p.heads * p.valueSize} : Dims{p.batch, p.heads, p.queries, p.valueSize};
    CUTAWAY_TRY(Tensor * y, call.output(0, dims));
    p.y = y->mutableData();
    setStrides(p.strideY, inside ? headsInside(*y, p.valueSize) : headsOutside(*y));
    return m_run.attend(call, p);
  }

 private:
  Result<void> readCache(GpuCall& call, AttentionParameters& p, const Operand& key, const Operand& value) const {
    const Tensor *pastKey = optionalInput(call, kPastKey), *pastValue = optionalInput(call, kPastValue);
    int64_t past = 0;
    if (pastKey != nullptr && pastValue != nullptr) {
      past = pastKey->rank() == 4 ? pastKey->dims()[2] : -1;
      if (pastKey->dims() != Dims{key.batch, key.heads, past, key.size} ||
          pastValue->dims() != Dims{value.batch, value.heads, past, value.size}) {
        return fail(ErrorCode::kInvalidArgument,
                    "Attention: past_key {} and past_value {} do not continue with {} heads of {} and {} channels in "
                    "{} batches",
                    dimsToText(pastKey->dims()), dimsToText(pastValue->dims()), key.heads, key.size, value.size,
                    key.batch);
      }
    }
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
    CUTAWAY_TRY(const HeadRows keys, m_run.grow(call, keyStep, key.view));
    CUTAWAY_TRY(const HeadRows values, m_run.grow(call, valueStep, value.view));
    p.k = keys.data, p.v = values.data;
    setStrides(p.strideK, keys);
    setStrides(p.strideV, values);
    return {};
  }

  AttentionRun m_run;
  ElementType m_type;
  int64_t m_queryHeads, m_keyHeads;
  int32_t m_version;
  bool m_hasScale;
  float m_scale, m_softcap;
  bool m_causal;
  int64_t m_left, m_right;
};

Result<std::unique_ptr<GpuKernel>> makeAttention(const KernelInfo& info) {
  if (info.hasOutput(3))
    return fail(ErrorCode::kNotImplemented, "Attention: qk_matmul_output is not kept on the device");
  if (info.hasInput(kPastKey) != info.hasInput(kPastValue))
    return fail(ErrorCode::kInvalidArgument, "Attention: past_key and past_value come together or not at all");
  for (const size_t slot : {kK, kV, kPastKey, kPastValue}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kQ))
      return fail(ErrorCode::kNotImplemented, "Attention: input {} is of another type than Q", static_cast<int>(slot));
  }
  if (info.hasInput(kMask)) {
    const ElementType mask = info.inputElement(kMask);
    if (mask != ElementType::kBool && mask != ElementType::kFloat && mask != info.inputElement(kQ))
      return fail(ErrorCode::kNotImplemented, "Attention: a mask of {}", elementTypeName(mask));
  }
  return std::make_unique<AttentionKernel>(info);
}

constexpr TypeRule kTypes[] = {{kQ, kAttentionTypes}};

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
