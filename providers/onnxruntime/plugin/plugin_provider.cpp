#include "providers/onnxruntime/plugin/plugin_provider.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "engine/base/log.h"
#include "engine/base/parallel.h"
#include "engine/graph/node_label.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/group_namer.h"
#include "providers/onnxruntime/device.h"
#include "providers/onnxruntime/group_kernel.h"
#include "providers/onnxruntime/library.h"
#include "providers/onnxruntime/model_writer.h"
#include "providers/onnxruntime/plugin/plugin_claims.h"
#include "providers/onnxruntime/plugin/plugin_context.h"
#include "providers/onnxruntime/plugin/plugin_devices.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_question.h"
#include "providers/onnxruntime/plugin/plugin_reasons.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"
#include "providers/onnxruntime/plugin/profile_files.h"
#include "providers/onnxruntime/plugin/qnn_binary.h"
#include "providers/onnxruntime/plugin/target_chips.h"
#include "providers/onnxruntime/plugin/whole_session.h"
#include "providers/onnxruntime/record/recorded_provider.h"
#include "providers/onnxruntime/record/recording.h"
#include "providers/onnxruntime/shared_blocks.h"

namespace cutaway {

namespace {

using namespace onnxruntime;

// Where asking twice costs less than the log that once would have been in vain.
constexpr size_t kManyNodes = 300;

class PluginProvider final : public ExecutionProvider, public VendorContexts {
 public:
  PluginProvider(std::shared_ptr<Host> host, PluginLibrary plugin, PluginSettings settings, bool exportsContexts)
      : m_host(std::move(host)),
        m_plugin(std::move(plugin)),
        m_settings(std::move(settings)),
        m_exportsContexts(exportsContexts) {}

  const std::string& name() const override { return m_plugin.name; }
  const Device& device() const override { return onnxruntimeDevice(); }
  Allocator& allocator() override { return heapAllocator(); }
  bool simulated() const override { return m_plugin.isSimulator; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    m_whole.keep(nullptr);
    const bool isModel = &request.graph == &request.model.graph;
    const AnswerSource graph = [&](const SessionRequest& order, const Stopped& stopped,
                                   std::vector<LogLine>* log) -> Result<AskedFacts> {
      if (std::optional<AskedModel> early = isModel ? m_early.takeFor(order, log) : std::nullopt) {
        m_whole.keep(std::move(early->whole));
        return std::move(early->facts);
      }
      const bool keepsWhole = isModel && mayKeepWhole(request);
      if (keepsWhole && request.graph.nodeIds().size() >= kManyNodes) {
        CUTAWAY_TRY(AskedModel asked, askQuietly(order, stopped, log));
        m_whole.keep(std::move(asked.whole));
        return std::move(asked.facts);
      }
      CUTAWAY_TRY(AskedModel asked, ask(order, keepsWhole, stopped, log));
      m_whole.keep(std::move(asked.whole));
      return std::move(asked.facts);
    };
    const AnswerSource model = [&](const SessionRequest& order, const Stopped& stopped,
                                   std::vector<LogLine>* log) -> Result<AskedFacts> {
      std::vector<LogLine> lines;
      CUTAWAY_TRY(AskedModel asked, ask(order, mayKeepWhole(request), stopped, &lines));
      AskedFacts facts = asked.facts;
      m_early.keep(order, std::move(asked), lines);
      if (log != nullptr) *log = std::move(lines);
      return facts;
    };
    CUTAWAY_TRY(PluginClaims claims, claimsOf({graph, model}, m_plugin, m_settings, request, m_bodies, whyNotAsked()));
    if (claims.wasAsked) m_level = claims.level;
    if (claims.answer.claims.size() == 1) m_whole.describe(request.graph, claims.answer.claims.front().subGraph.nodes);
    m_shapes.merge(std::move(claims.shapes));
    m_changes.keep(request.graph, std::move(claims.changes));
    return std::move(claims.answer);
  }

