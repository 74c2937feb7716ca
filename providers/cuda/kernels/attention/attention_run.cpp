#include "providers/cuda/kernels/attention/attention_run.h"

#include <algorithm>

namespace cutaway::cuda {
namespace {

constexpr int64_t kMostShared = 200 * 1024;  // of a block, opted in
// So many keys are worth a block of their own when few rows ask for them.
constexpr int64_t kKeysPerSplit = 256;
constexpr int32_t kMostSplits = 32;

bool isDense(const AttentionPlane& plane, int64_t keys) {
  return plane.stride[3] == 1 && plane.columns == keys && (plane.kind == kPlaneFloat || plane.kind == kPlaneOwn);
}

// What the library's attention has: one summand, fixed lengths, queries at the end (or the start) of the keys.
bool libraryServes(const AttentionParameters& p) {
  if (p.queries < 2 || p.keys < 1 || p.batch < 1 || p.sinks != nullptr || p.smooth || p.right >= 0 ||
      p.lengths != nullptr || p.longLengths != nullptr || p.planes[1].kind != kPlaneNone)
    return false;
  if (p.planes[0].kind != kPlaneNone && !isDense(p.planes[0], p.keys)) return false;
  if (p.left >= 0 && !p.causal) return false;
  return (!p.causal && p.left < 0) || p.offset == p.keys - p.queries || p.offset == 0;
}

AttentionDescription descriptionOf(const AttentionParameters& p, ElementType type) {
  AttentionDescription d{.batch = p.batch,
                         .heads = p.heads,
                         .keyHeads = p.keyHeads,
                         .queries = p.queries,
                         .keys = p.keys,
                         .size = p.size,
                         .valueSize = p.valueSize};
  for (size_t i = 0; i < 3; ++i)
    d.strideQ[i] = p.strideQ[i], d.strideK[i] = p.strideK[i], d.strideV[i] = p.strideV[i], d.strideY[i] = p.strideY[i],
    d.maskStride[i] = p.planes[0].stride[i];
  d.type = type, d.scale = p.scale, d.softcap = p.softcap, d.causal = p.causal != 0, d.window = p.left;
  d.causalFromEnd = p.offset == p.keys - p.queries;
  d.mask = p.planes[0].kind != kPlaneNone;
  d.maskType = p.planes[0].kind == kPlaneOwn ? type : ElementType::kFloat;
  return d;
}

}  // namespace

HeadRows rowsOf(const Tensor& tensor, const operators::HeadSteps& steps) {
  return {static_cast<const std::byte*>(tensor.data()) + steps.start * bitsOf(tensor.type()) / 8, steps.batchStep,
          steps.headStep, steps.rowStep};
}
HeadRows headsInside(const Tensor& tensor, int64_t size) {
  return rowsOf(tensor, operators::headsInside(tensor.dims(), size));
}
void setStrides(int64_t (&strides)[3], const HeadRows& rows) {
  strides[0] = rows.batchStep, strides[1] = rows.headStep, strides[2] = rows.rowStep;
}

Result<void> AttentionRun::prepare(GpuResources& resources, ElementType type) {
  const std::string name = functorType(type);
  m_type = type;
  m_bytes = bitsOf(type) / 8;
  CUTAWAY_TRY(m_rows, resources.find("attention.rows." + name));
  CUTAWAY_TRY(m_merge, resources.find("attention.merge." + name));
  CUTAWAY_TRY(m_bias, resources.find("attention.bias." + name));
  CUTAWAY_TRY(m_rotary, resources.find("rotary." + name));
  CUTAWAY_TRY(m_fill, resources.find(fmt::format("cache.fill.{}", m_bytes)));
  CUTAWAY_TRY(m_fillWide, resources.find("cache.fill.16"));
  return {};
}

Result<HeadRows> AttentionRun::grow(GpuCall& call, const CacheStep& step, const HeadRows& fresh) const {
  const bool present = step.presentSlot < call.outputCount() && call.hasOutput(step.presentSlot);
  if (step.past == nullptr && !present) return fresh;
  if (step.past != nullptr && step.past->type() != m_type)
    return fail(ErrorCode::kInvalidArgument, "a past of {} cannot be continued with {}",
                elementTypeName(step.past->type()), elementTypeName(m_type));
  void* to = nullptr;
  const int64_t head = step.capacity * step.size;
  if (present) {
    CUTAWAY_TRY(Tensor * tensor, call.output(step.presentSlot, {step.batch, step.heads, step.capacity, step.size}));
    to = tensor->mutableData();
  } else {
    CUTAWAY_TRY(to, call.scratch(static_cast<size_t>(step.batch * step.heads * head * m_bytes)));
  }
  const HeadRows all{to, step.heads * head, head, step.size};
  HeadCacheParameters p{.past = step.past == nullptr ? nullptr : step.past->data(),
                        .fresh = fresh.data,
                        .present = to,
                        .heads = step.heads,
                        .capacity = step.capacity,
                        .units = step.size,
                        .kept = step.kept,
                        .freshRows = step.fresh,
                        .held = step.past == nullptr ? 0 : step.held,
                        .lengths = step.lengths,
                        .lengthAdd = step.lengthAdd,
                        .inPlace = step.past != nullptr && step.past->data() == to};
  if (step.past != nullptr) setStrides(p.stridePast, rowsOf(*step.past, operators::headsOutside(step.past->dims())));
  setStrides(p.strideFresh, fresh);
  setStrides(p.stridePresent, all);
  CUTAWAY_CHECK(fill(call, p, step.batch));
  return all;
}

// Sixteen bytes at a time where everything lies so.
Result<void> AttentionRun::fill(GpuCall& call, HeadCacheParameters p, int64_t batch) const {
  const int64_t wide = 16 / m_bytes;
  bool fits = p.units % wide == 0 && reinterpret_cast<uintptr_t>(p.present) % 16 == 0 &&
              reinterpret_cast<uintptr_t>(p.fresh) % 16 == 0 && reinterpret_cast<uintptr_t>(p.past) % 16 == 0;
  for (size_t i = 0; i < 3; ++i)
    fits = fits && p.strideFresh[i] % wide == 0;
  if (fits) {
    p.units /= wide;
    for (size_t i = 0; i < 3; ++i)
      p.stridePast[i] /= wide, p.strideFresh[i] /= wide, p.stridePresent[i] /= wide;
  }
  p.count = batch * p.heads * p.capacity * p.units;
  return p.count > 0 ? call.launch(fits ? m_fillWide : m_fill, p) : Result<void>();
}

Result<void> AttentionRun::growBoth(GpuCall& call, const Tensor* past, void* to, const CacheStep& step,
                                    HeadRows (&rows)[2]) const {
  const int64_t head = step.capacity * step.size, half = step.batch * step.heads * head,
                pastHead = step.held * step.size;
  for (int64_t part = 0; part < 2; ++part) {
    const HeadRows all{static_cast<std::byte*>(to) + part * half * m_bytes, step.heads * head, head, step.size};
    HeadCacheParameters p{.fresh = rows[part].data,
                          .present = const_cast<void*>(all.data),
                          .heads = step.heads,
                          .capacity = step.capacity,
                          .units = step.size,
                          .kept = step.kept,
                          .freshRows = step.fresh,
                          .held = step.held};
    if (past != nullptr) {
      p.past = static_cast<const std::byte*>(past->data()) + part * step.batch * step.heads * pastHead * m_bytes;
      p.inPlace = past->data() == to;
      setStrides(p.stridePast, {p.past, step.heads * pastHead, pastHead, step.size});
    }
    setStrides(p.strideFresh, rows[part]);
    setStrides(p.stridePresent, all);
    CUTAWAY_CHECK(fill(call, p, step.batch));
    rows[part] = all;
  }
  return {};
}

Result<HeadRows> AttentionRun::withBias(GpuCall& call, const HeadRows& rows, int64_t batch, int64_t heads,
                                        int64_t count, int64_t size, const void* bias) const {
  const int64_t elements = batch * count * heads * size;
  CUTAWAY_TRY(void* to, call.scratch(static_cast<size_t>(elements * m_bytes)));
  RowBiasParameters p{
      .x = rows.data, .bias = bias, .y = to, .heads = heads, .rows = count, .size = size, .count = elements};
  setStrides(p.stride, rows);
  if (elements > 0) CUTAWAY_CHECK(call.launch(m_bias, p));
  return HeadRows{to, count * heads * size, size, heads * size};
}

Result<void> AttentionRun::rotate(GpuCall& call, RotaryParameters p) const {
  if (p.count == 0) return {};
  return call.launch(m_rotary, p);
}

// nullptr: the functors. A new shape asks the library again.
Operation* AttentionRun::libraryFor(GpuCall& call, const AttentionParameters& p) const {
  AttentionState* state = dynamic_cast<AttentionState*>(call.context().state());
  if (state == nullptr || !libraryServes(p)) return nullptr;
  const AttentionDescription description = descriptionOf(p, m_type);
  std::string key = description.key();
  if (key == state->key) return state->operation.get();
  state->operation.reset();
  std::unique_ptr<Operation> made;
  // Whatever the library says: the functors serve every shape.
  if (call.backend().makeAttention(description, call.run().resources().artifacts(), made).ok())
    state->operation = std::move(made);
  state->key = std::move(key);
  return state->operation.get();
}

Result<void> AttentionRun::attend(GpuCall& call, AttentionParameters p) const {
  if (p.batch * p.heads * p.queries * p.valueSize == 0) return {};
  if (const Operation* library = libraryFor(call, p)) {
    if (p.planes[0].kind != kPlaneNone) return call.run(*library, {p.q, p.k, p.v, p.y, p.planes[0].data});
    return call.run(*library, {p.q, p.k, p.v, p.y});
  }
  const int64_t groupRows = p.heads / p.keyHeads * p.queries;
  p.rowsPerBlock = static_cast<int32_t>(std::min<int64_t>(8, groupRows));
  while (p.keysPerTile > 4 && AttentionRows<float>::sharedBytes(p) > kMostShared)
    p.keysPerTile /= 2;
  while (p.rowsPerBlock > 1 && AttentionRows<float>::sharedBytes(p) > kMostShared)
    p.rowsPerBlock /= 2;
  if (AttentionRows<float>::sharedBytes(p) > kMostShared)
    return fail(ErrorCode::kNotImplemented, "attention with heads of {} and {} channels", p.size, p.valueSize);
  const AttentionRows<float> shape{p};
  const int64_t blocks = shape.blocks(), wanted = int64_t{2} * call.backend().facts().multiprocessors;
  if (blocks < wanted && p.keys >= 2 * kKeysPerSplit)
    p.splits =
        static_cast<int32_t>(std::min<int64_t>({p.keys / kKeysPerSplit, (wanted + blocks - 1) / blocks, kMostSplits}));
  if (p.splits <= 1) return call.launch(m_rows, p);
  CUTAWAY_TRY(void* partial,
              call.scratch(static_cast<size_t>(p.batch * p.keyHeads * groupRows * p.splits * (p.valueSize + 2)) *
                           sizeof(float)));
  p.partial = static_cast<float*>(partial);
  CUTAWAY_CHECK(call.launch(m_rows, p));
  return call.launch(m_merge, p);
}

operators::ScoreDims scoresOf(const AttentionParameters& p) {
  return {p.batch, p.heads, p.queries, p.keys};
}

AttentionPlane planeOf(const operators::ScorePlane& plane, const Tensor& tensor) {
  AttentionPlane result{.data = tensor.data(),
                        .columns = plane.columns,
                        .kind = tensor.type() == ElementType::kBool    ? kPlaneBool
                                : tensor.type() == ElementType::kFloat ? kPlaneFloat
                                                                       : kPlaneOwn};
  std::ranges::copy(plane.step, result.stride);
  return result;
}

Result<AttentionPlane> paddingPlane(const AttentionParameters& p, const Tensor& mask, float filter,
                                    std::string_view name) {
  CUTAWAY_TRY(const operators::PaddingMask form, operators::paddingMask(scoresOf(p), mask.type(), mask.dims(), name));
  const int32_t* data = static_cast<const int32_t*>(mask.data());
  AttentionPlane plane{.data = data + form.start,
                       .starts = form.starts ? data + p.batch : nullptr,
                       .columns = p.keys,
                       .kind = form.ends ? kPlaneEnds : kPlaneInt,
                       .filter = filter};
  std::ranges::copy(form.step, plane.stride);
  return plane;
}

}  // namespace cutaway::cuda
