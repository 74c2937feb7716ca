#include "providers/onnxruntime/plugin/plugin_context.h"

#include <algorithm>

#include <onnx/onnx_pb.h>

#include "engine/context_binary/context_node.h"
#include "engine/schema/model_message.h"
#include "engine/schema/proto_writer.h"
#include "providers/onnxruntime/group_kernel.h"
#include "providers/onnxruntime/plugin/target_chips.h"

namespace cutaway::onnxruntime {

std::string hardwareOf(const PluginSettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings.session.providers.front().options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  return text.empty() ? "the machine's own" : text;
}

Result<context_binary::ContextPartition> exportCompiled(Host& host, const PluginLibrary& plugin, SessionRequest request,
                                                        const std::vector<std::string>& chips,
                                                        const Progress& progress) {
  const Result<CompiledContext> compiled = host.compile(request, {}, [&] { return progress.cancelled(); });
  if (!compiled) {
    if (compiled.error().code == ErrorCode::kModelLoadCanceled) return fail(compiled.error());
    return fail(ErrorCode::kEpFail, "{} compiles no context of the group: {}", plugin.title, compiled.error().message);
  }
  context_binary::ContextPartition partition;
  partition.notes = fmt::format("compiled by {} through ONNX Runtime's compile interface", plugin.title);
  if (!chips.empty()) partition.notes += fmt::format(", for soc_model {}", chipWords(chips));
  const auto form = std::make_shared<const std::string>(kPluginForm);
  partition.sections.push_back({kVendorFormSection, std::as_bytes(std::span(*form)), form});
  partition.sections.push_back(
      {kVendorModelSection, std::as_bytes(compiled->memory->bytes()).first(compiled->sizeBytes), compiled->memory});
  return partition;
}

namespace {

// A session of a model whose EPContext node carries its bytes.
Result<std::unique_ptr<HostedSession>> openContext(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                   const SessionSettings& settings, std::string_view model,
                                                   const Progress& progress) {
  SessionRequest request;
  CUTAWAY_TRY(request.model, SharedMemory::of(model));
  request.modelBytes = model.size();
  request.settings = settings;
  Result<std::unique_ptr<HostedSession>> session =
      HostedSession::open(host, std::move(request), [&] { return progress.cancelled(); });
  if (!session) {
    if (session.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(session).error());
    return fail(ErrorCode::kEpFail, "{} does not load the context: {}", plugin.title, session.error().message);
  }
  return session;
}

std::string_view textOf(const context_binary::ContextPartition& partition, const char* name) {
  const context_binary::ContextSection* const section = partition.find(name);
  if (section == nullptr) return {};
  return {reinterpret_cast<const char*>(section->bytes.data()), section->bytes.size()};
}

}  // namespace

std::string objectionTo(const std::string& compatibilityInfo, const PluginLibrary& plugin,
                        const PluginSettings& settings) {
  const std::vector<std::string> wanted = chipsOf(settings);
  const std::vector<std::string> chips = wanted.empty() ? wanted : chipsIn(compatibilityInfo);
  if (chips.empty()) return {};
  for (const std::string& chip : wanted) {
    if (std::ranges::find(chips, chip) == chips.end())
      return fmt::format(
          "it was compiled for soc_model {} (ep_compatibility_info {}), and the session is for soc_model {}: export "
          "the original model again for that one, or open it with soc_model={}",
          chipWords(chips), compatibilityInfo, chipWords(wanted), chips.front());
  }
  return chips.size() > 1 && plugin.isSimulator ? onlyOnChips(plugin, chips) : std::string();
}

Result<std::shared_ptr<const Kernel>> restoreVendor(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                    const SessionSettings& settings, const VendorContext& context,
                                                    const Progress& progress) {
  Graph graph("context");
  Node node{.name = context.nodeName,
            .opType = context_binary::kContextOperator,
            .domain = context_binary::kContextDomain,
            .attributes = context.attributes};
  node.setAttribute("main_context", int64_t{1});
  node.setAttribute("embed_mode", int64_t{1});
  node.setAttribute("source", settings.providers.front().name);
  node.setAttribute(context_binary::kContextCache,
                    std::string(reinterpret_cast<const char*>(context.bytes.data()), context.bytes.size()));
  std::vector<ValueId> inputs;
  std::vector<std::string> outputs;
  for (const context_binary::ContextPort& port : context.inputs)
    inputs.push_back(graph.addInput(port.name, port.type));
  for (const context_binary::ContextPort& port : context.outputs) {
    graph.addOutput(graph.addValue(port.name, port.type));
    outputs.push_back(port.name);
  }
  graph.addNode(std::move(node), inputs, outputs);
  onnx::ModelProto model;
  writeModelHeader({{"", 17}, {context_binary::kContextDomain, 1}}, model);
  writeGraph(graph, *model.mutable_graph());
  CUTAWAY_TRY(const std::string bytes, modelBytes(model));
  CUTAWAY_TRY(std::unique_ptr<HostedSession> session, openContext(host, plugin, settings, bytes, progress));
  return makeGroupKernel(std::move(session), graph);
}

Result<std::shared_ptr<const Kernel>> loadCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                   const SessionSettings& settings,
                                                   const context_binary::ContextPartition& partition,
                                                   const Graph& group, const Progress& progress) {
  SessionSettings recorded = settings;
  recorded.assignment = true;
  CUTAWAY_TRY(std::unique_ptr<HostedSession> session,
              openContext(host, plugin, recorded, textOf(partition, kVendorModelSection), progress));
  for (const AssignedGroup& part : session->facts().assignment) {
    if (part.provider == kCpuProvider)
      return fail(ErrorCode::kEpFail, "{} left {} nodes of the group to the CPU", plugin.title, part.nodes.size());
  }
  return makeGroupKernel(std::move(session), group);
}

Result<std::shared_ptr<const Kernel>> restoreCompiled(const std::shared_ptr<Host>& host, const PluginLibrary& plugin,
                                                      const SessionSettings& settings, const ContextRestore& stored,
                                                      const Progress& progress) {
  if (textOf(stored.partition, kVendorFormSection) != kPluginForm ||
      textOf(stored.partition, kVendorModelSection).empty())
    return fail(ErrorCode::kEpFail,
                "the context has no sections '{}' of form '{}' and '{}': it was made by another version, or changed",
                kVendorFormSection, kPluginForm, kVendorModelSection);
  // The kernel's slots follow the names of the ports.
  Graph ports;
  for (const context_binary::ContextPort& port : stored.partition.inputs)
    ports.addInput(port.name, port.type);
  for (const context_binary::ContextPort& port : stored.partition.outputs)
    ports.addOutput(ports.addValue(port.name, port.type));
  CUTAWAY_TRY(std::unique_ptr<HostedSession> session,
              openContext(host, plugin, settings, textOf(stored.partition, kVendorModelSection), progress));
  return makeGroupKernel(std::move(session), ports);
}

}  // namespace cutaway::onnxruntime
