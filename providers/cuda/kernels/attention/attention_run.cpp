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

HeadRows rowsFrom(const Tensor& tensor, int64_t batchStep, int64_t headStep, int64_t rowStep, int64_t start) {
  return {static_cast<const std::byte*>(tensor.data()) + start * bitsOf(tensor.type()) / 8, batchStep, headStep,
          rowStep};
}
HeadRows headsOutside(const Tensor& tensor) {
  const Dims& dims = tensor.dims();
  return {tensor.data(), dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3]};
}
HeadRows headsInside(const Tensor& tensor, int64_t size) {
  return {tensor.data(), tensor.dims()[1] * tensor.dims()[2], size, tensor.dims()[2]};
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
  CacheParameters p{.past = step.past == nullptr ? nullptr : step.past->data(),
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
  if (step.past != nullptr) setStrides(p.stridePast, headsOutside(*step.past));
  setStrides(p.strideFresh, fresh);
  setStrides(p.stridePresent, all);
  CUTAWAY_CHECK(fill(call, p, step.batch));
  return all;
}

// Sixteen bytes at a time where everything lies so.
Result<void> AttentionRun::fill(GpuCall& call, CacheParameters p, int64_t batch) const {
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
    CacheParameters p{.fresh = rows[part].data,
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

Result<AttentionPlane> planeOf(const AttentionParameters& p, const Tensor& tensor, std::string_view name,
                               bool shorter) {
  const Dims& dims = tensor.dims();
  const int64_t full[4] = {p.batch, p.heads, p.queries, p.keys};
  const auto refuse = [&] {
    return fail(ErrorCode::kInvalidArgument,
                "{} is {}, which does not broadcast to batch {}, heads {}, queries {}, keys {}", name, dimsToText(dims),
                full[0], full[1], full[2], full[3]);
  };
  if (dims.size() > 4) return refuse();
  AttentionPlane plane{.data = tensor.data(),
                       .columns = p.keys,
                       .kind = tensor.type() == ElementType::kBool    ? kPlaneBool
                               : tensor.type() == ElementType::kFloat ? kPlaneFloat
                                                                      : kPlaneOwn};
  int64_t step = 1;
  for (size_t back = 1; back <= dims.size(); ++back) {
    const int64_t size = dims[dims.size() - back];
    const size_t axis = 4 - back;
    const bool cut = shorter && axis == 3 && size < full[axis];
    if (size != full[axis] && size != 1 && !cut) return refuse();
    if (cut) plane.columns = size;
    plane.stride[axis] = size == 1 && !cut ? 0 : step;
    step *= size;
  }
  return plane;
}

Result<AttentionPlane> paddingPlane(const AttentionParameters& p, const Tensor& mask, float filter,
                                    std::string_view name) {
  const Dims& dims = mask.dims();
  AttentionPlane plane{.data = mask.data(), .columns = p.keys, .kind = kPlaneInt, .filter = filter};
  const int64_t length = dims.size() == 1 ? dims[0] : -1;
  if (mask.type() == ElementType::kInt32 && (length == p.batch || length == 2 * p.batch || length == 3 * p.batch + 2)) {
    plane.kind = kPlaneEnds;
    if (length == 2 * p.batch) plane.starts = static_cast<const int32_t*>(mask.data()) + p.batch;
    return plane;
  }
  plane.stride[3] = 1;
  if (mask.type() == ElementType::kInt32 && dims == Dims{p.batch, p.keys}) {
    plane.stride[0] = p.keys;
  } else if (mask.type() == ElementType::kInt32 && dims == Dims{p.batch, p.queries, p.keys}) {
    plane.stride[0] = p.queries * p.keys, plane.stride[2] = p.keys;
  } else if (mask.type() == ElementType::kInt32 && dims.size() == 4 && dims[0] == p.batch && dims[1] == 1 &&
             dims[2] == dims[3] && dims[2] >= p.keys) {
    plane.stride[0] = dims[2] * dims[3], plane.stride[2] = dims[3];
    plane.data = static_cast<const int32_t*>(mask.data()) + (p.keys - p.queries) * dims[3];
  } else {
    return fail(ErrorCode::kInvalidArgument,
                "{}: a mask of {} {} says nothing about {} batches of {} queries and {} keys", name,
                elementTypeName(mask.type()), dimsToText(dims), p.batch, p.queries, p.keys);
  }
  return plane;
}

}  // namespace cutaway::cuda
