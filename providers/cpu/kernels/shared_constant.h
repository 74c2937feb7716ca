#pragma once
// Constants in another form (signed bytes, floats of halves, panels), made before the first run and shared with every
// session that uses the same bytes.
//
// Thread rule: any thread; takes a lock, so never in a run. What comes back must not be written.
// Example: CUTAWAY_TRY(prepared.weights, widenedConstant(weights));

#include <functional>
#include <string_view>

#include "engine/tensor/tensor.h"

namespace cutaway::cpu {

// format: names the form and its dims. sizeBytes: of what `make` gives. See engine/tensor/packed_weight.h.
Result<Tensor> sharedConstant(const Tensor& source, std::string_view format, int64_t sizeBytes,
                              const std::function<Result<Tensor>()>& make);
// widened() for constants: the float copy of halves is shared.
Result<Tensor> widenedConstant(const Tensor& tensor);

}  // namespace cutaway::cpu
