#pragma once
// A plug-in provider's answer about a graph as capability() gives it, and its groups as sessions: the same for a
// provider that is asked and for one whose record is read.
//
// Thread rule: as ExecutionProvider::capability(). Example:
//   CUTAWAY_TRY(PluginClaims claims, claimsOf({source, source}, plugin, settings, request, m_bodies));
//   CUTAWAY_TRY(SessionRequest session, groupRequest(plugin, settings, {.graph = group.graph, ...}));

#include "engine/provider/execution_provider.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/plugin/plugin_bodies.h"
#include "providers/onnxruntime/plugin/plugin_question.h"

namespace cutaway::onnxruntime {

struct PluginClaims {
  CapabilityAnswer answer;
  bool wasAsked = false;                               // otherwise rules refused all nodes
  OptimizationLevel level = OptimizationLevel::kNone;  // of ONNX Runtime, that the question needed
  KnownShapes shapes;                                  // that the answer tells of values
  std::vector<ProviderRewrite> changes;                // what ONNX Runtime makes of the graph for the provider
};
// Who answers: about the graph that the stage asks about, and about all of a model while it asks about a body.
struct AnswerSources {
  const AnswerSource& graph;
  const AnswerSource& model;
};
// whyNotAsked: where it says something, nothing is asked and nodes are refused for that reason. Errors: those of
// askPlugin().
Result<PluginClaims> claimsOf(const AnswerSources& sources, const PluginLibrary& plugin, const PluginSettings& settings,
                              const CapabilityRequest& request, BodyQuestion& bodies,
                              const std::string& whyNotAsked = {});

struct PluginGroup {
  const Graph& graph;
  const std::vector<OpsetImport>& opsets;
  OptimizationLevel level;
  const KnownShapes& shapes;
};
// The session of a group. Errors: those of writeNumberedModel().
Result<SessionRequest> groupRequest(const PluginLibrary& plugin, const PluginSettings& settings,
                                    const PluginGroup& group);

// What it claimed in the model it must take in the group, too: otherwise the CPU would run under its name. EP_FAIL
// naming the node that it leaves, with the words of the log about it.
struct GroupOutcome {
  std::span<const AssignedGroup> assignment;
  std::span<const LogLine> log;
};
Result<void> checkAssignment(const PluginLibrary& plugin, const Graph& graph, const GroupOutcome& outcome);
// EP_FAIL with the words of the library.
tl::unexpected<Error> notCompiled(const PluginLibrary& plugin, const std::string& words);

}  // namespace cutaway::onnxruntime
