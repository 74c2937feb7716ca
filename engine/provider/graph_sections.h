#pragma once
// A group's graph as sections of a context binary, its weights each in a section of its own, and back: for providers
// that restore from the graph and not from compiled code.
//
// Weights are borrowed where they lie in both directions: sections point to the tensors that were exported, restored
// tensors point into the mapped file. Equal weights of several groups stand once in a binary, because equal sections
// do. What is read may come from anybody. It is taken only when every value is defined once, every operator is one that
// this program knows, sizes and types of weights agree with their sections, and the types that the message declares
// agree with those that follow from the operators: kernels are made for these and trust them. Thread rule: pure.
// Example: partition.sections = *writeGraphSections(group.graph, group.model);
//          CUTAWAY_TRY(const Model model, readGraphSections(*stored.partition, stored.keepAlive, progress));

#include <memory>
#include <vector>

#include "engine/base/progress.h"
#include "engine/context_binary/context_partition.h"
#include "engine/graph/model.h"

namespace cutaway {

inline constexpr const char* kGraphSection = "graph";
inline constexpr const char* kWeightSectionPrefix = "weight ";  // and a number
// Weights below this stand in the message with the graph.
inline constexpr int64_t kLeastWeightSection = 1024;

// The bytes of a section as a tensor, used where they lie when they are aligned for it, else copied. INVALID_GRAPH:
// they are more or fewer than the type and dims need.
Result<Tensor> tensorInSection(const context_binary::ContextSection& section, ElementType type,
                               std::span<const int64_t> dims, const std::shared_ptr<const void>& keepAlive);

// FAIL when the graph without its weights passes 2 GB. `model` gives the opsets.
Result<std::vector<context_binary::ContextSection>> writeGraphSections(const Graph& graph, const Model& model);

// The graph as it was, in a model with its opsets; its inputs and outputs are those of the partition, in this order.
// EP_FAIL: the sections are not what writeGraphSections() makes, or do not fit each other or the ports;
// MODEL_LOAD_CANCELED.
Result<Model> readGraphSections(const context_binary::ContextPartition& partition,
                                const std::shared_ptr<const void>& keepAlive, const Progress& progress);

}  // namespace cutaway
