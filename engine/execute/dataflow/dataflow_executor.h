#pragma once
// The dataflow executor: independent steps of a graph at the same time, on worker threads that share the machine with
// the kernels' own threads.
//
// The thread that calls run() is worker 0 of its run; `workers - 1` helper threads, started with the first run, serve
// all runs of the session in turn. Each worker gets threads / workers threads for its loops, so kernels see the same
// number of threads wherever they run, and every value comes from the same kernel call as in a sequential run with that
// many threads: bit for bit the same. Among steps that may start, the one with the longest remaining chain goes first.
// The first error ends the run; steps that are running are asked to stop. Bodies run sequentially inside the step of
// their node. Plans with their memory edges are kept beside each memory pattern. Thread rule: run() from any number of
// threads at once, each with its own frame. A steady run allocates nothing; it locks the run's queue once a step.
// Example: DataflowExecutor executor(program, {.workers = 2, .threads = 2});  CUTAWAY_CHECK(executor.run(frame,
// control, kept));

#include <memory>

#include "engine/execute/dataflow/dataflow_plan.h"
#include "engine/execute/executor.h"

namespace cutaway::execute {

struct DataflowOptions {
  int workers = 2;
  int threads = 2;  // of the session, shared out among workers
  // Nodes shorter than this on average run one after another: found out by timing the second run with each set of feed
  // shapes. 0: never.
  int64_t leastNodeNs = 0;
};

class DataflowExecutor {
 public:
  // program: the main graph; must outlive the executor.
  DataflowExecutor(const GraphProgram& program, const DataflowOptions& options);
  ~DataflowExecutor();
  DataflowExecutor(const DataflowExecutor&) = delete;
  DataflowExecutor& operator=(const DataflowExecutor&) = delete;

  int workers() const;
  int threadsPerWorker() const;
  // As runMainFrame.
  Result<void> run(Frame& frame, const RunControl& control, std::vector<KeptValue>& kept);

 private:
  class Pool;
  std::unique_ptr<Pool> m_pool;
};

}  // namespace cutaway::execute
