#pragma once
// Asking a plug-in provider about the free nodes of a graph, again where ONNX Runtime itself stumbles over one of them.
//
// Thread rule: as ExecutionProvider::capability(). Example:
//   CUTAWAY_TRY(const PluginSaid said, askPlugin(host, plugin, settings, request, nodes));

#include <memory>
#include <vector>

#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/plugin/plugin_answer.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"

namespace cutaway::onnxruntime {

struct PluginSaid {
  PluginAnswer answer;
  std::vector<cutaway::Refusal> refusals;              // of all nodes asked about that are not in the answer
  OptimizationLevel level = OptimizationLevel::kNone;  // of ONNX Runtime, that the question needed
};
// A provider that dies or fails over the question refuses all nodes with its last words. MODEL_LOAD_CANCELED.
Result<PluginSaid> askPlugin(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                             const PluginSettings& settings, const CapabilityRequest& request,
                             std::vector<NodeId> nodes);

// Whether a message of a provider means that it wants constants folded first, which ONNX Runtime's first level does.
bool wantsFolding(std::string_view message);

}  // namespace cutaway::onnxruntime
