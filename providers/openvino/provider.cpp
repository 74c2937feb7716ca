// Capability by rules and by OpenVINO's own query; groups in waves; compile through the module behind the device
// interface.
#include "providers/openvino/provider.h"

#include "engine/base/machine_key.h"
#include "engine/base/parallel.h"
#include "engine/provider/group_builder.h"
#include "engine/provider/vendor_contexts.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/context.h"
#include "providers/openvino/device.h"
#include "providers/openvino/foreign_blob.h"
#include "providers/openvino/group_kernel.h"
#include "providers/openvino/large_folds.h"
#include "providers/openvino/library.h"
#include "providers/openvino/model_writer.h"
#include "providers/openvino/options.h"
#include "providers/openvino/questions.h"
#include "providers/openvino/rules.h"
#include "providers/openvino/trial.h"

namespace cutaway {

namespace {

using namespace openvino;

constexpr const char* kName = "openvino";

class OpenvinoProvider final : public ExecutionProvider, public VendorContexts {
 public:
  OpenvinoProvider(Bridge& bridge, OpenvinoOptions options) : m_bridge(bridge), m_options(std::move(options)) {}

  const std::string& name() const override { return m_name; }
  const Device& device() const override { return openvinoDevice(); }
  Allocator& allocator() override { return heapAllocator(); }
  std::vector<std::string> deviceWords() const override { return {"gpu:intel"}; }

  Result<CapabilityAnswer> capability(const CapabilityRequest& request) override {
    CapabilityAnswer answer;
    std::vector<NodeId> toAsk;
    LargeFolds folds(request.graph);
    for (const NodeId id : request.free) {
      std::optional<Answer> no = refusalByRule(request, id, m_options);
      if (!no) no = folds.refusalOf(id);
      if (no) {
        answer.refusals.push_back(refusalOf(id, *std::move(no)));
      } else {
        toAsk.push_back(id);
      }
    }
    OwnAsker inside(m_bridge);
    Asker& asker = askerOr(inside);
    CUTAWAY_TRY(std::vector<Answer> said, askAbout(asker, m_options.device, request, toAsk));
    GroupingOptions grouping{.supported = std::vector<char>(request.graph.nodeSlots(), 0),
                             .minimumNodes = static_cast<size_t>(m_options.minimumNodes),
                             .maximumNodes = static_cast<size_t>(m_options.maximumNodes)};
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
      if (progress.cancelled()) return fail(cancelledError());
      CUTAWAY_TRY(CompiledNode node, compileGroup(group, progress));
      compiled.push_back(std::move(node));
    }
    return compiled;
  }

  ContextSupport contextSupport() const override {
    if (!m_support) m_support = supportOf(m_bridge, m_options);
    return *m_support;
  }
  Result<context_binary::ContextPartition> exportContext(const ContextExport& compiled,
                                                         const Progress& progress) override {
    return exportGroup(m_bridge, m_options, compiled, progress);
  }
  Result<CompiledNode> restoreContext(const ContextRestore& stored, const Progress& /*progress*/) override {
    return restoreGroup(m_bridge, m_options, currentThreads(), stored);
  }
  // Bytes without our container are those of ONNX Runtime's provider for OpenVINO.
  std::string objectionTo(const std::string& compatibilityInfo) const override {
    return foreignObjection(compatibilityInfo, m_bridge.version());
  }
  Result<CompiledNode> restoreVendorContext(const VendorContext& context, const Progress& progress) override {
    OwnAsker inside(m_bridge);
    return restoreForeign(m_bridge, askerOr(inside), m_options, currentThreads(), context, progress);
  }
  std::string compatibilityInfo() const override { return compatibilityText(contextSupport()); }
  CompatibilityVerdict checkCompatibility(std::string_view info) const override {
    return judgeCompatibility(info, contextSupport());
  }

 private:
  Asker& askerOr(OwnAsker& inside) const {
    return m_options.isolate ? static_cast<Asker&>(separateAsker(m_bridge)) : inside;
  }

  static Refusal refusalOf(NodeId id, Answer answer) {
    return {.node = id,
            .cause = answer.cause,
            .reason = std::move(answer.reason),
            .rule = std::move(answer.rule),
            .seen = std::move(answer.seen),
            .remedy = std::move(answer.remedy)};
  }

