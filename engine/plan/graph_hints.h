#pragma once
// Memory hints of a whole graph's nodes, from compiled nodes, kernel rows and copies; what planning asks of providers.
//
// Example: work.hints = memoryHintsOf(graph, providers, compiled);

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/provider/execution_provider.h"
#include "engine/provider/memory_hints.h"

namespace cutaway::plan {

// nullptr: none of them has this name.
ExecutionProvider* providerNamed(std::span<const std::unique_ptr<ExecutionProvider>> providers, std::string_view name);

// A copy between devices that the partition inserted.
bool isCopy(const Node& node);

// What it refers to must outlive it.
MemoryHints memoryHintsOf(const Graph& graph, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                          const std::map<std::string, CompiledNode>& compiled);

}  // namespace cutaway::plan
