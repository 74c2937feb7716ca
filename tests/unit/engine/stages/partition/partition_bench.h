#pragma once
// What the tests of the partition stage's rules share: resolved text models, lists of test providers, placements as one
// line of text.
//
// Thread rule: one test. Example: Model model = resolved(text);  const Result<Partition> made = partitioned(model,
// withCpu({plan}), {});  QCOMPARE(placements(*made), QString("a:npu b:cpu"));

#include <QtCore/QString>
#include <QtCore/QStringList>

#include "engine/graph/text.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/provider/test_provider.h"

namespace cutaway::bench {

using Providers = std::vector<std::unique_ptr<ExecutionProvider>>;

inline const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return provider->kernels();
}

// A provider that takes every node of these operators, each as a group that runs on the cpu kernels.
inline TestProviderPlan taking(std::string name, std::set<std::string> operators, bool ownDevice = false) {
  return {.name = std::move(name),
          .ownDevice = ownDevice,
          .groups = {},
          .singles = {},
          .groupOperators = std::move(operators),
          .failing = {},
          .innerKernels = kernelsOfCpu()};
}

inline Providers withCpu(std::vector<TestProviderPlan> plans) {
  Providers providers;
  for (TestProviderPlan& plan : plans)
    providers.push_back(makeTestProvider(std::move(plan)));
  providers.push_back(*cpuProvider().create({}));
  return providers;
}

inline Model resolved(const char* text) {
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  const Result<ResolveReport> report = resolve::resolve(*model, {}, progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

inline Result<partition::Partition> partitioned(Model& model, const Providers& providers,
                                                partition::PartitionOptions options = {}) {
  Progress progress;
  options.optimizationLevel = 0;
  return partition::partitionModel(model, providers, options, progress);
}

inline const NodeReport& reportOf(const partition::Partition& partition, const NodePlacement& node) {
  return partition.askedGraphs.graphs[static_cast<size_t>(node.graph)].nodes[static_cast<size_t>(node.node)];
}

// "a:npu b:npu c:cpu" in node order of the asked graphs.
inline QString placements(const partition::Partition& partition) {
  QStringList parts;
  for (const NodePlacement& node : partition.report.nodes)
    parts << QString::fromStdString(reportOf(partition, node).name + ":" + node.provider);
  return parts.join(' ');
}

inline const ProviderAnswer& answerOf(const partition::Partition& partition, const std::string& nodeName,
                                      const std::string& provider) {
  for (const NodePlacement& node : partition.report.nodes) {
    if (reportOf(partition, node).name != nodeName) continue;
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider == provider) return answer;
    }
  }
  qFatal("node %s has no answer of %s", nodeName.c_str(), provider.c_str());
}

inline QString joined(const std::vector<std::string>& texts) {
  QStringList parts;
  for (const std::string& text : texts)
    parts << QString::fromStdString(text);
  return parts.join('\n');
}

}  // namespace cutaway::bench

// A result that must be there; its error is the message otherwise.
#define CUTAWAY_VERIFY(result)                                          \
  QVERIFY2(result, (result) ? "" : describe((result).error()).c_str()); \
  QTEST_ASSERT(result)
