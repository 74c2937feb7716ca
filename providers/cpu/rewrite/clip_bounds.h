#pragma once
// The bounds of a Clip that are known before any run.
//
// Thread rule: pure. Example: if (const auto bounds = clipBoundsOf(graph, clip)) use(bounds->low, bounds->high);

#include <optional>

#include "engine/graph/graph.h"
#include "engine/operators/activation.h"

namespace cutaway::cpu {

// Of a Clip of floats, by attributes or by inputs; nothing when one is no constant of float.
std::optional<operators::ClipBounds> clipBoundsOf(const Graph& graph, const Node& clip);

}  // namespace cutaway::cpu
