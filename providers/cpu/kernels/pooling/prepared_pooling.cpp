#include "providers/cpu/kernels/pooling/prepared_pooling.h"

#include <algorithm>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/window_shape.h"

namespace cutaway::cpu {

Result<math::Pooling::Call*> PoolingState::find(const math::PoolingShape& shape) {
  const int threads = currentThreads();
  for (Entry& entry : m_entries) {
    if (entry.threads == threads && entry.shape == shape) return entry.call ? &*entry.call : nullptr;
  }
  Entry entry{.shape = shape, .threads = threads, .call = std::nullopt};
  auto made = math::Pooling::create(shape);
  if (!made && made.error().code != ErrorCode::kNotImplemented) return fail(std::move(made).error());
  if (made) entry.call.emplace(*made);
  size_t place = m_entries.size();
  if (place < kEntries) {
    m_entries.push_back(std::move(entry));
  } else {
    place = m_oldest;
    m_oldest = (m_oldest + 1) % kEntries;
    m_entries[place] = std::move(entry);
  }
  return m_entries[place].call ? &*m_entries[place].call : nullptr;
}

math::PoolingShape poolingShape(math::PoolingKind kind, std::span<const int64_t> dims, const Window& window,
                                Layout layout) {
  math::PoolingShape shape;
  shape.kind = kind;
  shape.batch = dims[0];
  shape.channels = dims[1];
  copyPaddedWindow(window, &Window::overhang, shape);
  shape.layout = layout;
  return shape;
}

Result<bool> runPooling(KernelContext& context, const math::PoolingShape& shape, const Tensor& x, Tensor& y) {
  if (shape.spatialRank > math::kMaxSpatialRank) return false;
  CUTAWAY_TRY(math::Pooling::Call * call, static_cast<PoolingState&>(*context.state()).find(shape));
  if (call == nullptr) return false;
  CUTAWAY_TRY(std::span<std::byte> scratch, context.scratch(call->pooling().scratchBytes()));
  CUTAWAY_CHECK(call->run(x.span<float>().data(), y.span<float>().data(), scratch));
  return true;
}

Result<Window> placePool(const WindowAttributes& attributes, const Tensor& x) {
  const std::span<const int64_t> dims = x.dims();
  if (dims.size() < 3)
    return fail(ErrorCode::kInvalidArgument, "a pooling needs an input of rank 3 or more, not {}", dimsToText(dims));
  return placeWindow(attributes, dims.subspan(2), {}, WindowFit::kMayExceed);
}

PoolDims pooledDims(const Tensor& x, const Window& window) {
  PoolDims result;
  result.rank = window.rank + 2;
  result.dims[0] = x.dims()[0];
  result.dims[1] = x.dims()[1];
  std::copy_n(window.output.begin(), window.rank, result.dims.begin() + 2);
  return result;
}

}  // namespace cutaway::cpu
