#pragma once
// The graph of a group that comes from a context: read without trust, and checked as far as lowering relies on it.
//
// Thread rule: pure. Example: CUTAWAY_TRY(Graph graph, readStoredGraph(partition, sections, keepAlive, progress));

#include <string_view>
#include <unordered_map>

#include "engine/base/progress.h"
#include "engine/context_binary/context_partition.h"
#include "engine/context_binary/number_sections.h"
#include "engine/graph/graph.h"
#include "engine/provider/graph_sections.h"  // kGraphSection

namespace cutaway::onednn {

inline constexpr const char* kPlanSection = "plan";
using context_binary::kPackedSectionPrefix;
using context_binary::kRawSectionPrefix;
inline constexpr const char* kElsewhere = "packed";  // place of a constant that only a packed section has
inline constexpr int64_t kLargestInlineBytes = 4096;

using SectionsByName = std::unordered_map<std::string_view, const context_binary::ContextSection*>;

// Every node is one that this provider compiles and satisfies its schema and its row's rules; every value is made once;
// inputs and outputs are the partition's. Constants that are packed only have no numbers (hasNumbers). INVALID_GRAPH,
// INVALID_PROTOBUF, EP_FAIL saying what is wrong; MODEL_LOAD_CANCELED.
Result<Graph> readStoredGraph(const context_binary::ContextPartition& partition, const SectionsByName& sections,
                              const std::shared_ptr<const void>& keepAlive, const Progress& progress);

}  // namespace cutaway::onednn
