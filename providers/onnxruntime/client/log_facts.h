#pragma once
// What the lines of a session's log tell (SessionSettings::log): which passes changed the graph, which copies were
// inserted and for whom, which nodes were moved to the CPU.
//
// The texts are those of versions 1.24 to 1.31; a line in another form is passed over. Thread rule: pure. Example:
//   for (const OptimizerPass& pass : passesIn(session->log()))
//     if (pass.modified) show(pass.name);

#include <span>
#include <string>
#include <vector>

#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

// One call of a graph transformer, in order; a level's transformers are called again until none changes anything.
struct OptimizerPass {
  std::string name;  // "ConstantFolding", "Level1_RuleBasedTransformer"
  bool modified = false;
};
std::vector<OptimizerPass> passesIn(std::span<const LogLine> log);

struct InsertedCopy {
  std::string value;
  std::string provider;
  bool toHost = false;  // before a node on the host; else after one, to the device
};
std::vector<InsertedCopy> copiesIn(std::span<const LogLine> log);

// Names of nodes that ONNX Runtime itself keeps from a device because the CPU is deemed faster for them (shape
// arithmetic).
std::vector<std::string> forcedToCpuIn(std::span<const LogLine> log);

}  // namespace cutaway::onnxruntime
