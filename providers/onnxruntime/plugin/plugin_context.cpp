#include "providers/onnxruntime/plugin/plugin_context.h"

#include "providers/onnxruntime/group_kernel.h"

namespace cutaway::onnxruntime {

std::string hardwareOf(const PluginSettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings.session.providers.front().options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text.empty() ? "the machine's own" : text;
}

Result<context_binary::ContextPartition> exportCompiled(Host& host, const PluginLibrary& plugin, SessionRequest request,
                                                        const Progress& progress) {
  const Result<CompiledContext> compiled = host.compile(request, {}, [&] { return progress.cancelled(); });
  if (!compiled) {
    if (compiled.error().code == ErrorCode::kModelLoadCanceled) return fail(compiled.error());
    return fail(ErrorCode::kEpFail, "{} compiles no context of the group: {}", plugin.title, compiled.error().message);
  }
  context_binary::ContextPartition partition;
  partition.notes = fmt::format("compiled by {} through ONNX Runtime's compile interface", plugin.title);
  const auto form = std::make_shared<const std::string>(kPluginForm);
  partition.sections.push_back({kPluginFormSection, std::as_bytes(std::span(*form)), form});
  partition.sections.push_back(
      {kPluginModelSection, std::as_bytes(compiled->memory->bytes()).first(compiled->sizeBytes), compiled->memory});
  return partition;
}

Result<std::shared_ptr<const Kernel>> restoreCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                      const SessionSettings& settings, const ContextRestore& stored,
                                                      const Progress& progress) {
  const auto textOf = [&](const char* name) -> std::string_view {
    const context_binary::ContextSection* const section = stored.partition.find(name);
    if (section == nullptr) return {};
    return {reinterpret_cast<const char*>(section->bytes.data()), section->bytes.size()};
  };
  if (textOf(kPluginFormSection) != kPluginForm || textOf(kPluginModelSection).empty())
    return fail(ErrorCode::kEpFail,
                "the context has no sections '{}' of form '{}' and '{}': it was made by another version, or changed",
                kPluginFormSection, kPluginForm, kPluginModelSection);
  SessionRequest request;
  CUTAWAY_TRY(request.model, SharedMemory::of(textOf(kPluginModelSection)));
  request.modelBytes = textOf(kPluginModelSection).size();
  request.settings = settings;
  Result<std::unique_ptr<HostedSession>> session =
      HostedSession::open(host, std::move(request), [&] { return progress.cancelled(); });
  if (!session) {
    if (session.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(session).error());
    return fail(ErrorCode::kEpFail, "{} does not load its context: {}", plugin.title, session.error().message);
  }
  // The kernel's slots follow the names of the ports.
  Graph ports;
  for (const context_binary::ContextPort& port : stored.partition.inputs)
    ports.addInput(port.name, port.type);
  for (const context_binary::ContextPort& port : stored.partition.outputs)
    ports.addOutput(ports.addValue(port.name, port.type));
  return makeGroupKernel(*std::move(session), ports);
}

}  // namespace cutaway::onnxruntime
