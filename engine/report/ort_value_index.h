#pragma once
// OrtValueIndex: the number under which onnxruntime keeps a value, so that its logs and ours speak of the same one.
//
// Thread rule: pure. Example: const std::vector<int32_t> numbers = ortValueIndexes(partitioned.graphs[0]);
// numbers[value] == 17

#include "engine/report/graph_report.h"

namespace cutaway {

// By value; kNone: onnxruntime numbers no such value (nothing reads or makes it). Dense from 0: first the inputs as
// listed, those that initializers back too; then node by node, in stored order, what it reads, what its bodies read
// from around it, what it makes; last the outputs that nothing named so far (initializers handed out as they are).
// Every graph and every body counts for itself (onnxruntime/core/framework/session_state.cc, CreateGraphInfo).
std::vector<int32_t> ortValueIndexes(const GraphReport& graph);

}  // namespace cutaway
