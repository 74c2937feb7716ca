// Compressed rows of blocks to a plane of bools.

#include "providers/cpu/kernels/attention/block_mask.h"

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"

namespace cutaway::cpu::attention {
namespace {

Result<void> checkMask(const Problem& problem, const BlockMask& mask, const int64_t* past) {
  const Dims &rows = mask.rows->dims(), &columns = mask.columns->dims();
  const bool fits = rows.size() == 2 && columns.size() == 2 && rows[0] == columns[0] && rows[0] > 0 && rows[1] > 1 &&
                    problem.heads % rows[0] == 0;
  if (!fits)
    return fail(ErrorCode::kInvalidArgument,
                "SparseAttention: block_row_indices {} and block_col_indices {} do not serve {} heads",
                dimsToText(rows), dimsToText(columns), problem.heads);
  const int32_t* starts = mask.rows->span<int32_t>().data();
  for (int64_t i = 0; i < rows[0] * rows[1]; ++i) {
    const bool ordered = i % rows[1] == 0 ? starts[i] >= 0 : starts[i] >= starts[i - 1];
    if (!ordered || starts[i] > columns[1])
      return fail(ErrorCode::kInvalidArgument, "SparseAttention: block_row_indices are not ascending within {} columns",
                  columns[1]);
  }
  for (int64_t batch = 0; batch < problem.batch; ++batch) {
    const int64_t last = past[batch] + problem.queries - 1;
    if (last / mask.blockSize >= rows[1] - 1)
      return fail(ErrorCode::kInvalidArgument,
                  "SparseAttention: position {} lies behind the {} blocks of {} of the mask", last, rows[1] - 1,
                  mask.blockSize);
  }
  return {};
}

}  // namespace

Result<Plane> blockPlane(KernelContext& context, const Problem& problem, const BlockMask& mask, const int64_t* past) {
  CUTAWAY_CHECK(checkMask(problem, mask, past));
  CUTAWAY_TRY(const int64_t each, checkedMultiply(problem.queries, problem.keys));
  CUTAWAY_TRY(const int64_t count, checkedMultiply(problem.batch * problem.heads, each));
  CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count)));
  bool* seen = reinterpret_cast<bool*>(memory.data());
  const int64_t layouts = mask.rows->dims()[0], starts = mask.rows->dims()[1], entries = mask.columns->dims()[1];
  const int32_t *rows = mask.rows->span<int32_t>().data(), *columns = mask.columns->span<int32_t>().data();
  parallelFor(problem.batch * problem.heads * problem.queries,
              std::max<int64_t>(1, 65536 / std::max<int64_t>(1, problem.keys)), [&](int64_t begin, int64_t end) {
                for (int64_t unit = begin; unit < end; ++unit) {
                  const int64_t plane = unit / problem.queries, layout = plane % problem.heads % layouts;
                  const int64_t block = (past[plane / problem.heads] + unit % problem.queries) / mask.blockSize;
                  bool* to = seen + unit * problem.keys;
                  std::fill(to, to + problem.keys, false);
                  for (int32_t entry = rows[layout * starts + block]; entry < rows[layout * starts + block + 1];
                       ++entry) {
                    const int64_t first = columns[layout * entries + entry] * mask.blockSize;
                    if (first >= 0 && first < problem.keys)
                      std::fill(to + first, to + std::min(first + mask.blockSize, problem.keys), true);
                  }
                }
              });
  return Plane{.data = seen,
               .type = ElementType::kBool,
               .step = {problem.heads * each, each, problem.keys, 1},
               .columns = problem.keys};
}

}  // namespace cutaway::cpu::attention
