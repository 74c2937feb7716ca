#include "engine/operators/reverse_sequence.h"

#include "engine/operators/axes.h"

namespace cutaway::operators {

Result<ReversedAxes> ReverseSettings::place(const Tensor& data, const Tensor& lengths) const {
  CUTAWAY_TRY(const int64_t batch, resolveAxis(m_batchAxis, data.rank()));
  CUTAWAY_TRY(const int64_t time, resolveAxis(m_timeAxis, data.rank()));
  if (batch == time) return fail(ErrorCode::kInvalidArgument, "batch_axis and time_axis are both {}", batch);
  const ReversedAxes axes{static_cast<size_t>(batch), static_cast<size_t>(time)};
  if (lengths.type() != ElementType::kInt64 || lengths.elementCount() != data.dims()[axes.batch]) {
    return fail(ErrorCode::kInvalidArgument, "{} lengths are given for {} batch entries", lengths.elementCount(),
                data.dims()[axes.batch]);
  }
  return axes;
}

}  // namespace cutaway::operators
