#include "providers/onnxruntime/context.h"

#include "engine/provider/graph_sections.h"

namespace cutaway::onnxruntime {

ContextSupport graphSupport() {
  return {.kind = ContextKind::kDescribed,
          .reason =
              "ONNX Runtime keeps no compiled code of groups on the CPU: their graphs and weights are kept, and "
              "sessions are created again from them",
          .sdkVersion = std::string(kForm),
          .hardware = "any"};
}

Result<context_binary::ContextPartition> exportGraph(const FusedSubGraph& group) {
  context_binary::ContextPartition partition;
  partition.notes = "graph and weights of a group that ONNX Runtime ran";
  const auto form = std::make_shared<const std::string>(kForm);
  partition.sections.push_back({kFormSection, std::as_bytes(std::span(*form)), form});
  CUTAWAY_TRY(std::vector<context_binary::ContextSection> sections, writeGraphSections(group.graph, group.model));
  for (context_binary::ContextSection& section : sections)
    partition.sections.push_back(std::move(section));
  return partition;
}

Result<Model> storedGraph(const ContextRestore& stored, const Progress& progress) {
  const context_binary::ContextSection* const section = stored.partition.find(kFormSection);
  const std::string_view form =
      section == nullptr
          ? std::string_view()
          : std::string_view(reinterpret_cast<const char*>(section->bytes.data()), section->bytes.size());
  if (form != kForm)
    return fail(ErrorCode::kEpFail,
                "the context has no section '{}' of form '{}': it was made by another version, or changed",
                kFormSection, kForm);
  return readGraphSections(stored.partition, stored.keepAlive, progress);
}

CompatibilityVerdict judgeForm(std::string_view info) {
  if (info.empty()) return {};
  if (info == kForm) return {ContextCompatibility::kOptimal, {}};
  return {ContextCompatibility::kUnsupported,
          "its groups were kept in another form than this version reads; make them again"};
}

}  // namespace cutaway::onnxruntime
