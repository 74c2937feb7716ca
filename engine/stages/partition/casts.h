#pragma once
// Nodes that nobody takes because of a narrow float type run in float32: casts around them, one for each value (what
// onnxruntime's InsertCastTransformer does).
//
// A node moves when the first provider in order of priority whose kernel table has a row for it with float32 in place
// of float16, bfloat16 and the 8-bit kinds takes it so, and somebody casts both ways. Casts that undo each other
// between two such nodes are left out: values stay in float32 between them. Each graph on its own; a value captured by
// a body keeps its type. Thread rule: edits the graph in hand. Linear in nodes. Example: for (const CastNode& cast :
// runInFloat(model, assignment, providers)) report.copies.push_back(...);   // when everybody has answered

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/stages/partition/assignment.h"

namespace cutaway::partition {

// Marks the nodes and the casts with their providers, replaces the providers' answers on the nodes and gives answers to
// the casts. Reports every cast that is left, with cause and remedy; CopyReport::causeNode is the index of the node in
// the graph as it is now.
std::vector<CopyReport> runInFloat(const Model& model, GraphAssignment& assignment, int32_t graphIndex,
                                   std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway::partition