  // OpenVINO's own cache would be told that weights are zeros.
  std::string problemOfTrial(const FusedSubGraph& group, const Progress& progress) const {
    OpenvinoOptions tried = m_options;
    tried.cacheFolder.clear();
    const MachineKey& machine = thisMachine();
    const ContextSupport support = contextSupport();
    return trialProblem(separateAsker(m_bridge), triedGroups(),
                        {.graph = group.graph,
                         .opsets = group.model.opsets,
                         .settings = compileSettings(tried, currentThreads()),
                         .machine = fmt::format("{}\n{}\n{} {}", m_bridge.version(), support.hardware,
                                                machine.processor, machine.features)},
                        progress);
  }

  Result<CompiledNode> compileGroup(const FusedSubGraph& group, const Progress& progress) {
    CUTAWAY_TRY(const std::string bytes, writeGroupModel(group.graph, group.model.opsets));
    const CompileSettings settings = compileSettings(m_options, currentThreads());
    std::string problem = m_options.isolate ? problemOfTrial(group, progress) : std::string();
    if (progress.cancelled()) return fail(cancelledError());
    if (!problem.empty()) return fail(Error{ErrorCode::kEpFail, std::move(problem), {}});
    std::shared_ptr<Compiled> compiled = m_bridge.compile(bytes, settings, problem);
    if (compiled == nullptr)
      return fail(ErrorCode::kEpFail, "OpenVINO does not compile the group: {}", shortened(problem));
    CUTAWAY_TRY(std::shared_ptr<const Kernel> kernel,
                makeGroupKernel(std::move(compiled), portsOf(group.graph), weightsOf(group.graph), m_options.device));
    return CompiledNode{.kernel = std::move(kernel), .inplace = {}};
  }

  std::string m_name = kName;
  Bridge& m_bridge;
  OpenvinoOptions m_options;
  mutable std::optional<ContextSupport> m_support;  // asked for once
};

ProviderStatus probe() {
  const Library& library = openvinoLibrary();
  if (library.bridge == nullptr) return {.usable = false, .version = {}, .reason = library.reason};
  return {.usable = true, .version = library.bridge->version(), .reason = {}};
}

Result<std::unique_ptr<ExecutionProvider>> create(const ProviderRequest& request) {
  const Library& library = openvinoLibrary();
  if (library.bridge == nullptr)
    return fail(ErrorCode::kEpFail, "provider openvino cannot be used here: {}", library.reason);
  std::string problem;
  const std::vector<std::string> devices = library.bridge->devices(problem);
  if (!problem.empty()) return fail(ErrorCode::kEpFail, "OpenVINO cannot list its devices: {}", shortened(problem));
  CUTAWAY_TRY(OpenvinoOptions options, readOptions(request.options, devices));
  if (options.isolate) separateAsker(*library.bridge).prepare();
  return std::make_unique<OpenvinoProvider>(*library.bridge, std::move(options));
}

// onnxruntime's OpenVINO provider, its options as its documentation lists them.
OnnxruntimeProvider onnxruntimeCounterpart() {
  return {.name = "OpenVINOExecutionProvider",
          .device = "cpu",
          .options = {{.option = "device", .key = "device_type"},
                      {.option = "threads", .key = "num_of_threads"},
                      {.option = "streams", .key = "num_streams"},
                      {.option = "cache", .key = "cache_dir"},
                      {.option = "precision", .key = "precision", .word = "FP32"},
                      {.option = "precision", .value = "f16", .key = "precision", .word = "FP16"},
                      {.option = "precision",
                       .value = "bf16",
                       .word = "OpenVINOExecutionProvider.load_config names a file with INFERENCE_PRECISION_HINT"}}};
}

}  // namespace

ProviderEntry openvinoProvider() {
  return {.name = kName,
          .displayName = "OpenVINO",
          .description = "compiles groups of nodes with OpenVINO for its devices",
          .probe = probe,
          .create = create,
          .precisionOption = "precision",
          .onnxruntime = {onnxruntimeCounterpart()},
          .contextSources = {
              {.name = kName, .title = "OpenVINO", .blob = "OpenVINO blob", .model = "OpenVINO model (XML)"}}};
}

}  // namespace cutaway
