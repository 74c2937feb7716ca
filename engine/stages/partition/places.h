#pragma once
// Where the nodes of a graph want their inputs and leave their outputs, told by their providers.
//
// Thread rule: pure; the graph and the providers must outlive what it gives.
// Example: insertCopies(graph, placesIn(graph, providers), graphIndex, report.copies);

#include <memory>
#include <span>

#include "engine/stages/partition/copies.h"

namespace cutaway::partition {

const ExecutionProvider* findProvider(std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                      const std::string& name);  // nullptr: there is none

NodePlaces placesIn(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway::partition
