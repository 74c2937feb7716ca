#pragma once
// Which in-place and alias declarations onnxruntime's own CPU kernels make, from the operators' rows: what
// AllocRules::kOnnxruntime goes by.
//
// Thread rule: pure. Example: hints.inplace = onnxruntimeDeclarations(node, hints.inplace);

#include <vector>

#include "engine/graph/graph.h"
#include "engine/provider/kernel.h"

namespace cutaway::allocate {

// Of the given hints those that onnxruntime declares too. What our kernels do not declare stays out: the plan
// must be fit to run.
std::vector<InplaceHint> onnxruntimeDeclarations(const Node& node, const std::vector<InplaceHint>& hints);

}  // namespace cutaway::allocate
