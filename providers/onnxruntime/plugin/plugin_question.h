#pragma once
// Asking a plug-in provider about the free nodes of a graph, again where ONNX Runtime itself stumbles over one of them.
//
// Thread rule: as ExecutionProvider::capability(). Example:
//   CUTAWAY_TRY(const PluginSaid said, askPlugin(source, plugin, settings, request, nodes));

#include <functional>
#include <vector>

#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_answer.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"

namespace cutaway::onnxruntime {

// Who answers: a host process, as Host::ask() does, or a record of one.
using AnswerSource =
    std::function<Result<AskedFacts>(const SessionRequest& request, const Stopped& stopped, std::vector<LogLine>* log)>;

struct PluginSaid {
  PluginAnswer answer;
  std::vector<cutaway::Refusal> refusals;              // of all nodes asked about that are not in the answer
  OptimizationLevel level = OptimizationLevel::kNone;  // of ONNX Runtime, that the question needed
};
// A provider that dies or fails over the question refuses all nodes with its last words. MODEL_LOAD_CANCELED.
Result<PluginSaid> askPlugin(const AnswerSource& source, const PluginLibrary& plugin, const PluginSettings& settings,
                             const CapabilityRequest& request, std::vector<NodeId> nodes);

// Whether a message of a provider means that it wants constants folded first, which ONNX Runtime's first level does.
bool wantsFolding(std::string_view message);

}  // namespace cutaway::onnxruntime
