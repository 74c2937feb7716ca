#pragma once
// Index types of the graph floor. NodeId and ValueId count within one Graph; OriginId counts over the whole model as it
// was loaded.
//
// Thread rule: plain values. Example: NodeId id = graph.addNode(...);

#include "engine/base/strong_id.h"

namespace cutaway {

using NodeId = StrongId<struct NodeTag>;
using ValueId = StrongId<struct ValueTag>;
using OriginId = StrongId<struct OriginTag>;

}  // namespace cutaway
