#pragma once
// Nodes of onnxruntime's optimised models that work in a layout of its own become the ordinary operators they were
// before.
//
// com.microsoft.nchwc holds channels in blocks of 8 or 16 (ReorderInput and ReorderOutput go in and out of it): taken
// as what it says, the same tensor with its channels padded to whole blocks, every node between the two is its ordinary
// namesake, once its weights are laid out plainly again. com.ms.internal.nhwc has channels last: the ordinary operator
// between two Transposes. Thread rule: edits the model in hand.
// Example: CUTAWAY_TRY(std::vector<Expansion> done, expandLayouts(model, progress, warnings));

#include "engine/base/progress.h"
#include "engine/stages/optimize/expansion.h"

namespace cutaway::optimize {

// NOT_IMPLEMENTED naming the node when its weights are not constant, its channels not known, or an output is asked for
// that has another meaning in that layout; INVALID_GRAPH when weights are not whole blocks. Warns when the size of
// blocks had to be assumed.
Result<std::vector<Expansion>> expandLayouts(Model& model, const Progress& progress,
                                             std::vector<std::string>& warnings);

}  // namespace cutaway::optimize
