#pragma once
// Two engines' accounts of small models, for tests of what is made of them.
//
// Thread rule: pure. Example: OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});

#include <algorithm>
#include <memory>
#include <vector>

#include <QStringList>

#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway::study {

// A chain x -> nodes -> y of one tensor of four floats; a node is "name Operator output" and may name a domain first.
inline std::shared_ptr<const ModelGraphs> chain(const QStringList& nodes) {
  auto graphs = std::make_shared<ModelGraphs>();
  GraphReport graph;
  const auto add = [&](const QString& name) {
    graph.values.push_back({.name = name.toStdString(), .type = "float[4]"});
    return static_cast<int32_t>(graph.values.size()) - 1;
  };
  int32_t before = add("x");
  graph.values[0].role = ValueRole::kInput;
  graph.inputs = {before};
  for (const QString& text : nodes) {
    const QStringList words = text.split(' ');
    const auto index = static_cast<int32_t>(graph.nodes.size());
    const int32_t after = add(words[2]);
    graph.values[static_cast<size_t>(before)].consumers.push_back(index);
    graph.values[static_cast<size_t>(after)].producer = index;
    NodeReport node{.name = words[0].toStdString(), .opType = words[1].toStdString()};
    if (words.size() > 3) node.domain = words[3].toStdString();
    node.provider = "cpu";
    node.inputs = {before};
    node.outputs = {after};
    graph.nodes.push_back(node);
    before = after;
  }
  graph.values[static_cast<size_t>(before)].isOutput = true;
  graph.outputs = {before};
  graphs->graphs.push_back(std::move(graph));
  return graphs;
}

inline OurEngine oursOf(const QStringList& loaded, const QStringList& optimized) {
  auto walk = std::make_shared<WalkReport>();
  walk->loadedGraphs = chain(loaded);
  walk->optimizedGraphs = walk->partitionedGraphs = chain(optimized);
  walk->optimize = std::make_shared<OptimizeReport>();
  walk->partition = std::make_shared<PartitionReport>();
  return {.walk = walk, .otherNames = {{"cpu", {"CPUExecutionProvider"}}}};
}

inline OtherEngine theirsOf(const QStringList& optimized) {
  OtherEngine theirs{.name = "onnxruntime", .version = "1.31.1"};
  theirs.optimized = chain(optimized);
  theirs.providers = {"CPUExecutionProvider"};
  return theirs;
}

// "Relu: removed", a line a difference.
inline QStringList told(const StageOpinion& stage) {
  QStringList lines;
  for (const OpinionDifference& one : stage.differences)
    lines << QString::fromStdString(one.what + ": " + (one.rule.empty() ? "unexplained" : one.rule));
  lines.sort();
  return lines;
}

inline execute::Feed floats(const char* name, const std::vector<float>& values) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, {static_cast<int64_t>(values.size())});
  std::ranges::copy(values, tensor.span<float>().begin());
  return {name, std::move(tensor)};
}

}  // namespace cutaway::study
