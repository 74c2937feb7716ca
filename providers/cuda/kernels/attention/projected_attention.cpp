// Attention of com.microsoft: queries, keys and values are one projection of the input; the past of both lies in one
// tensor [2, batch, heads, length, size].

#include "engine/operators/projected_attention.h"

#include "providers/cuda/kernels/attention/attention_run.h"
#include "providers/cuda/kernels/dense_product.h"

namespace cutaway::cuda {
namespace {

using operators::ProjectedCache;
using operators::ProjectedSettings;
using operators::ProjectedSizes;
using Slots = operators::ProjectedSlots;

class ProjectedState final : public AttentionState {
 public:
  int64_t rows = -1;
  DenseProduct product;
};

class ProjectedKernel final : public GpuKernel {
 public:
  ProjectedKernel(ProjectedSettings settings, ElementType type)
      : m_settings(std::move(settings)), m_heads(m_settings.heads), m_type(type) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    m_resources = &resources;
    return m_run.prepare(resources, m_type);
  }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProjectedState>(); }
  std::string_view variant() const override { return "attention"; }

  Result<void> launch(GpuCall& call) const override {
    const Tensor *bias = optionalInput(call, Slots::kBias), *past = optionalInput(call, Slots::kPast);
    const bool present = call.outputCount() > 1 && call.hasOutput(1);
    CUTAWAY_TRY(const ProjectedSizes sizes, operators::projectedSizes(m_settings, call.input(Slots::kInput)->dims(),
                                                                      call.input(Slots::kWeights)->dims(),
                                                                      bias != nullptr ? &bias->dims() : nullptr));
    CUTAWAY_TRY(const ProjectedCache cache,
                operators::projectedCache(m_settings, sizes, past, optionalInput(call, Slots::kPastLength), present));
    CUTAWAY_TRY(const void* projected, project(call, sizes, bias));
    AttentionParameters p{.q = projected,
                          .batch = sizes.batch,
                          .heads = m_heads,
                          .keyHeads = m_heads,
                          .queries = sizes.sequence,
                          .keys = cache.kept + sizes.sequence,
                          .size = sizes.size,
                          .valueSize = sizes.valueSize,
                          .scale = m_settings.scale != 0 ? m_settings.scale : usualScale(sizes.size),
                          .causal = m_settings.causal,
                          .offset = cache.kept};
    const auto part = [&](int64_t start, int64_t size) {
      return HeadRows{static_cast<const std::byte*>(projected) + start * m_run.elementBytes(),
                      sizes.sequence * sizes.columns(), size, sizes.columns()};
    };
    setStrides(p.strideQ, part(0, p.size));
    HeadRows rows[2] = {part(sizes.hidden, p.size), part(2 * sizes.hidden, p.valueSize)};
    if (past != nullptr || present) CUTAWAY_CHECK(joinPast(call, p, cache, past, present, rows));
    p.k = rows[0].data, p.v = rows[1].data;
    setStrides(p.strideK, rows[0]);
    setStrides(p.strideV, rows[1]);
    if (const Tensor* mask = optionalInput(call, Slots::kMask)) {
      CUTAWAY_TRY(p.planes[0], paddingPlane(p, *mask, m_settings.maskFilter, "Attention"));
    }
    if (const Tensor* scores = optionalInput(call, Slots::kScoreBias)) {
      CUTAWAY_TRY(const operators::ScorePlane plane,
                  operators::scoreBiasPlane(scoresOf(p), scores->dims(), "Attention"));
      p.planes[p.planes[0].kind == kPlaneNone ? 0 : 1] = planeOf(plane, *scores);
    }
    CUTAWAY_TRY(Tensor * y, call.output(0, {sizes.batch, sizes.sequence, sizes.valueHidden}));
    p.y = y->mutableData();
    setStrides(p.strideY, headsInside(*y, p.valueSize));
    return m_run.attend(call, p);
  }

 private:
  // [batch, sequence, queries | keys | values]
  Result<const void*> project(GpuCall& call, const ProjectedSizes& sizes, const Tensor* bias) const {
    const int64_t rows = sizes.batch * sizes.sequence, columns = sizes.columns();
    CUTAWAY_TRY(void* to, call.scratch(static_cast<size_t>(rows * columns * m_run.elementBytes())));
    auto& state = static_cast<ProjectedState&>(*call.context().state());
    if (state.rows != rows) {
      MatmulDescription d{.m = rows,
                          .n = columns,
                          .k = sizes.depth,
                          .a = m_type,
                          .b = m_type,
                          .y = m_type,
                          .bias = m_type,
                          .math = m_resources->options().tf32 ? MathMode::kTf32 : MathMode::kPrecise};
      d.epilogue.bias = bias != nullptr;
      CUTAWAY_TRY(state.product, DenseProduct::make(*m_resources, d));
      state.rows = rows;
    }
    CUTAWAY_CHECK(state.product.run(call, {.a = call.input(Slots::kInput)->data(),
                                           .b = call.input(Slots::kWeights)->data(),
                                           .y = to,
                                           .bias = bias == nullptr ? nullptr : bias->data()}));
    return to;
  }

  Result<void> joinPast(GpuCall& call, const AttentionParameters& p, const ProjectedCache& cache, const Tensor* past,
                        bool present, HeadRows (&rows)[2]) const {
    void* to = nullptr;
    if (present) {
      CUTAWAY_TRY(Tensor * tensor, call.output(1, {2, p.batch, m_heads, cache.capacity, p.size}));
      to = tensor->mutableData();
    } else {
      const int64_t half = p.batch * m_heads * cache.capacity * p.size;
      CUTAWAY_TRY(to, call.scratch(static_cast<size_t>(2 * half * m_run.elementBytes())));
    }
    return m_run.growBoth(call, past, to,
                          {.batch = p.batch,
                           .heads = m_heads,
                           .size = p.size,
                           .capacity = cache.capacity,
                           .kept = cache.kept,
                           .fresh = p.queries,
                           .held = cache.held},
                          rows);
  }

  ProjectedSettings m_settings;
  int64_t m_heads;
  AttentionRun m_run;
  GpuResources* m_resources = nullptr;
  ElementType m_type;
};

Result<std::unique_ptr<GpuKernel>> makeProjected(const KernelInfo& info) {
  CUTAWAY_TRY(ProjectedSettings settings, operators::readProjectedAttention(info.graph(), info.node()));
  if (settings.rotary)
    return fail(ErrorCode::kNotImplemented, "Attention: do_rotary inside the projection is not done on the device");
  for (const size_t slot : {Slots::kWeights, Slots::kBias, Slots::kPast, Slots::kScoreBias}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(Slots::kInput))
      return fail(ErrorCode::kNotImplemented, "Attention: input {} is not of the input's type", slot);
  }
  return std::make_unique<ProjectedKernel>(std::move(settings), info.inputElement(Slots::kInput));
}

constexpr TypeRule kTypes[] = {{0, kAttentionTypes}};
constexpr InplaceHint kInplace[] = {{.input = Slots::kPast, .output = 1}};
constexpr int kHostInputs[] = {Slots::kPastLength};

}  // namespace

KernelRows kernel_projected_attention() {
  static constexpr KernelRow rows[] = {{.opType = "Attention",
                                        .domain = "com.microsoft",
                                        .types = kTypes,
                                        .inplace = kInplace,
                                        .hostInputs = kHostInputs,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeProjected>}};
  return rows;
}

}  // namespace cutaway::cuda
