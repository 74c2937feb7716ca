#pragma once
// What a plug-in provider said about a model of numbered nodes, as an answer about the nodes themselves.
//
// The last question counts: a provider that wants channels last is asked before and after the layout change, and only
// what it wants again is its. Thread rule: pure. Example:
//   const PluginAnswer answer = readAnswer(graph, asked, facts);   claim(answer.groups);

#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/plugin/layout_changes.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct PluginAnswer {
  bool wasAsked = false;                    // about this graph at all
  std::string error{};                      // that the question which counts ended with; empty: it ended well
  std::vector<std::vector<NodeId>> groups;  // to be compiled, in the order of the nodes asked about
  std::vector<NodeId> singles;              // that it has kernels for
  std::vector<NodeId> lost;                 // wanted before the layout change, and not after it
  std::vector<NodeId> withoutKernel;        // whose kernel it looked for in vain
  std::map<NodeId, std::string> whyNot;     // where the answer itself tells more
  std::vector<NodeId> absorbed;             // ONNX Runtime put other nodes in their place, which the provider wants
  std::map<std::string, std::vector<int64_t>> shapes;  // of values, that ONNX Runtime knows completely
  size_t questions = 0;                                // how often it was asked about this graph
  std::vector<LayoutChange> changes{};                 // what ONNX Runtime made of the graph meanwhile
};

PluginAnswer readAnswer(const Graph& graph, std::span<const NodeId> asked, const AskedFacts& facts);

}  // namespace cutaway::onnxruntime
