#include "providers/declared/provider.h"

#include "engine/graph/node_label.h"
#include "engine/provider/graph_interpreter.h"
#include "providers/declared/context.h"
#include "providers/declared/device.h"
#include "providers/declared/group_rules.h"
#include "providers/declared/onnxruntime_names.h"
#include "providers/declared/operator_judge.h"
#include "providers/declared/profile_options.h"
#include "providers/declared/profile_store.h"

namespace cutaway {

namespace {

using declared::JsonValue;
using declared::OperatorJudge;
using declared::Profile;
using declared::ProfileReading;

constexpr const char* kName = "declared";
constexpr size_t kNodesBetweenLooks = 1024;  // at the cancel token

class DeclaredProvider final : public ExecutionProvider {
 public:
  explicit DeclaredProvider(Profile profile)
      : m_profile(std::move(profile)),
        m_name(fmt::format("{}({})", kName, m_profile.name)),
        m_device(declared::declaredDevice(m_profile)),
        m_judge(m_profile, m_name) {}
  DeclaredProvider(const DeclaredProvider&) = delete;  // the judge points into the profile

  const std::string& name() const override { return m_name; }
  const Device& device() const override { return m_device; }
  Allocator& allocator() override { return heapAllocator(); }
  std::vector<std::string> deviceWords() const override { return declared::deviceWords(m_name); }
  const KernelRegistry* kernels() const override { return m_kernels; }
  LayoutPreference preferredLayout() const override { return m_profile.layout; }
  bool simulated() const override { return true; }
  std::optional<DeviceSpeed> speed() const override { return declared::declaredSpeed(m_profile); }
  void useFallbackKernels(const KernelRegistry* kernels) override { m_kernels = kernels; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    std::vector<char> supported(request.graph.nodeSlots(), 0);
    std::vector<Refusal> refusals;
    if (m_profile.mainGraphOnly && &request.graph != &request.model.graph) return refuseBodies(request);
    for (size_t i = 0; i < request.free.size(); ++i) {
      if (i % kNodesBetweenLooks == 0 && request.progress.cancelled()) return fail(cancelledError());
      const NodeId id = request.free[i];
      if (std::optional<Refusal> no = m_judge.objection(request.graph, id)) {
        refusals.push_back(*std::move(no));
      } else {
        supported[id.index()] = 1;
      }
    }
    if (m_profile.groups.wholeModelOnly) {
      CUTAWAY_TRY(const std::optional<Refusal> first, firstObjection(request));
      if (first) return refuseAll(request, supported, *first, std::move(refusals));
    }
    return declared::GroupRuling(m_profile, request, std::move(supported)).answer(std::move(refusals));
  }

  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    if (m_kernels == nullptr)
      return fail(ErrorCode::kEpFail, "{} is simulated, and there are no CPU kernels to run its groups with", m_name);
    std::vector<CompiledNode> compiled;
    for (const FusedSubGraph& group : groups) {
      if (progress.cancelled()) return fail(cancelledError());
      CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel, interpretGraph(group.graph, *m_kernels));
      compiled.push_back({.kernel = std::move(kernel), .inplace = {}});
    }
    return compiled;
  }

