#pragma once
// What the tests of restored contexts share: text models whose groups a test provider compiled and kept, as models with
// EPContext nodes and binaries; a context to run one kernel in.
//
// Thread rule: one test. Example: Exported exported = exportedModel(text, {plan});  embedAll(exported);  Partitioned
// got = partitioned(exported.model, withCpu({plan}), options);

#include <deque>
#include <fstream>

#include <QtCore/QTemporaryDir>

#include "engine/context_binary/binary_writer.h"
#include "engine/context_binary/inside_nodes.h"
#include "engine/provider/kernel_contexts.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

namespace cutaway::bench {

// A provider with contexts that compiles these groups; versions as in its contexts.
inline TestProviderPlan keeping(std::string name, std::vector<std::vector<std::string>> groups) {
  TestProviderPlan plan;
  plan.name = std::move(name);
  plan.groups = std::move(groups);
  plan.innerKernels = kernelsOfCpu();
  plan.contexts.kind = ContextKind::kCompiled;
  plan.contexts.sdkVersion = "sdk 1.0";
  plan.contexts.hardware = "chip A";
  plan.counts = std::make_shared<TestProviderCounts>();
  return plan;
}

struct Exported {
  Model model;                                               // EPContext nodes in place of groups, without binaries
  std::vector<context_binary::ContextPartition> partitions;  // in order of graphs and nodes
};

inline std::string bytesOf(const std::vector<context_binary::ContextPartition>& partitions) {
  std::string bytes;
  context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
  for (const context_binary::ContextPartition& each : partitions) {
    if (const Result<void> added = writer.add(each, Progress()); !added) qFatal("%s", describe(added.error()).c_str());
  }
  if (const auto figures = writer.finish(); !figures) qFatal("%s", describe(figures.error()).c_str());
  return bytes;
}

inline context_binary::ContextPartition partitionOf(const FusedSubGraph& group, ExecutionProvider& provider,
                                                    const CompiledNode& compiled) {
  Progress progress;
  Result<context_binary::ContextPartition> made = provider.exportContext({group, *compiled.kernel}, progress);
  if (!made) qFatal("%s", describe(made.error()).c_str());
  context_binary::ContextPartition partition = *std::move(made);
  partition.name = group.fusedName;
  partition.source = provider.name();
  partition.sdkVersion = provider.contextSupport().sdkVersion;
  partition.hardware = provider.contextSupport().hardware;
  for (const ValueId id : group.graph.inputs())
    partition.inputs.push_back({group.graph.value(id).name, group.graph.value(id).type});
  for (const ValueId id : group.graph.outputs())
    partition.outputs.push_back({group.graph.value(id).name, group.graph.value(id).type});
  return partition;
}

inline Exported exportedModel(const char* text, const std::vector<TestProviderPlan>& plans,
                              const std::string& prefix = {}) {
  Model model = resolved(text);
  const Providers providers = withCpu(plans);
  const Result<partition::Partition> partition =
      partitioned(model, providers, {.captureGroups = true, .contextPrefix = prefix});
  if (!partition) qFatal("%s", describe(partition.error()).c_str());
  Exported exported{*partition->captured->fused, {}};
  forEachGraph(exported.model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      Node& node = graph.mutableNode(id);
      const auto group = partition->captured->groups.find(node.name);
      if (group != partition->captured->groups.end()) {
        const auto provider =
            std::ranges::find_if(providers, [&](const auto& each) { return each->name() == node.provider; });
        exported.partitions.push_back(partitionOf(*group->second, **provider, partition->compiled.at(node.name)));
        context_binary::writeContextNode({.isMain = false,
                                          .isEmbedded = false,
                                          .cache = {},
                                          .sdkVersion = {},
                                          .modelFile = {},
                                          .hardware = {},
                                          .partitionName = node.name,
                                          .source = node.provider,
                                          .notes = {}},
                                         node);
      }
      node.provider.clear();
    }
  });
  return exported;
}

