#pragma once
// Reports of the stages before partitioning: load, resolve, optimize.
//
// Thread rule: immutable once published. Times are nanoseconds, sizes bytes.
// Example: fmt::print("{} nodes, IR {}\n", report.nodeCount, report.irVersion);

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

struct PhaseReport {
  std::string name;  // "map file", "parse", "build graph", "external data"
  int64_t timeNs = 0;
  int64_t bytes = 0;  // memory the phase added, 0 when it does not matter
};

struct ExternalFileReport {
  std::string path;  // relative, as the model names it
  int64_t fileBytes = 0;
  int64_t usedBytes = 0;
  int32_t tensorCount = 0;
};

struct OriginReport {
  SharedText name;
  SharedText opType;
  SharedText graphPath;
};

struct LoadReport {
  std::string path;
  std::string format;  // "onnx", "textproto", "ort 6" (with the format's version), "memory"
  int64_t fileBytes = 0;
  int64_t irVersion = 0;
  std::string producer;
  std::string documentation;
  std::vector<std::pair<std::string, int64_t>> opsets;  // domain ("ai.onnx" for the default), version
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<std::string> functions;  // "domain:name"
  int64_t nodeCount = 0;               // all graphs
  int64_t initializerCount = 0;
  int64_t initializerBytes = 0;
  int64_t parameterCount = 0;                              // elements of floating point and quantised initializers
  std::vector<std::pair<std::string, int64_t>> operators;  // "Conv", count; descending
  std::vector<ExternalFileReport> externalFiles;
  std::vector<PhaseReport> phases;
  std::vector<std::string> warnings;
  std::vector<OriginReport> origins;
  std::map<int32_t, std::string> layerOfOrigin;  // node metadata "layer_ann", by index into origins
  int64_t timeNs = 0;
};

// One step of the inputs-and-outputs rule, so that a window can replay how the lists came to be.
struct ResolveStep {
  int32_t graph = 0;
  int32_t node = kNone;  // node being looked at, kNone: whole graph
  int32_t value = kNone;
  SharedText
      rule;  // short id: "file.declared", "auto.input", "auto.consumed", "outer-scope", "ir3.initializer-input" ...
  SharedText
      list;  // list that changed: "inputs", "required inputs", "outputs", "intermediates", "overridable", "" none
  bool added = true;  // false: taken off the list
  SharedText text;    // one sentence for people
};

struct ValueRule {
  int32_t graph = 0;
  int32_t value = 0;
  ValueRole role = ValueRole::kIntermediate;
  SharedText rule;
  SharedText text;
};

struct ModelWarning {
  std::string node;
  std::string value;
  std::string message;
};

struct ResolveReport {
  std::vector<ValueRule> values;
  std::vector<ResolveStep> steps;
  std::vector<ModelWarning> warnings;
  std::vector<std::pair<std::string, int64_t>> boundDims;  // --dim batch=4
  std::vector<std::string> openSymbols;                    // symbols still unbound
  int64_t knownShapes = 0, symbolicShapes = 0, unknownShapes = 0;
  int64_t inlinedFunctions = 0;
  int64_t callNodes = 0;  // nodes behind calls of functions that were looked at for types
  std::vector<PhaseReport> phases;
  int64_t timeNs = 0;
};

struct RewriteReport {
  std::string pass;
  std::string note;                  // what and why, one line
  int32_t graph = 0;                 // index after load (graphs keep their index)
  std::vector<int32_t> origins;      // original nodes it touched
  std::vector<std::string> removed;  // "Conv 'conv1'"
  std::vector<std::string> added;
};

struct PassReport {
  std::string name;
  std::string purpose;
  int32_t level = 0;     // 0 default, 1 basic, 2 extended, 3 layout
  bool skipped = false;  // by level or by optimization.disable_specified_optimizers
  int32_t rounds = 0;
  int64_t rewrites = 0;
  int64_t nodesBefore = 0;  // when it ran first
  int64_t nodesAfter = 0;   // without what it took out itself in all rounds: differences of all passes add up
  int64_t timeNs = 0;
};

struct OptimizeReport {
  int32_t level = 3;
  std::vector<PassReport> passes;
  std::vector<RewriteReport> rewrites;
  std::vector<std::string> warnings;
  int64_t nodesBefore = 0;
  int64_t nodesAfter = 0;
  int64_t foldedBytes = 0;
  int64_t timeNs = 0;
};

}  // namespace cutaway
