#include "tests/unit/engine/context/context_case.h"

#include <algorithm>
#include <map>
#include <regex>

#include "engine/base/contained_file.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"
#include "engine/provider/group_builder.h"
#include "engine/stages/load/load.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return provider->kernels();
}

TestProviderPlan basicPlan(std::string name) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.innerKernels = kernelsOfCpu();
  plan.contexts.kind = ContextKind::kCompiled;
  plan.contexts.sdkVersion = "3.1";
  plan.contexts.hardware = "desk";
  return plan;
}

std::string withoutHashes(const std::string& text) {
  return std::regex_replace(text, std::regex("_[0-9a-f]{16}\\.bin"), "_#.bin");
}

}  // namespace

TestProviderPlan keeping(std::string name, std::set<std::string> operators) {
  TestProviderPlan plan = basicPlan(std::move(name));
  plan.answer = [operators = std::move(operators)](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
    GroupingOptions options;
    options.supported.assign(request.graph.nodeSlots(), 0);
    for (const NodeId id : request.free)
      options.supported[id.index()] = operators.contains(request.graph.node(id).opType);
    Groups groups = buildGroups(request, options);
    for (ComputeCapability& claim : groups.claims)
      claim.subGraph.metaDef->name = "g";  // short and the same in every model
    return CapabilityAnswer{std::move(groups.claims), std::move(groups.refusals)};
  };
  return plan;
}

TestProviderPlan keepingEach(std::string name, std::set<std::string> operators) {
  TestProviderPlan plan = basicPlan(std::move(name));
  plan.groupOperators = std::move(operators);
  return plan;
}

ContextCase::ContextCase(const std::string& text, std::vector<TestProviderPlan> plans, const std::string& prefix) {
  const std::string header =
      text.find("<ir_version") == std::string::npos ? "<ir_version: 8, opset_import: [\"\" : 17]>\n" : "";
  Result<Model> parsed = parseModelText(header + text);
  if (!parsed) {
    m_problem = describe(parsed.error());
    return;
  }
  m_model = *std::move(parsed);
  Progress progress;
  if (const auto resolved = resolve::resolve(m_model, {}, progress); !resolved) m_problem = describe(resolved.error());
  for (TestProviderPlan& plan : plans)
    m_providers.push_back(makeTestProvider(std::move(plan)));
  m_providers.push_back(*cpuProvider().create({}));
  if (!m_problem.empty()) return;
  partition::PartitionOptions options;
  options.optimizationLevel = 0;
  options.captureGroups = true;
  options.contextPrefix = prefix;
  Result<partition::Partition> partitioned = partition::partitionModel(m_model, m_providers, options, progress);
  if (!partitioned)
    m_problem = describe(partitioned.error());
  else
    m_partition = *std::move(partitioned);
}

Result<ContextWritten> ContextCase::write(const context::ContextOptions& options, Progress& progress) const {
  if (!m_problem.empty()) return fail(ErrorCode::kFail, "{}", m_problem);
  return context::writeContextModel({*m_partition.captured, m_partition.compiled, m_providers, source}, options,
                                    progress);
}

Result<ContextWritten> ContextCase::write(const context::ContextOptions& options) const {
  Progress progress;
  return write(options, progress);
}

context::ContextOptions exportTo(const fs::path& target) {
  context::ContextOptions options;
  options.enable = true;
  options.file = target;
  return options;
}

Result<Model> loadedModel(const fs::path& file) {
  Progress progress;
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(file), {}, progress));
  return std::move(loaded.model);
}

std::string modelText(const Model& model) {
  Model shown = model;
  forEachGraph(shown.graph, [](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      Node& node = graph.mutableNode(id);
      for (Attribute& attribute : node.attributes) {
        if (attribute.name == "max_size") attribute.value = std::string("N");
        if (attribute.name == "ep_cache_context" && node.attributeOr<int64_t>("embed_mode", 1) == 1)
          attribute.value = std::string("BYTES");
      }
    }
  });
  return withoutHashes(printModel(shown));
}

std::vector<std::string> filesIn(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& each : fs::directory_iterator(folder))
    names.push_back(withoutHashes(each.path().filename().string()));
  std::ranges::sort(names);
  return names;
}

namespace {

// The binary of each provider's main node, opened by hand: what is checked here is what was written, not how contexts
// are found.
struct Binaries {
  fs::path folder;
  std::map<std::string, std::shared_ptr<const context_binary::ContextBinary>> ofSource;

  Result<std::shared_ptr<const context_binary::ContextBinary>> openOf(const Node& node) const {
    const std::string source = node.attributeOr<std::string>("source", "");
    if (node.attributeOr<int64_t>("main_context", 1) == 0) {
      const auto found = ofSource.find(source);
      if (found == ofSource.end())
        return fail(ErrorCode::kInvalidGraph, "dependent node {} comes before any main node of {}", node.name, source);
      return found->second;
    }
    const std::string cache = node.attributeOr<std::string>("ep_cache_context", "");
    if (node.attributeOr<int64_t>("embed_mode", 1) == 1) {
      const auto bytes = std::make_shared<const std::string>(cache);
      return context_binary::ContextBinary::open(std::as_bytes(std::span(*bytes)), bytes, node.name);
    }
    CUTAWAY_TRY(const std::shared_ptr<const MappedFile> file, openContained(folder, cache));
    return context_binary::ContextBinary::open(file->bytes(), file, cache);
  }
};

Result<void> checkNode(const Node& node, Binaries& binaries) {
  CUTAWAY_CHECK(context_binary::readContextNode(node));
  CUTAWAY_TRY(const std::shared_ptr<const context_binary::ContextBinary> binary, binaries.openOf(node));
  const std::string source = node.attributeOr<std::string>("source", "");
  if (node.attributeOr<int64_t>("main_context", 1) == 1) binaries.ofSource[source] = binary;
  const context_binary::ContextPartition* partition =
      binary->find(source, node.attributeOr<std::string>("partition_name", ""));
  if (partition == nullptr) return fail(ErrorCode::kNotFound, "{} has no partition of {}", binary->name(), node.name);
  return binary->verify(*partition, Progress());
}

}  // namespace

std::string unloadable(const fs::path& file) {
  const Result<Model> model = loadedModel(file);
  if (!model) return describe(model.error());
  Binaries binaries{file.parent_path().empty() ? fs::path(".") : file.parent_path(), {}};
  Result<void> done;
  size_t found = 0;
  forEachGraph(model->graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (!done || !context_binary::isContextNode(graph.node(id))) continue;
      done = checkNode(graph.node(id), binaries);
      ++found;
    }
  });
  if (!done) return describe(done.error());
  return found == 0 ? "there is no EPContext node" : "";
}

}  // namespace cutaway
