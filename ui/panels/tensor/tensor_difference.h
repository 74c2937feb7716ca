#pragma once
// One tensor less another, as a tensor of its own that every view can show.
//
// Thread rule: any thread. Example: CUTAWAY_TRY(const auto change, differenceOf(*before, *after, cancel));

#include <memory>

#include "engine/study/tensor/tensor_content.h"

namespace cutaway::ui {

// b - a, as double. INVALID_ARGUMENT: shapes differ, or one of them holds no numbers.
Result<std::shared_ptr<const study::TensorContent>> differenceOf(const study::TensorContent& a,
                                                                 const study::TensorContent& b,
                                                                 const CancelToken& cancel);

}  // namespace cutaway::ui