  ContextSupport contextSupport() const override { return declared::supportOf(m_profile); }
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    if (progress.cancelled()) return fail(cancelledError());
    return declared::exportDescribed(m_profile, compiled.group);
  }
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    if (m_kernels == nullptr)
      return fail(ErrorCode::kEpFail, "{} is simulated, and there are no CPU kernels to run its groups with", m_name);
    return declared::restoreDescribed(m_profile, stored, *m_kernels, progress);
  }
  std::string compatibilityInfo() const override { return declared::compatibilityText(m_profile); }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    return declared::judgeCompatibility(info, m_profile);
  }

 private:
  // The first node anywhere in the model that this provider will not have; its reason begins with the node's name.
  Result<std::optional<Refusal>> firstObjection(const CapabilityRequest& request) {
    std::vector<const Graph*> graphs;
    forEachGraph(request.model.graph, [&](const Graph& graph) { graphs.push_back(&graph); });
    for (const Graph* graph : graphs) {
      for (size_t i = 0; i < graph->nodeSlots(); ++i) {
        if (i % kNodesBetweenLooks == 0 && request.progress.cancelled()) return fail(cancelledError());
        const Node& node = graph->node(NodeId{i});
        if (node.removed || node.provider == m_name) continue;
        std::optional<Refusal> no;
        if (!node.provider.empty()) {
          no = Refusal{NodeId{i},
                       RefusalCause::kOther,
                       fmt::format("{} has claimed it", node.provider),
                       {},
                       {},
                       fmt::format("{} before {} in the list of providers", m_name, node.provider)};
        } else {
          no = m_judge.objection(*graph, NodeId{i}, OperatorJudge::Bodies::kAssumed);
        }
        if (!no) continue;
        no->reason = fmt::format("{}: {}", nodeLabel(*graph, NodeId{i}), no->reason);
        return no;
      }
    }
    return std::optional<Refusal>();
  }

  CapabilityAnswer refuseBodies(const CapabilityRequest& request) const {
    CapabilityAnswer answer;
    for (const NodeId id : request.free) {
      const std::string& op = request.graph.node(id).opType;
      answer.refusals.push_back(
          {id, RefusalCause::kOther,
           fmt::format("{} of {}: it takes nothing from the body of another node", op, m_profile.title),
           "main_graph_only", op, "a model where control flow was resolved"});
    }
    return answer;
  }

  CapabilityAnswer refuseAll(const CapabilityRequest& request, const std::vector<char>& supported, const Refusal& first,
                             std::vector<Refusal> refusals) const {
    CapabilityAnswer answer{.claims = {}, .refusals = std::move(refusals)};
    const std::string reason =
        fmt::format("{} takes a model whole or not at all, and one node is refused: {}", m_profile.title, first.reason);
    for (const NodeId id : request.free) {
      if (supported[id.index()] != 0)
        answer.refusals.push_back(
            {id, RefusalCause::kOther, reason, "groups.whole_model_only", first.seen, first.remedy});
    }
    return answer;
  }

  Profile m_profile;
  std::string m_name;
  Device m_device;
  OperatorJudge m_judge;
  const KernelRegistry* m_kernels = nullptr;
};

std::string joined(const declared::ProfileErrors& errors) {
  std::string text;
  for (const declared::ProfileError& error : errors.all())
    text += (text.empty() ? "" : "; ") + declared::toText(error);
  return errors.leftOut() > 0 ? fmt::format("{}; and {} more", text, errors.leftOut()) : text;
}

Result<Profile> makeProfile(const ProviderRequest& request) {
  if (request.argument.empty())
    return fail(ErrorCode::kInvalidArgument,
                "{} needs a support profile, as in {}(TensorRT); 'cutaway-cli providers' lists those that are shipped",
                kName, kName);
  CUTAWAY_TRY(const declared::ProfileText found, declared::findProfile(request.argument, request.folders));
  Result<JsonValue> root = declared::parseLocatedJson(found.text);
  if (!root)
    return fail(ErrorCode::kInvalidArgument, "support profile '{}' ({}): {}", request.argument, found.place,
                root.error().message);
  ProfileReading reading = declared::readProfile(*root);
  if (!reading.errors.empty())
    return fail(ErrorCode::kInvalidArgument, "support profile '{}' ({}): {}", request.argument, found.place,
                joined(reading.errors));
  CUTAWAY_CHECK(declared::applyOptions(request.options, *root));
  reading = declared::readProfile(*root);
  if (!reading.errors.empty())
    return fail(ErrorCode::kInvalidArgument, "support profile '{}' with these options: {}", request.argument,
                joined(reading.errors));
  return std::move(reading.profile);
}

std::vector<std::string> shippedNames() {
  std::vector<std::string> names;
  for (const declared::ShippedProfile& profile : declared::shippedProfiles())
    names.emplace_back(profile.name);
  return names;
}

}  // namespace

ProviderEntry declaredProvider() {
  return {
      .name = kName,
      .displayName = "Declared hardware",
      .description = "any hardware that a support profile describes, simulated on the CPU kernels: declared(TensorRT)",
      .probe = [] { return ProviderStatus{.usable = true, .version = "profile/1", .reason = {}}; },
      .create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
        CUTAWAY_TRY(Profile profile, makeProfile(request));
        return std::make_unique<DeclaredProvider>(std::move(profile));
      },
      .takesArgument = true,
      .arguments = shippedNames(),
      .onnxruntime = declared::onnxruntimeProviders(),
      .contextSources = declared::contextSources()};
}

}  // namespace cutaway
