#pragma once
// A number for what makes a model fast or slow: operators, attributes, edges, types and sizes; of weights their types
// and sizes alone, so that a model that was trained further keeps its number and large weights are not read.
//
// Thread rule: pure. Linear in nodes and values: 20 ms at 50,000 nodes. Example: const std::string key =
// modelKey(*model);   // as loaded, before resolve

#include <string>

#include "engine/graph/model.h"

namespace cutaway::session {

// 16 hexadecimal digits. Names of nodes count (pins use them), names of values do not.
std::string modelKey(const Model& model);

}  // namespace cutaway::session