template <typename Visit>
void forEachContext(Model& model, Visit&& visit) {
  forEachGraph(model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      if (context_binary::isContextNode(graph.node(id))) visit(graph.mutableNode(id));
    }
  });
}

// Every node carries its own partition.
inline void embedAll(Exported& exported) {
  size_t next = 0;
  forEachContext(exported.model, [&](Node& node) {
    node.setAttribute("main_context", int64_t{1});
    node.setAttribute("embed_mode", int64_t{1});
    node.setAttribute("ep_cache_context", bytesOf({exported.partitions[next++]}));
  });
}

inline void writeFile(const QTemporaryDir& folder, const std::string& name, const std::string& bytes) {
  std::ofstream file(folder.filePath(QString::fromStdString(name)).toStdString(), std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) qFatal("cannot write %s", name.c_str());
}

// One file for all; the node with this number is the main one.
inline void writeBeside(Exported& exported, const QTemporaryDir& folder, size_t main = 0,
                        const std::string& name = "contexts.bin") {
  writeFile(folder, name, bytesOf(exported.partitions));
  size_t next = 0;
  forEachContext(exported.model, [&](Node& node) {
    if (next++ != main) return;
    node.setAttribute("main_context", int64_t{1});
    node.setAttribute("embed_mode", int64_t{0});
    node.setAttribute("ep_cache_context", name);
  });
}

inline std::filesystem::path pathOf(const QTemporaryDir& folder) {
  return folder.path().toStdString();
}

inline const ContextCheck* checkOf(const ContextNodeReport& report, const std::string& name) {
  const auto found = std::ranges::find(report.checks, name, &ContextCheck::name);
  return found == report.checks.end() ? nullptr : &*found;
}

// One kernel called outside of a session: float inputs and outputs by slot.
class LoneCallOfFloats {
 public:
  explicit LoneCallOfFloats(size_t outputs)
      : m_call({.outputs = std::vector(outputs, LoneOutput{.type = ElementType::kFloat})}) {}
  void add(std::vector<float> values) {
    const auto size = static_cast<int64_t>(values.size());
    add(std::move(values), {size});
  }
  void add(std::vector<float> values, std::vector<int64_t> dims) {
    Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
    std::ranges::copy(values, tensor.span<float>().begin());
    m_inputs.emplace_back(std::move(tensor));
    m_call.inputs.push_back(&m_inputs.back());
  }
  std::vector<float> output(size_t slot) const {
    const std::span<const float> values = m_outputs[slot].tensor().span<float>();
    return {values.begin(), values.end()};
  }
  Result<void> run(const Kernel& kernel) {
    const std::unique_ptr<KernelState> state = kernel.createState();
    LoneContext context(m_call, state.get());
    CUTAWAY_CHECK(kernel.run(context));
    m_outputs = context.takeOutputs();
    return {};
  }

 private:
  std::deque<RuntimeValue> m_inputs;
  std::vector<RuntimeValue> m_outputs;
  LoneCall m_call;
};

// vb = x * {1, 2} - z in a group, y = |vb| on the cpu.
inline constexpr const char* kOneGroup = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] x, float[2] z) => (float[2] y) <float[2] w = {1, 2}> { [a] va = Mul (x, w) [b] vb = Sub (va, z) [c] y = Abs (vb) })";

// A model with a context, and the session that loads it.
struct Setting {
  Exported exported;
  std::vector<TestProviderPlan> plans;  // of the session that loads
  partition::PartitionOptions options;
};

inline Node& firstContext(Model& model) {
  Node* first = nullptr;
  forEachContext(model, [&](Node& node) { first = first == nullptr ? &node : first; });
  return *first;
}

inline Setting oneBeside(const QTemporaryDir& folder) {
  Setting setting{exportedModel(kOneGroup, {keeping("npu", {{"a", "b"}})}), {keeping("npu", {{"a", "b"}})}, {}};
  writeBeside(setting.exported, folder);
  setting.options.contextPlace.folder = pathOf(folder);
  return setting;
}

}  // namespace cutaway::bench
