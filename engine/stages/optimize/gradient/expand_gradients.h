#pragma once
// Gradient (ai.onnx.preview.training) becomes ordinary operators before anything else looks at the graph.
//
// The part of the enclosing graph that leads from the independent values to y is walked backwards, operator by operator
// (gradient_rules.h). A Gradient whose y depends on another Gradient waits for that one, so higher derivatives work as
// far as the backward operators have rules themselves. ConvGrad of com.microsoft is written out by the same rule as the
// backward convolution of a Gradient. Thread rule: edits the model in hand. Example: CUTAWAY_TRY(const
// std::vector<Expansion> done, expandGradients(model, progress));

#include "engine/base/progress.h"
#include "engine/stages/optimize/expansion.h"

namespace cutaway::optimize {

// NOT_IMPLEMENTED naming the operator when one on the way has no rule; INVALID_GRAPH when the attributes name what the
// graph has not.
Result<std::vector<Expansion>> expandGradients(Model& model, const Progress& progress);

}  // namespace cutaway::optimize
