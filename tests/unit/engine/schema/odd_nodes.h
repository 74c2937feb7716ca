#pragma once
// Nodes as no exporter writes them, for every operator and version: inputs of odd types and sizes, attributes and
// constants out of every range.
//
// Thread rule: pure. Example: for (const OddNode& each : oddNodes(*schema)) infer(each.model);

#include <functional>

#include "engine/schema/schema.h"

namespace cutaway::test {

// Calls visit with each: what is odd about it in words, and a model with this one node.
void forEachOddNode(const OperatorSchema& schema, const std::function<void(const std::string&, Model&)>& visit);

}  // namespace cutaway::test
