#pragma once
// An export that waits to be written: the context model without its binaries' places, and the partitions that go into
// them.
//
// Holds what it needs by itself: the session that made it, its providers and its model may be gone (weights and
// sections are shared). Thread rule: a plain value. Example: PendingExport made{.target = file, .options = options,
// .model = contextModelOf(...), ...};

#include <string>
#include <vector>

#include "engine/context/context_model.h"
#include "engine/context/context_options.h"
#include "engine/report/context_report.h"

namespace cutaway::context {

struct PendingExport {
  std::filesystem::path target;  // empty: goes to options.modelSink
  ContextOptions options;
  Model model;
  std::vector<NodePlace> nodes;                              // EPContext nodes, in order of graphs and nodes
  std::vector<context_binary::ContextPartition> partitions;  // of each
  ContextWritten figures;                                    // what is known before anything is written
};

}  // namespace cutaway::context
