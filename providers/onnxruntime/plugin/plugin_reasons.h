#pragma once
// Why a plug-in provider left nodes out, in the words of the report: its own words from the log first, then what the
// questions to it tell.
//
// Thread rule: pure. Example: std::vector<cutaway::Refusal> refusals = refusalsOf(question, answer, log);

#include <span>
#include <string>
#include <vector>

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/plugin/plugin_answer.h"

namespace cutaway::onnxruntime {

struct RefusedNodes {
  const std::string& provider;  // for people: "Qualcomm QNN"
  std::span<const NodeId> asked;
  const PluginAnswer& answer;
  std::span<const LogLine> log;
};
// One for each node asked about that the answer does not give to the provider.
std::vector<cutaway::Refusal> refusalsOf(const RefusedNodes& refused);

// The provider's own words about one node, with ": " before them; empty: it says nothing.
std::string wordsAbout(NodeId id, std::span<const LogLine> log);

}  // namespace cutaway::onnxruntime
