// Integer masks to planes of floats; biases of projections added to rows.

#include "providers/cpu/kernels/attention/padding_mask.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"

namespace cutaway::cpu::attention {
namespace {

void fillEnds(const Problem& problem, const int32_t* ends, const int32_t* starts, float filter, float* to) {
  for (int64_t batch = 0; batch < problem.batch; ++batch) {
    const int64_t end = ends[batch], start = starts != nullptr ? starts[batch] : 0;
    for (int64_t j = 0; j < problem.keys; ++j)
      to[batch * problem.keys + j] = j >= start && j < end ? 0.0f : filter;
  }
}

}  // namespace

Result<Plane> paddingPlane(KernelContext& context, const Problem& problem, const Tensor& mask, float filter,
                           std::string_view name) {
  const int64_t batch = problem.batch, keys = problem.keys;
  CUTAWAY_TRY(const operators::PaddingMask form,
              operators::paddingMask(scoresOf(problem), mask.type(), mask.dims(), name));
  const int64_t rows = form.step[2] != 0 ? problem.queries : 1;
  CUTAWAY_TRY(const int64_t planeSize, checkedMultiply(rows, keys));
  CUTAWAY_TRY(const int64_t count, checkedMultiply(batch, planeSize));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(float)));
  float* to = reinterpret_cast<float*>(memory.data());
  const int32_t* from = mask.span<int32_t>().data();
  if (form.ends) {
    fillEnds(problem, from, form.starts ? from + batch : nullptr, filter, to);
  } else {
    for (int64_t row = 0; row < batch * rows; ++row) {
      const int64_t source = form.start + row / rows * form.step[0] + row % rows * form.step[2];
      for (int64_t j = 0; j < keys; ++j)
        to[row * keys + j] = from[source + j] > 0 ? 0.0f : filter;
    }
  }
  return Plane{
      .data = to, .type = ElementType::kFloat, .step = {planeSize, 0, rows > 1 ? keys : 0, 1}, .columns = keys};
}

Result<Rows> withBias(KernelContext& context, const Rows& rows, int64_t batch, int64_t heads, int64_t count,
                      int64_t size, const void* bias) {
  const int64_t units = batch * count * heads, bytes = rows.type == ElementType::kFloat ? 4 : 2;
  CUTAWAY_TRY(const std::span<std::byte> numbers, context.scratch(static_cast<size_t>(units * size) * sizeof(float)));
  CUTAWAY_TRY(const std::span<std::byte> memory,
              context.scratch(rows.type == ElementType::kFloat ? 0 : static_cast<size_t>(units * size * bytes)));
  CUTAWAY_TRY(const std::span<std::byte> summands, context.scratch(static_cast<size_t>(heads * size) * sizeof(float)));
  float* values = reinterpret_cast<float*>(numbers.data());
  float* added = reinterpret_cast<float*>(summands.data());
  fetchRow({bias, rows.type}, 0, 0, 0, heads * size, added);
  TargetRows target{rows.type == ElementType::kFloat ? static_cast<void*>(values) : memory.data(), rows.type,
                    count * heads * size, size, heads * size};
  parallelFor(units, std::max<int64_t>(1, 8192 / std::max<int64_t>(1, size)), [&](int64_t begin, int64_t end) {
    for (int64_t unit = begin; unit < end; ++unit) {
      const int64_t head = unit % heads, row = unit / heads % count, at = unit / heads / count;
      float* to = values + unit * size;
      fetchRow(rows, at, head, row, size, to);
      for (int64_t c = 0; c < size; ++c)
        to[c] += added[head * size + c];
      if (rows.type != ElementType::kFloat) storeRow(target, at, head, row, size, to);
    }
  });
  return Rows{target.data, target.type, target.batchStep, target.headStep, target.rowStep};
}

}  // namespace cutaway::cpu::attention
