#pragma once
// Groups in context models: ONNX Runtime keeps no compiled code of what it runs on the CPU, so the group's graph and
// weights are kept, and its session is created again when it is opened.
//
// Sections: "onnxruntime", a line that says which form follows, and those of engine/provider/graph_sections.h. Thread
// rule: pure. Example: CUTAWAY_TRY(ContextPartition partition, exportGraph(group));

#include "engine/provider/execution_provider.h"
#include "engine/provider/provider_context.h"

namespace cutaway::onnxruntime {

inline constexpr const char* kFormSection = "onnxruntime";
inline constexpr std::string_view kForm = "cutaway-onnxruntime 1";

ContextSupport graphSupport();
// FAIL when the graph is too large for a message.
Result<context_binary::ContextPartition> exportGraph(const FusedSubGraph& group);
// The group's graph as it was, its weights in the mapped file. EP_FAIL: the sections are not those of a group, or the
// graph in them does not hold; MODEL_LOAD_CANCELED.
Result<Model> storedGraph(const ContextRestore& stored, const Progress& progress);
CompatibilityVerdict judgeForm(std::string_view info);

}  // namespace cutaway::onnxruntime
