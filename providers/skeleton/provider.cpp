#include "providers/skeleton/provider.h"

#include "engine/provider/group_builder.h"
#include "providers/skeleton/device.h"

namespace cutaway {

namespace {

constexpr const char* kName = "skeleton";
constexpr const char* kMinimumNodes = "minimum_nodes";

struct SkeletonOptions {
  size_t minimumNodes = 1;
};

class SkeletonProvider final : public ExecutionProvider {
 public:
  explicit SkeletonProvider(SkeletonOptions options) : m_options(options) {}

  const std::string& name() const override { return m_name; }

  // The memory that values live in between this provider's nodes. A provider on the host keeps the host's device, and
  // no copies are inserted around its nodes.
  const Device& device() const override { return skeletonDevice(); }
  Allocator& allocator() override { return heapAllocator(); }

  // Kernels that run single nodes: give a registry made from your kernels/ table, or nothing when every claim is
  // compiled.
  const KernelRegistry* kernels() const override { return nullptr; }

  // kNhwc: this provider is asked a second time about its nodes with images, moved to domain kChannelsLastDomain.
  LayoutPreference preferredLayout() const override { return LayoutPreference::kNchw; }

  // True only for hardware that is described instead of used (providers/declared): reports say so.
  bool simulated() const override { return false; }

  // Rough figures for estimates of time; measured ones are better, and figures that are not known stay 0.
  std::optional<DeviceSpeed> speed() const override { return std::nullopt; }

  // Say for every free node: a claim, or a refusal. Two steps: which nodes could be taken at all, and which groups of
  // them are worth a call. Look at request.progress now and then where judging takes long. What leaves here as an
  // exception costs the provider all its claims.
  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    GroupingOptions grouping;
    grouping.supported.assign(request.graph.nodeSlots(), 0);
    grouping.minimumNodes = m_options.minimumNodes;
    for (const NodeId id : request.free) {
      if (request.progress.cancelled()) return fail(cancelledError());
      if (std::optional<Refusal> no = objection(request.graph, id)) {
        answer.refusals.push_back(*std::move(no));
      } else {
        grouping.supported[id.index()] = 1;
      }
    }
    // The builder makes maximal groups without cycles, with their MetaDef: a stable name, inputs and outputs in the
    // order that compile() and the fused node will use. Q/DQ nodes stay with their operator. It refuses what no group
    // took.
    Groups groups = buildGroups(request, grouping);
    answer.claims = std::move(groups.claims);
    answer.refusals.insert(answer.refusals.end(), groups.refusals.begin(), groups.refusals.end());
    return answer;
  }

  // One CompiledNode per group, in order. Its kernel must be immutable and callable from several threads; what a run
  // changes belongs into a KernelState. EP_FAIL gives the group back to the next provider; the session goes on. A
  // group's graph has its constants as initializers.
  Result<std::vector<CompiledNode>> compile(std::span<const FusedSubGraph> groups, const Progress& progress) override {
    return ExecutionProvider::compile(groups, progress);
  }

  // --- Contexts (EPContext): compile once, load at once. A provider that says kNone need not have the other two.
  // Say kCompiled when what compile() made can be written down and taken back; the version of your library and the
  // hardware it compiles for go into the file, and a file with others is refused before it comes here. Say kNone with a
  // reason that a user understands otherwise: previews show it.
  ContextSupport contextSupport() const override {
    return {.kind = ContextKind::kNone,
            .reason = "the skeleton compiles nothing, so there is nothing to keep",
            .sdkVersion = {},
            .hardware = {}};
  }

  // Sections of bytes under names of your own: compiled code in one, every large weight in one of its own. Sections
  // borrow: point to the bytes where they lie and put what holds them into keepAlive. Begin with a mark and a version
  // of your format, so that a later version of yours can tell. Name, ports, version and hardware are filled in by the
  // caller. Look at progress.cancelled() in long work.
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    return ExecutionProvider::exportContext(compiled, progress);
  }

  // The other way, without compiling. Checksums agree when this is called, but anybody can compute a checksum: check
  // every length, number and type before you use it, and say EP_FAIL with what was seen. Use large sections where they
  // lie (they are mapped from the file) and let the kernel hold stored.keepAlive. Inputs and outputs of the kernel are
  // those of stored.partition, in its order. The outputs must be the same bits as those of the kernel that compile()
  // makes. engine/provider/graph_sections.h keeps a group as its graph, for providers that have no compiled form;
  // providers/declared does.
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& progress) override {
    return ExecutionProvider::restoreContext(stored, progress);
  }

  // A text that goes into every exported model, and the question whether a model with such a text runs here: asked
  // before anything is restored. Compare what the binary depends on.
  std::string compatibilityInfo() const override { return {}; }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    return ExecutionProvider::checkCompatibility(info);
  }

 private:
  // Everything that a user can act on: the cause, a sentence, which rule said no, the value it saw, and what would
  // satisfy it. Nodes that are taken should cost no text.
  static std::optional<Refusal> objection(const Graph& graph, NodeId id) {
    const Node& node = graph.node(id);
    return Refusal{id,
                   RefusalCause::kOperator,
                   fmt::format("the skeleton takes nothing; {} is no exception", node.opType),
                   "operators",
                   node.opType,
                   "another provider in the list of providers"};
  }

  std::string m_name = kName;
  SkeletonOptions m_options;
};

// Refuse options that you do not know, and name those that there are: a misspelt key that is silently ignored costs
// users hours.
Result<SkeletonOptions> readOptions(const ProviderOptions& options) {
  SkeletonOptions read;
  for (const auto& [key, value] : options) {
    if (key != kMinimumNodes)
      return fail(ErrorCode::kInvalidArgument, "provider {} has no option '{}'; it has {}", kName, key, kMinimumNodes);
    const bool digits =
        !value.empty() && value.size() < 10 && value.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || std::stoi(value) < 1)
      return fail(ErrorCode::kInvalidArgument, "provider {}: {}={}: a whole number of 1 or more is wanted", kName, key,
                  value);
    read.minimumNodes = static_cast<size_t>(std::stoi(value));
  }
  return read;
}

}  // namespace

ProviderEntry skeletonProvider() {
  return {.name = kName,
          .displayName = "Skeleton",
          .description = "claims nothing; the folder to clone for a new provider",
          // Where a library is missing: usable = false, and in reason how to get it. Everything else goes on without
          // this provider.
          .probe = [] { return ProviderStatus{.usable = true, .version = "1", .reason = {}}; },
          .create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
            CUTAWAY_TRY(const SkeletonOptions read, readOptions(request.options));
            return std::make_unique<SkeletonProvider>(read);
          }};
}

}  // namespace cutaway
