#pragma once
// Which executor a session runs with, and why.
//
// Thread rule: pure; linear in nodes + edges. Example: const ExecutorChoice choice = chooseExecutor(graph, {.executor =
// "dataflow", .interThreads = 0, .threads = 2});

#include <string>

#include "engine/graph/graph.h"

namespace cutaway::execute {

struct ExecutorRequest {
  std::string executor = "sequential";  // SessionOptions::executor
  int interThreads = 0;                 // workers asked for; 0: as many as pay
  int threads = 0;                      // of the session; 0: all
};

struct ExecutorChoice {
  int workers = 1;          // above 1: dataflow
  std::string reason;       // one sentence
  int64_t leastNodeNs = 0;  // above 0: sizes are open, so that running must tell whether nodes are as long as this
  int threadsPerWorker(int threads) const;
};

// The sequential executor unless dataflow was asked for and pays: branches that can overlap, and nodes long enough to
// be handed out. A number of workers that was asked for is taken wherever two nodes can run at once at all.
ExecutorChoice chooseExecutor(const Graph& graph, const ExecutorRequest& request);

}  // namespace cutaway::execute
