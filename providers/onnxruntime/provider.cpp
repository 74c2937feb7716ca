// Capability by rules and by the library's own answers; groups in waves; compiled as sessions in the host process.
#include "providers/onnxruntime/provider.h"

#include "engine/base/parallel.h"
#include "engine/provider/group_builder.h"
#include "providers/onnxruntime/context.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/device.h"
#include "providers/onnxruntime/group_kernel.h"
#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/options.h"
#include "providers/onnxruntime/questions.h"
#include "providers/onnxruntime/rules.h"
#include "providers/onnxruntime/shared_blocks.h"

namespace cutaway {

namespace {

using namespace onnxruntime;

constexpr const char* kName = "onnxruntime";

class HostedProvider final : public ExecutionProvider {
 public:
  HostedProvider(std::shared_ptr<Host> host, OnnxruntimeOptions options)
      : m_host(std::move(host)), m_options(std::move(options)) {}

  const std::string& name() const override { return m_name; }
  const Device& device() const override { return onnxruntimeDevice(); }
  Allocator& allocator() override { return heapAllocator(); }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    std::vector<NodeId> toAsk;
    for (const NodeId id : request.free) {
      if (const Node& node = request.graph.node(id);
          m_options.customOnly && !isCustomOperator(node.domain, node.opType)) {
        answer.refusals.push_back({.node = id,
                                   .cause = RefusalCause::kOption,
                                   .reason = "it is no custom operator, and option 'nodes' is 'custom'",
                                   .rule = "nodes=custom",
                                   .seen = node.opType});
      } else if (std::optional<Answer> no = refusalByRule(request, id)) {
        answer.refusals.push_back(refusalOf(id, *std::move(no)));
      } else {
        toAsk.push_back(id);
      }
    }
    CUTAWAY_TRY(std::vector<Answer> said, askAbout(m_host, m_options, request, toAsk));
    GroupingOptions grouping{.supported = std::vector<char>(request.graph.nodeSlots(), 0),
                             .minimumNodes = static_cast<size_t>(m_options.minimumNodes)};
    for (size_t i = 0; i < toAsk.size(); ++i) {
      if (said[i].supported) {
        grouping.supported[toAsk[i].index()] = 1;
      } else {
        answer.refusals.push_back(refusalOf(toAsk[i], std::move(said[i])));
      }
    }
    Groups groups = buildGroups(request, grouping);
    answer.claims = std::move(groups.claims);
    for (Refusal& refusal : groups.refusals)
      answer.refusals.push_back(std::move(refusal));
    return answer;
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      CUTAWAY_TRY(CompiledNode node, compileGraph(group.graph, group.model.opsets, progress));
      compiled.push_back(std::move(node));
    }
    return compiled;
  }

  ContextSupport contextSupport() const override { return graphSupport(); }
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& /*progress*/) override {
    return exportGraph(compiled.group);
  }
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    CUTAWAY_TRY(const Model model, storedGraph(stored, progress));
    return compileGraph(model.graph, model.opsets, progress);
  }
  std::string compatibilityInfo() const override { return std::string(kForm); }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override { return judgeForm(info); }

 private:
  static Refusal refusalOf(NodeId id, Answer answer) {
    return {.node = id,
            .cause = answer.cause,
            .reason = std::move(answer.reason),
            .rule = std::move(answer.rule),
            .seen = std::move(answer.seen),
            .remedy = std::move(answer.remedy)};
  }

  Result<CompiledNode> compileGraph(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                    const Progress& progress) {
    CUTAWAY_TRY(GroupModel model, writeGroupModel(graph, opsets));
    SessionRequest request{.model = std::move(model.model),
                           .modelBytes = model.modelBytes,
                           .weights = std::move(model.weights),
                           .settings = m_options.settings};
    if (request.settings.intraThreads == 0) request.settings.intraThreads = currentThreads();
    Result<std::unique_ptr<HostedSession>> session =
        HostedSession::open(m_host, std::move(request), [&] { return progress.cancelled(); });
    if (!session) {
      if (session.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(session).error());
      return fail(ErrorCode::kEpFail, "ONNX Runtime does not take the group: {}", session.error().message);
    }
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, makeGroupKernel(*std::move(session), graph));
    return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
  }

  std::string m_name = kName;
  std::shared_ptr<Host> m_host;
  OnnxruntimeOptions m_options;
  LargeBlockUse m_sharedBlocks{sharedBlocks()};  // frames of its sessions are made while it is there
};

// Asks the library itself, in a host that ends with the question.
ProviderStatus ask() {
  const Result<LibraryPlace> place = findLibrary();
  if (!place) return {.usable = false, .version = {}, .reason = place.error().message};
  const std::shared_ptr<Host> host = Host::of({.library = place->path});
  const Result<LibraryFacts> facts = host->library();
  if (!facts) return {.usable = false, .version = {}, .reason = facts.error().message};
  return {.usable = true, .version = fmt::format("{} ({})", facts->version, place->source), .reason = {}};
}

// Once: starting a process and opening the library takes some ten milliseconds.
ProviderStatus probe() {
  static const ProviderStatus status = ask();
  return status;
}

Result<std::unique_ptr<ExecutionProvider>> create(const ProviderRequest& request) {
  CUTAWAY_TRY(OnnxruntimeOptions options, readOptions(request.options));
  const Result<LibraryPlace> place = findLibrary(options.folder);
  if (!place) return fail(ErrorCode::kEpFail, "provider onnxruntime cannot be used here: {}", place.error().message);
  std::shared_ptr<Host> host = Host::of({.library = place->path, .requestSeconds = options.timeoutSeconds});
  if (const Result<LibraryFacts> facts = host->library(); !facts)
    return fail(ErrorCode::kEpFail, "provider onnxruntime cannot be used here: {}", facts.error().message);
  return std::make_unique<HostedProvider>(std::move(host), std::move(options));
}

}  // namespace

ProviderEntry onnxruntimeProvider() {
  return {.name = kName,
          .displayName = "ONNX Runtime",
          .description = "sessions of groups or of whole models in ONNX Runtime itself, in a process of its own",
          .probe = probe,
          .create = create,
          .contextSources = {
              {.name = kName, .title = "ONNX Runtime", .blob = "graph and weights of a group", .model = "ONNX model"}}};
}

}  // namespace cutaway
