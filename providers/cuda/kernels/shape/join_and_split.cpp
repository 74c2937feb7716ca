// Concat and Split: parts beside each other along an axis, all moved in one launch. What the plan has put into its
// place already stays as it is.

#include "engine/operators/join_and_split.h"

#include <vector>

#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

struct Part {
  void* data = nullptr;  // nullptr: nobody wants it
  int64_t rowBytes = 0;
};

class PartMover {
 public:
  Result<void> prepare(const GpuResources& resources) {
    CUTAWAY_CHECK(m_parts.prepare(resources, "move.parts"));
    return m_partsLong.prepare(resources, "move.parts", ".long");
  }

  // partAt(i) of `count` parts in order; their rows fill the whole's.
  template <typename PartAt>
  Result<void> move(GpuCall& call, void* whole, int64_t rows, int64_t count, bool splits, PartAt&& partAt) const {
    int64_t wholeBytes = 0;
    for (int64_t i = 0; i < count; ++i)
      wholeBytes += partAt(i).rowBytes;
    if (rows == 0 || wholeBytes == 0) return {};
    int64_t start = 0;
    for (int64_t first = 0; first < count; first += kMaximumParts) {
      const int64_t last = std::min<int64_t>(count, first + kMaximumParts);
      int64_t bytes = 0;
      if (rows == 1) {
        CUTAWAY_TRY(bytes, moveRow(call, bytesAt(whole, start), first, last, splits, partAt));
      } else {
        CUTAWAY_TRY(bytes,
                    moveRows(call, bytesAt(whole, start), {rows, wholeBytes, start}, first, last, splits, partAt));
      }
      start += bytes;
    }
    return {};
  }

 private:
  struct Rows {
    int64_t count, bytes, start;
  };

  template <typename PartAt>
  static Result<int64_t> moveRow(GpuCall& call, void* whole, int64_t first, int64_t last, bool splits,
                                 PartAt&& partAt) {
    int64_t start = 0;
    for (int64_t i = first; i < last; ++i) {
      const Part part = partAt(i);
      void* place = bytesAt(whole, start);
      start += part.rowBytes;
      if (part.data == nullptr || part.data == place || part.rowBytes == 0) continue;
      CUTAWAY_CHECK(
          call.copy(splits ? part.data : place, splits ? place : part.data, static_cast<size_t>(part.rowBytes)));
    }
    return start;
  }

  template <typename PartAt>
  Result<int64_t> moveRows(GpuCall& call, void* whole, const Rows& rows, int64_t first, int64_t last, bool splits,
                           PartAt&& partAt) const {
    PartsParameters parameters{.whole = whole, .splits = splits};
    WordWidth width;
    width.fits(whole).fits(rows.bytes);
    int64_t start = 0;
    for (int64_t i = first; i < last; ++i) {
      const Part part = partAt(i);
      if (part.rowBytes == 0) continue;
      width.fits(part.data).fits(part.rowBytes);
      parameters.pointers[parameters.parts] = part.data;
      parameters.starts[parameters.parts++] = start;
      start += part.rowBytes;
    }
    if (start == 0) return start;
    const int64_t word = width.bytes();
    for (int32_t i = 0; i < parameters.parts; ++i)
      parameters.starts[i] /= word;
    parameters.starts[parameters.parts] = start / word;
    parameters.wholeRow = rows.bytes / word;
    parameters.count = rows.count * (start / word);
    CUTAWAY_CHECK(call.launch((parameters.count < kNarrowCount ? m_parts : m_partsLong)[word], parameters));
    return start;
  }

  WordKernels m_parts, m_partsLong;
};

class ConcatKernel final : public GpuKernel {
 public:
  explicit ConcatKernel(int64_t axis) : m_axis(axis) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const operators::JoinedDims joined, operators::joinedDims(call, m_axis));
    const Dims& dims = joined.dims;
    const size_t axis = joined.axis;
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    const int64_t inner = productOf(dims, axis + 1, dims.size()) * elementBytes(call.input(0)->type());
    return m_mover.move(call, output->mutableData(), productOf(dims, 0, axis), static_cast<int64_t>(call.inputCount()),
                        false, [&](int64_t i) {
                          const Tensor& input = *call.input(static_cast<size_t>(i));
                          return Part{const_cast<void*>(input.data()), input.dims()[axis] * inner};
                        });
  }

 private:
  int64_t m_axis;
  PartMover m_mover;
};

class SplitKernel final : public GpuKernel {
 public:
  explicit SplitKernel(const KernelInfo& info) : m_settings(info.node()), m_outputs(info.outputCount()) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override { return m_mover.prepare(resources); }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const operators::SplitPieces placed, m_settings.place(data->dims(), optionalTensor(call, 1)));
    const size_t axis = placed.axis;
    const Dims& lengths = placed.lengths;
    const int64_t inner = productOf(data->dims(), axis + 1, data->rank()) * elementBytes(data->type());
    std::array<void*, kMaximumParts> few{};
    std::vector<void*> many(m_outputs > few.size() ? m_outputs : 0);
    const std::span<void*> pieces =
        m_outputs > few.size() ? std::span<void*>(many) : std::span<void*>(few).first(m_outputs);
    Dims dims = data->dims();
    for (size_t i = 0; i < m_outputs; ++i) {
      dims[axis] = lengths[i];
      if (!call.hasOutput(i)) continue;
      CUTAWAY_TRY(Tensor * output, call.output(i, dims));
      pieces[i] = output->mutableData();
    }
    return m_mover.move(
        call, const_cast<void*>(data->data()), productOf(data->dims(), 0, axis), static_cast<int64_t>(m_outputs), true,
        [&](int64_t i) { return Part{pieces[static_cast<size_t>(i)], lengths[static_cast<size_t>(i)] * inner}; });
  }

 private:
  operators::SplitSettings m_settings;
  size_t m_outputs;
  PartMover m_mover;
};

// Version 1 lets the axis be left out.
Result<std::unique_ptr<GpuKernel>> makeConcat(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  return std::make_unique<ConcatKernel>(info.attribute<int64_t>("axis", 1));
}

Result<std::unique_ptr<GpuKernel>> makeSplit(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  if (info.hasInput(1) && isFloating(info.inputElement(1)))
    return fail(ErrorCode::kNotImplemented, "lengths given as floats");
  return std::make_unique<SplitKernel>(info);
}

constexpr InplaceHint kJoins[] = {{.input = InplaceHint::kEveryInput, .output = 0, .kind = AliasKind::kJoin}};
constexpr InplaceHint kSplits[] = {{.input = 0, .output = InplaceHint::kEveryOutput, .kind = AliasKind::kSplit}};
constexpr int kLengthsOnHost[] = {1};

}  // namespace

KernelRows kernel_join_and_split() {
  static constexpr KernelRow rows[] = {
      {.opType = "Concat",
       .versions = {1},
       .types = kMovableAll,
       .inplace = kJoins,
       .fastPath = "cuda",
       .create = gpuKernel<makeConcat>},
      {.opType = "Split",
       .versions = {1},
       .types = kMovableFirst,
       .inplace = kSplits,
       .hostInputs = kLengthsOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makeSplit>},
  };
  return rows;
}

}  // namespace cutaway::cuda
