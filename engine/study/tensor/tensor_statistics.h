#pragma once
// Statistics and histogram of every element of a tensor (nothing is sampled), in two passes near the speed of memory.
//
// Thread rule: pure; the calling thread's ThreadShare says how many threads help. The same tensor gives the same
// figures with any number of threads. Example: CUTAWAY_TRY(const TensorStatistics statistics, takeStatistics(tensor,
// cancel));

#include "engine/study/tensor/tensor_content.h"

namespace cutaway::study {

// MODEL_LOAD_CANCELED. A type without numbers gives its count only.
Result<TensorStatistics> takeStatistics(const Tensor& tensor, const CancelToken& cancel);

}  // namespace cutaway::study
