// The resolve stage: checks, scopes, the inputs-and-outputs rule, order, operators, types and shapes, roles.

#include "engine/stages/resolve/resolve.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/base/clock.h"
#include "engine/base/log.h"
#include "engine/base/name_hint.h"
#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/schema/function_body.h"
#include "engine/schema/schema.h"
#include "engine/stages/resolve/model_checks.h"
#include "engine/stages/resolve/nested_graphs.h"
#include "engine/stages/resolve/value_rules.h"

namespace cutaway::resolve {

namespace {

void removeEmptyNodes(Graph& graph, ResolveReport& report) {
  const auto absent = [](std::span<const ValueId> ids) {
    return std::ranges::none_of(ids, [](ValueId id) { return id.valid(); });
  };
  bool removed = false;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    if (!absent(node.inputs) || !absent(node.outputs)) continue;
    report.warnings.push_back(
        {node.name, "", fmt::format("the {} node has neither inputs nor outputs; it was taken out", node.opType)});
    graph.removeNode(id);
    removed = true;
  }
  if (removed) graph.compact();
}

bool isBuilt(const Graph& graph) {
  return !graph.loadedFromFile;
}

// Values that captures made in graphs between and that nobody needs any more.
void dropStrayCaptures(Graph& graph) {
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (!value.producer.valid() && value.uses.empty() && value.outputCount == 0 && !value.isInput && !value.initializer)
      graph.removeValue(id);
  }
}

// Where graphs stand in reports.
using Places = std::unordered_map<const Graph*, int32_t>;

Places placesOf(const Model& model) {
  Places places;
  for (const Graph* graph : graphsInReportOrder(model))
    places.emplace(graph, static_cast<int32_t>(places.size()));
  return places;
}

Result<void> applyRule(Model& model, Graph& graph, const Places& places, const ResolveOptions& options,
                       ResolveReport& report) {
  Result<void> ruled = options.trace ? setGraphInputsOutputs(graph, model.irVersion, places.at(&graph), report.steps)
                                     : setGraphInputsOutputs(graph, model.irVersion);
  if (!ruled) return ruled;
  return checkNames(graph);
}

// A name that nobody defines: a plain input of the main graph, or a capture that found no graph.
Result<void> checkDefined(const Graph& root, bool isMain) {
  for (size_t i = 0; i < root.nodeSlots(); ++i) {
    const Node& node = root.node(NodeId{i});
    if (node.removed) continue;
    const auto undefined = [&](ValueId id) {
      const Value& value = root.value(id);
      return !value.producer.valid() && !value.isInput && !value.initializer;
    };
    for (const ValueId id : node.inputs) {
      if (!id.valid() || !undefined(id)) continue;
      const std::string& name = root.value(id).name;
      return fail(atNode(
          atValue({isMain ? ErrorCode::kInvalidArgument : ErrorCode::kInvalidGraph,
                   fmt::format("nothing gives the input '{}' of {}: no node, graph input or initializer has this name",
                               name, node.opType),
                   {}},
                  name),
          nodeName(root, NodeId{i})));
    }
    for (const ValueId id : node.implicitInputs) {
      if (!undefined(id)) continue;
      const std::string& name = root.value(id).name;
      return fail(
          atNode(atValue({ErrorCode::kInvalidGraph,
                          fmt::format("a body of {} reads '{}', which no graph around it has", node.opType, name),
                          {}},
                         name),
                 nodeName(root, NodeId{i})));
    }
  }
  return {};
}

Result<void> resolveStructure(Model& model, Graph& root, bool isMain, const Places& places,
                              const ResolveOptions& options, ResolveReport& report) {
  const std::vector<NestedGraph> graphs = nestedGraphs(root);
  connectScopes(root);
  bool anyBuilt = false;
  for (size_t i = 0; i < graphs.size(); ++i) {
    if (i > 0 && isBuilt(*graphs[i].graph)) keepKnownCaptures(graphs, i);
    anyBuilt = anyBuilt || isBuilt(*graphs[i].graph);
    if (auto ruled = applyRule(model, *graphs[i].graph, places, options, report); !ruled) return ruled;
  }
  if (anyBuilt) {
    connectScopes(root);
    for (const NestedGraph& each : graphs)
      dropStrayCaptures(*each.graph);
  }
  CUTAWAY_CHECK(checkDefined(root, isMain));
  for (const NestedGraph& each : graphs) {
    const auto sorted = topologicalOrder(*each.graph);
    if (!sorted) return fail(sorted.error());
  }
  return {};
}

// A size that binds nothing is a slip more often than not.
void tellUnknownDim(const std::string& name, const std::set<std::string>& symbols, ResolveReport& report) {
  const std::vector<std::string> known(symbols.begin(), symbols.end());
  std::string text = fmt::format("no dimension of the model is called '{}'; {}", name,
                                 nameHint("its open dimensions are", name, known));
  log::warn(log::Category::kStages, "{}", text);
  report.warnings.push_back({"", "", std::move(text)});
}

void bindShape(Shape& shape, const std::map<std::string, int64_t>& dims, std::set<std::string>& bound,
               std::set<std::string>& symbols) {
  for (Dim& dim : shape.mutableDims()) {
    if (!dim.isSymbol()) continue;
    symbols.insert(dim.symbol());
    const auto found = dims.find(dim.symbol());
    if (found == dims.end()) continue;
    bound.insert(found->first);
    dim = Dim(found->second);
  }
}

