#pragma once
// Text graphs through the passes, for tests.
//
// Thread rule: pure. Example: QCOMPARE(optimizedText("g (float[2] x) => (y) { a = Identity (x) y = Relu (a) }",
// {"NoopElimination"}), normalText("..."));

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/stages/optimize/graph_pass.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"

namespace cutaway {

inline const KernelRegistry& kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return *provider->kernels();
}

inline Model resolvedModel(const QByteArray& text) {
  auto model = parseModelText(text.toStdString());
  if (!model) qFatal("%s", describe(model.error()).c_str());
  Progress progress;
  if (const auto report = resolve::resolve(*model, {}, progress); !report)
    qFatal("%s", describe(report.error()).c_str());
  return *std::move(model);
}

// Everything but these passes is switched off.
inline optimize::OptimizeOptions onlyPasses(const std::set<std::string>& names) {
  optimize::OptimizeOptions options;
  options.kernels = &kernelsOfCpu();
  for (const optimize::GraphPass* pass : optimize::passPipeline()) {
    if (!names.contains(std::string(pass->name))) options.disabled.insert(std::string(pass->name));
  }
  return options;
}

inline QByteArray printed(const Model& model) {
  TextOptions options;
  options.maxInlineElements = 64;
  return QByteArray::fromStdString(printGraph(model.graph, options));
}

inline QByteArray optimizedText(const QByteArray& text, const std::set<std::string>& passes) {
  Model model = resolvedModel(text);
  Progress progress;
  const auto report = optimize::optimize(model, onlyPasses(passes), progress);
  if (!report) qFatal("%s", describe(report.error()).c_str());
  if (!report->warnings.empty()) qFatal("%s", report->warnings.front().c_str());
  return printed(model);
}

// Operators in stored order, for comparisons that do not care about names.
inline QByteArray operatorsOf(const Model& model) {
  QByteArray text;
  for (const NodeId id : model.graph.nodeIds())
    text += QByteArray::fromStdString(model.graph.node(id).opType) + " ";
  return text.trimmed();
}

}  // namespace cutaway