  // What ONNX Runtime made of the graph for the provider is told as what a provider does to its own nodes.
  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& /*model*/, Graph& graph, int /*level*/) override {
    return m_changes.take(graph, name());
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      std::shared_ptr<const Kernel> loaded = wholeKernel(group.graph);
      if (loaded == nullptr && m_exportsContexts && !hasHung()) {
        CUTAWAY_TRY(loaded, compileAndKeep(group, progress));
      }
      if (loaded != nullptr) {
        compiled.push_back({.kernel = std::move(loaded), .inplace = {}});
        continue;
      }
      // A group over which it crashes says nothing of the next; one over which it hangs costs the time limit.
      if (hasHung()) return fail(ErrorCode::kEpFail, "{}", notAskedAgain());
      CUTAWAY_TRY(std::unique_ptr<HostedSession> session, openGroup(group.graph, group.model.opsets, progress));
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, makeGroupKernel(std::move(session), group.graph));
      m_kept.erase(kernel.get());
      showProfile(m_lastProfile, group.fusedName, group.graph);
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

  ContextSupport contextSupport() const override {
    return {.kind = ContextKind::kCompiled,
            .reason = {},
            .sdkVersion = fmt::format("{} {}", m_plugin.package.empty() ? m_plugin.name : m_plugin.package,
                                      m_plugin.version.empty() ? "?" : m_plugin.version),
            .hardware = hardwareOf(m_settings)};
  }

  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    if (auto kept = m_kept.extract(&compiled.kernel); !kept.empty()) return std::move(kept.mapped());
    return compileContext(compiled.group, progress);
  }

  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    const SessionSettings settings = restoreSettings();
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, restoreCompiled(m_host, m_plugin, settings, stored, progress));
    showProfile(m_lastProfile, stored.nodeName, Graph());
    return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
  }

  std::string objectionTo(const std::string& compatibilityInfo) const override {
    return onnxruntime::objectionTo(compatibilityInfo, m_plugin, m_settings);
  }

  Result<CompiledNode> restoreVendorContext(const VendorContext& context, const Progress& progress) override {
    const SessionSettings settings = restoreSettings();
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, restoreVendor(m_host, m_plugin, settings, context, progress));
    showProfile(m_lastProfile, context.nodeName, Graph());
    return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
  }

  Result<BinaryDescription> describeBinary(const VendorContext& context, const Progress& progress) override {
    if (!tellsOfBinaries(m_plugin) || hasHung()) return BinaryDescription();
    return describeQnnBinary(*m_host, m_plugin, context.bytes, progress);
  }

 private:
  SessionSettings restoreSettings() {
    SessionSettings settings = m_settings.session;
    if (settings.intraThreads == 0) settings.intraThreads = currentThreads();
    m_lastProfile = m_profiles.next(settings);
    return settings;
  }

  // What the provider writes of a group's compilation and runs, on the nodes that its sessions call by number.
  void showProfile(const std::optional<ProfileFile>& file, const std::string& group, const Graph& graph) {
    if (!file) return;
    std::map<NodeId, NodeWords> words;
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      words[id] = {node.name.empty() ? nodeLabel(graph, id) : node.name.string(), node.opType};
    }
    m_profiles.show(*file,
                    {.provider = m_plugin.name,
                     .title = m_plugin.title,
                     .group = group,
                     .simulated = m_plugin.isSimulator,
                     .figures = {},
                     .problem = {}},
                    [words = std::move(words)](NodeId id) {
                      const auto known = words.find(id);
                      return known == words.end() ? NodeWords() : known->second;
                    });
  }

  // Where it is asked about all of a model that it will compile, and nobody wants to know each of the two steps.
  bool mayKeepWhole(const CapabilityRequest& request) const {
    return request.names != nullptr && request.names->compiles() && !m_exportsContexts && !isRecording() &&
           !hasHung() && !ProfileFiles::isWanted(m_settings.session) &&
           !leavesBorder(m_plugin, m_settings, request.graph);
  }

  Result<AskedModel> ask(const SessionRequest& order, bool keepsWhole, const Stopped& stopped,
                         std::vector<LogLine>* log) {
    if (keepsWhole && m_chips.size() <= 1) return HostedSession::ask(m_host, withThreads(order), stopped, log);
    SessionRequest question = order;
    if (m_chips.size() > 1) allowSeveralChips(question.settings);
    AskedModel asked;
    CUTAWAY_TRY(asked.facts, m_host->ask(question, stopped, log));
    return asked;
  }

  // Why nodes are left stands in the log, whose words about every node cost up to a fifth of the time: first without
  // it. A provider that is lost over that is asked as it would have been.
  Result<AskedModel> askQuietly(const SessionRequest& order, const Stopped& stopped, std::vector<LogLine>* log) {
    const int64_t lostBefore = m_host->counters().lost;
    SessionRequest quiet = order;
    quiet.settings.log = false;
    CUTAWAY_TRY(AskedModel asked, ask(quiet, true, stopped, log));
    if (asked.whole != nullptr) return asked;
    return ask(order, m_host->counters().lost == lostBefore, stopped, log);
  }

  static SessionRequest withThreads(SessionRequest order) {
    if (order.settings.intraThreads == 0) order.settings.intraThreads = currentThreads();
    return order;
  }

  bool isTakenWhole(const Graph& group, const HostedSession& session) const {
    return checkAssignment(m_plugin, group, {session.facts().assignment, session.log()}).has_value();
  }

  // Of the session that the question left, where the group is what it was asked about.
  std::shared_ptr<const Kernel> wholeKernel(const Graph& group) {
    std::unique_ptr<HostedSession> session = m_whole.takeFor(group);
    if (session == nullptr || !isTakenWhole(group, *session)) return nullptr;
    Result<std::shared_ptr<const Kernel>> kernel = makeGroupKernel(std::move(session), group);
    if (!kernel) return nullptr;
    m_kept.erase(kernel->get());
    return *std::move(kernel);
  }

  // Empty: it is.
  std::string whyNotAsked() const {
    if (hasHung()) return notAskedAgain();
    return m_chips.size() > 1 && !m_exportsContexts ? onlyAsContext(m_plugin, m_settings) : std::string();
  }

  bool hasHung() const { return m_host->counters().hung > m_hungBefore; }
  std::string notAskedAgain() const {
    return fmt::format("{} gave no answer in {:g} s before, and is not asked again in this session", m_plugin.title,
                       m_settings.timeoutSeconds);
  }

  Result<SessionRequest> requestFor(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                    OptimizationLevel level) {
    CUTAWAY_TRY(
        SessionRequest request,
        groupRequest(m_plugin, m_settings, {.graph = graph, .opsets = opsets, .level = level, .shapes = m_shapes}));
    m_lastProfile = m_profiles.next(request.settings);
    return request;
  }

  Result<context_binary::ContextPartition> compileContext(const FusedSubGraph& group, const Progress& progress) {
    if (hasHung()) return fail(ErrorCode::kEpFail, "{}", notAskedAgain());
    const auto compileAt = [&](OptimizationLevel level) -> Result<context_binary::ContextPartition> {
      CUTAWAY_TRY(SessionRequest request, requestFor(group.graph, group.model.opsets, level));
      request.settings.assignment = false;
      return exportCompiled(*m_host, m_plugin, std::move(request), m_chips, progress);
    };
    Result<context_binary::ContextPartition> partition = compileAt(m_level);
    if (partition || partition.error().code == ErrorCode::kModelLoadCanceled || m_level != OptimizationLevel::kNone ||
        hasHung())
      return partition;
    return compileAt(OptimizationLevel::kBasic);
  }

  // What is to be kept is compiled as a context and loaded again: compiling a second time for the session would take as
  // long as the first. nullptr: there is no such context, or it does not load here (one of several chips, in the
  // simulator), or holds less than the group; the ordinary way then says why, or finds nothing wrong.
  Result<std::shared_ptr<const Kernel>> compileAndKeep(const FusedSubGraph& group, const Progress& progress) {
    Result<context_binary::ContextPartition> partition = compileContext(group, progress);
    if (!partition) {
      if (partition.error().code == ErrorCode::kModelLoadCanceled || m_chips.size() > 1)
        return fail(std::move(partition).error());
      return std::shared_ptr<const Kernel>();
    }
    if (m_chips.size() > 1) {
      std::shared_ptr<const Kernel> stand = kernelOfContext(onlyOnChips(m_plugin, m_chips));
      m_kept.insert_or_assign(stand.get(), *std::move(partition));
      return stand;
    }
    SessionSettings settings = restoreSettings();
    Result<std::shared_ptr<const Kernel>> kernel =
        loadCompiled(m_host, m_plugin, settings, *partition, group.graph, progress);
    if (!kernel) {
      if (kernel.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(kernel).error());
      log::debug(log::Category::kProviders, "provider {}: {}; the group is compiled again", m_plugin.name,
                 kernel.error().message);
      return std::shared_ptr<const Kernel>();
    }
    m_kept.insert_or_assign(kernel->get(), *std::move(partition));
    showProfile(m_lastProfile, group.fusedName, group.graph);
    return kernel;
  }

  Result<std::unique_ptr<HostedSession>> openGroup(const Graph& graph, const std::vector<OpsetImport>& opsets,
                                                   const Progress& progress) {
    const auto stopped = [&] { return progress.cancelled(); };
    const auto openAt = [&](OptimizationLevel level, bool withLog) -> Result<std::unique_ptr<HostedSession>> {
      CUTAWAY_TRY(SessionRequest request, requestFor(graph, opsets, level));
      request.settings.log = withLog;
      return HostedSession::open(m_host, std::move(request), stopped);
    };
    OptimizationLevel level = m_level;
    Result<std::unique_ptr<HostedSession>> session = openAt(level, isRecording());
    // Compilers that meet constants as nodes fail or die of them: ONNX Runtime's first level folds them.
    if (!session && !hasHung() && session.error().code != ErrorCode::kModelLoadCanceled &&
        m_level == OptimizationLevel::kNone) {
      Result<std::unique_ptr<HostedSession>> folded = openAt(OptimizationLevel::kBasic, isRecording());
      if (folded) session = std::move(folded), level = OptimizationLevel::kBasic;
    }
    // Why a node is left to the CPU stands in the log alone, which costs too much to have it every time.
    if (session && !isRecording() && !isTakenWhole(graph, **session)) session = openAt(level, true);
    if (!session) {
      if (session.error().code == ErrorCode::kModelLoadCanceled) return fail(std::move(session).error());
      return notCompiled(m_plugin, session.error().message);
    }
    CUTAWAY_CHECK(checkAssignment(m_plugin, graph, {session->get()->facts().assignment, session->get()->log()}));
    return session;
  }

  std::shared_ptr<Host> m_host;
  PluginLibrary m_plugin;
  PluginSettings m_settings;
  std::vector<std::string> m_chips = chipsOf(m_settings);
  OptimizationLevel m_level = OptimizationLevel::kNone;  // that the last question needed
  KnownShapes m_shapes;                                  // that it told of values
  LargeBlockUse m_sharedBlocks{sharedBlocks()};
  int64_t m_hungBefore = m_host->counters().hung;
  bool m_exportsContexts = false;
  BodyQuestion m_bodies;
  ChangeNotes m_changes;
  WholeSession m_whole;
  EarlyAnswer m_early;
  ProfileFiles m_profiles;
  std::optional<ProfileFile> m_lastProfile;  // of the settings that were made last
  // Of kernels that were loaded from them, until they are exported. A kernel that the partition stage gave up leaves
  // its address to a later one, whose entry takes the place of this.
  std::map<const Kernel*, context_binary::ContextPartition> m_kept;
};

}  // namespace

Result<std::unique_ptr<ExecutionProvider>> createPluginProvider(PluginLibrary plugin, const ProviderRequest& request) {
  CUTAWAY_TRY(PluginSettings settings, readPluginSettings(plugin, request.options));
  CUTAWAY_TRY(std::shared_ptr<Host> host, openPlugin(plugin, settings));
  if (settings.onSoftware) {
    plugin.isSimulator = true;
    settings.notes.emplace_back("its device is a software adapter, which computes on the CPU: its times are no GPU's");
  }
  for (const std::string& note : settings.notes)
    log::info(log::Category::kProviders, "provider {}: {}", plugin.name, note);
  recordProvider(settings.session, {.name = plugin.name,
                                    .title = plugin.title,
                                    .registration = plugin.registration,
                                    .package = plugin.package,
                                    .version = plugin.version,
                                    .isSimulator = plugin.isSimulator,
                                    .options = {request.options.begin(), request.options.end()}});
  return std::make_unique<PluginProvider>(std::move(host), std::move(plugin), std::move(settings),
                                          request.exportsContexts);
}

}  // namespace cutaway
