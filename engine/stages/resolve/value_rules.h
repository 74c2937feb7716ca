#pragma once
// What every value turned out to be, for the report.
//
// Thread rule: pure. Example: describeValues(model, report);

#include "engine/stages/resolve/resolve.h"

namespace cutaway::resolve {

ValueRole roleOf(const Graph& graph, ValueId id);
// Fills values, the counts of shapes, and warnings about initializers that nobody uses.
void describeValues(const Model& model, ResolveReport& report);

}  // namespace cutaway::resolve