Result<void> bindDims(Model& model, const ResolveOptions& options, ResolveReport& report) {
  if (options.dims.empty()) return {};
  for (const auto& [name, size] : options.dims) {
    if (size < 0) return fail(ErrorCode::kInvalidArgument, "dimension '{}' cannot be {}", name, size);
  }
  std::set<std::string> bound, symbols;
  forEachGraph(model.graph, [&](Graph& graph) {
    for (size_t i = 0; i < graph.valueSlots(); ++i) {
      Value& value = graph.mutableValue(ValueId{i});
      if (!value.removed && value.type.shape) bindShape(*value.type.shape, options.dims, bound, symbols);
    }
  });
  for (const auto& [name, size] : options.dims) {
    if (bound.contains(name))
      report.boundDims.emplace_back(name, size);
    else
      tellUnknownDim(name, symbols, report);
  }
  return {};
}

void collectOpenSymbols(const Model& model, ResolveReport& report) {
  std::unordered_set<std::string_view> seen;
  for (const ValueId id : model.graph.inputs()) {
    const ValueType& type = model.graph.value(id).type;
    if (!type.shape) continue;
    for (const Dim& dim : type.shape->dims()) {
      if (dim.isSymbol() && seen.insert(dim.symbol()).second) report.openSymbols.push_back(dim.symbol());
    }
  }
}

// Nodes whose results nobody is given are taken out: a file without outputs computes nothing. As onnxruntime would find
// them for a graph built in memory, outputs are the values that no node reads.
void tellMissingOutputs(const Model& model, ResolveReport& report) {
  constexpr size_t kMostNamed = 4;
  const Graph& graph = model.graph;
  if (!graph.outputs().empty() || graph.nodeCount() == 0) return;
  std::vector<std::string> unread;
  for (const ValueId id : graph.valueIds()) {
    const Value& value = graph.value(id);
    if (value.producer.valid() && value.uses.empty()) unread.push_back(value.name);
  }
  std::string text = "the file lists no outputs, so none of its nodes is run";
  if (!unread.empty()) {
    const std::vector<std::string> named(unread.begin(), unread.begin() + std::min(unread.size(), kMostNamed));
    text += fmt::format(
        "; {} {} made and read by nobody ({}{}): make outputs of what you want, in the window under Edit or with "
        "'cutaway-cli edit MODEL -o OTHER --add-output {}'",
        unread.size(), unread.size() == 1 ? "value is" : "values are", fmt::join(named, ", "),
        unread.size() > kMostNamed ? " ..." : "", unread.front());
  }
  log::warn(log::Category::kStages, "{}", text);
  report.warnings.push_back({"", "", std::move(text)});
}

Result<void> resolveModel(Model& model, const ResolveOptions& options, Progress& progress, ResolveReport& report) {
  Stopwatch watch;
  const auto phase = [&](const char* name) {
    report.phases.push_back({name, watch.elapsedNs(), 0});
    watch.restart();
  };
  progress.begin("Resolve", "checks");
  CUTAWAY_CHECK(checkVersions(model, options, report));
  CUTAWAY_CHECK(checkFunctions(model));
  phase("checks");
  if (progress.cancelled()) return fail(cancelledError());

  progress.begin("Resolve", "inputs and outputs");
  forEachGraph(model.graph, [&](Graph& graph) { removeEmptyNodes(graph, report); });
  const Places places = placesOf(model);
  CUTAWAY_CHECK(resolveStructure(model, model.graph, true, places, options, report));
  for (Function& function : model.functions) {
    function.body.loadedFromFile = true;  // a function says what its inputs and outputs are
    if (auto resolved = resolveStructure(model, function.body, false, places, options, report); !resolved) {
      return fail(atNode(std::move(resolved).error(), fmt::format("function {}:{}", function.domain, function.name)));
    }
  }
  tellMissingOutputs(model, report);
  phase("inputs and outputs");
  if (progress.cancelled()) return fail(cancelledError());

  progress.begin("Resolve", "types and shapes");
  assignOpsetVersions(model.graph, model.opsets, {});
  for (Function& function : model.functions)
    assignOpsetVersions(function.body, function.opsets, model.opsets);
  CUTAWAY_CHECK(checkOperators(model, model.graph));
  CUTAWAY_CHECK(bindDims(model, options, report));
  std::vector<InferenceWarning> warnings;
  CUTAWAY_CHECK(inferGraph(
      model, model.graph, {.strict = options.strictShapes}, warnings, [&progress] { return progress.cancelled(); },
      &report.callNodes));
  for (InferenceWarning& each : warnings)
    report.warnings.push_back({std::move(each.node), std::move(each.value), std::move(each.message)});
  phase("types and shapes");
  collectOpenSymbols(model, report);
  describeValues(model, report);
  phase("roles");
  return {};
}

}  // namespace

Result<ResolveReport> resolve(Model& model, const ResolveOptions& options, Progress& progress) {
  ResolveReport report;
  Stopwatch watch;
  if (auto resolved = resolveModel(model, options, progress, report); !resolved)
    return fail(atFile(std::move(resolved).error(), model.path.string()));
  report.timeNs = watch.elapsedNs();
  return report;
}

}  // namespace cutaway::resolve
