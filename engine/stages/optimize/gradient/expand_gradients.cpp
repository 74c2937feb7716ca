#include "engine/stages/optimize/gradient/expand_gradients.h"

#include <algorithm>

#include "engine/base/input_budget.h"
#include "engine/graph/node_label.h"
#include "engine/graph/topology.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/gradient/gradient_rules.h"

namespace cutaway::optimize {

namespace {

constexpr std::string_view kDomain = "ai.onnx.preview.training";

bool isGradient(const Node& node) {
  return node.opType == "Gradient" && node.domain == kDomain;
}

bool isDifferentiable(const ValueType& type) {
  if (!type.isTensor()) return !type.known();
  switch (type.element) {
    case ElementType::kFloat:
    case ElementType::kDouble:
    case ElementType::kFloat16:
    case ElementType::kBfloat16:
      return true;
    default:
      return false;
  }
}

// What a Gradient node speaks of.
struct Question {
  std::vector<ValueId> independent;  // xs, then zs
  size_t differentiated = 0;         // how many of them are xs
  ValueId target;
};

Result<Question> questionOf(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  const auto xs = node.attributeOr<std::vector<std::string>>("xs", {}),
             zs = node.attributeOr<std::vector<std::string>>("zs", {});
  const std::string target = node.attributeOr<std::string>("y", "");
  const auto refuse = [&](std::string text) {
    return fail(atNode({ErrorCode::kInvalidGraph, std::move(text), {}}, nodeName(graph, id)));
  };
  if (xs.empty()) return refuse("Gradient: attribute xs names nothing");
  if (node.inputs.size() != xs.size() + zs.size())
    return refuse(
        fmt::format("Gradient: {} inputs for {} names in xs and {} in zs", node.inputs.size(), xs.size(), zs.size()));
  if (node.outputs.size() > xs.size())
    return refuse(fmt::format("Gradient: {} outputs for {} names in xs", node.outputs.size(), xs.size()));
  Question question{.differentiated = xs.size()};
  for (const auto* names : {&xs, &zs}) {
    for (const std::string& name : *names) {
      const ValueId found = graph.findValue(name);
      if (!found.valid()) return refuse(fmt::format("Gradient: the graph has no value '{}' (xs, zs)", name));
      question.independent.push_back(found);
    }
  }
  question.target = graph.findValue(target);
  if (!question.target.valid()) return refuse(fmt::format("Gradient: the graph has no value '{}' (y)", target));
  return question;
}

// The nodes that y is made by, not looking behind the independent values; in topological order.
Result<std::vector<NodeId>> nodesBehind(const Graph& graph, const Question& question) {
  std::vector<bool> stop(graph.valueSlots()), wanted(graph.nodeSlots());
  for (const ValueId id : question.independent)
    stop[id.index()] = true;
  std::vector<ValueId> open{question.target};
  while (!open.empty()) {
    const ValueId value = open.back();
    open.pop_back();
    if (stop[value.index()]) continue;
    stop[value.index()] = true;
    const NodeId producer = graph.value(value).producer;
    if (!producer.valid() || wanted[producer.index()]) continue;
    wanted[producer.index()] = true;
    for (const auto* list : {&graph.node(producer).inputs, &graph.node(producer).implicitInputs}) {
      for (const ValueId input : *list) {
        if (input.valid()) open.push_back(input);
      }
    }
  }
  CUTAWAY_TRY(std::vector<NodeId> order, topologicalOrder(graph));
  std::erase_if(order, [&](NodeId id) { return !wanted[id.index()]; });
  return order;
}

void tellAdded(const GradientBuilder& build, Expansion& report) {
  for (const NodeId id : build.added())
    report.added.push_back(fmt::format("{} '{}'", build.graph().node(id).opType, build.graph().node(id).name));
}

class GradientExpansion {
 public:
  GradientExpansion(const Model& model, Graph& graph, NodeId id)
      : m_model(model), m_graph(graph), m_id(id), m_call(graph.node(id)) {}

  // False: another Gradient must be expanded first.
  Result<bool> run(Expansion& report) {
    CUTAWAY_TRY(bool again, expandFunctions());
    while (again) {
      CUTAWAY_TRY(again, expandFunctions());
    }
    if (m_waits) return false;
    GradientBuilder build(m_model, m_graph, m_call);
    substitute(build);
    markActive();
    CUTAWAY_CHECK(walkBack(build));
    CUTAWAY_CHECK(writeResults(build));
    report.graph = &m_graph;
    report.node = fmt::format("Gradient '{}'", nodeName(m_call.name, m_call.opType, m_id.index()));
    report.note = fmt::format("the derivatives that {} asks for", report.node);
    report.origins = m_call.origins;
    tellAdded(build, report);
    return true;
  }

 private:
  // Finds the nodes on the way; a call without a rule but with a function body is replaced by the body. True when one
  // was.
  Result<bool> expandFunctions() {
    CUTAWAY_TRY(m_question, questionOf(m_graph, m_id));
    CUTAWAY_TRY(m_path, nodesBehind(m_graph, m_question));
    m_waits = std::ranges::any_of(m_path, [&](NodeId id) { return isGradient(m_graph.node(id)); });
    if (m_waits) return false;
    markActive();
    for (const NodeId id : m_path) {
      const Node& node = m_graph.node(id);
      if (findGradientRule(node) != nullptr || isPiecewiseConstant(node) || !reads(node, m_active)) continue;
      std::optional<Function> body;
      if (const Function* local = m_model.findFunction(node.domain, node.opType, node.overload)) {
        body = *local;
      } else {
        CUTAWAY_TRY(body, schemaFunction(m_graph, id, node.opsetVersion));
      }
      if (!body) continue;
      CUTAWAY_TRY(const std::vector<NodeId> added, inlineFunction(m_graph, id, *body));
      if (m_graph.nodeCount() > kInputBudget.gradientNodes)
        return fail(ErrorCode::kFail, "Gradient: functions expand to more than {} nodes", kInputBudget.gradientNodes);
      CUTAWAY_CHECK(settle(added));
      return true;
    }
    return false;
  }

  Result<void> settle(const std::vector<NodeId>& added) {
    for (const NodeId id : added) {
      Node& node = m_graph.mutableNode(id);
      if (node.opsetVersion == 0)
        node.opsetVersion = static_cast<int32_t>(importedVersion(m_model.opsets, node.domain));
      if (const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion))
        node.sinceVersion = schema->sinceVersion;
    }
    CUTAWAY_TRY(const std::vector<NodeId> order, topologicalOrder(m_graph));
    std::vector<bool> isNew(m_graph.nodeSlots());
    for (const NodeId id : added)
      isNew[id.index()] = true;
    PartialData partial;
    std::vector<InferenceWarning> warnings;
    for (const NodeId id : order) {
      if (isNew[id.index()]) CUTAWAY_CHECK(inferNode(m_model, m_graph, id, {}, partial, warnings));
    }
    return {};
  }

  // Other values fed than those named: the way from them to y is written again.
  void substitute(GradientBuilder& build) {
    std::map<size_t, ValueId> replaced;
    for (size_t i = 0; i < m_question.independent.size(); ++i) {
      const ValueId named = m_question.independent[i], fed = m_call.inputs[i];
      if (fed.valid() && fed != named) replaced[named.index()] = fed;
    }
    if (replaced.empty()) return;
    std::vector<NodeId> path;
    for (const NodeId id : m_path) {
      const Node node = m_graph.node(id);
      std::vector<ValueId> inputs = node.inputs;
      bool differs = false;
      for (ValueId& input : inputs) {
        const auto found = input.valid() ? replaced.find(input.index()) : replaced.end();
        if (found == replaced.end()) continue;
        input = found->second;
        differs = true;
      }
      if (!differs) {
        path.push_back(id);
        continue;
      }
      if (node.hasBodies())
        build.refuse(atNode({ErrorCode::kNotImplemented,
                             fmt::format("Gradient: {} would have to run again on other values", node.opType),
                             {}},
                            nodeName(m_graph, id)));
      const std::vector<ValueId> outputs = build.copyOf(node, inputs);
      if (!build.status()) return;
      path.push_back(build.added().back());
      for (size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i].valid()) replaced[node.outputs[i].index()] = outputs[i];
      }
    }
    const auto now = [&](ValueId id) {
      const auto found = replaced.find(id.index());
      return found == replaced.end() ? id : found->second;
    };
    for (ValueId& id : m_question.independent)
      id = now(id);
    m_question.target = now(m_question.target);
    m_path = std::move(path);
  }

  static bool reads(const Node& node, const std::vector<bool>& values) {
    const auto any = [&](const std::vector<ValueId>& ids) {
      return std::ranges::any_of(ids, [&](ValueId id) { return id.valid() && values[id.index()]; });
    };
    return any(node.inputs) || any(node.implicitInputs);
  }

  // Values that change with an x.
  void markActive() {
    m_active.assign(m_graph.valueSlots(), false);
    for (size_t i = 0; i < m_question.differentiated; ++i)
      m_active[m_question.independent[i].index()] = true;
    for (const NodeId id : m_path) {
      const Node& node = m_graph.node(id);
      if (isPiecewiseConstant(node) || !reads(node, m_active)) continue;
      for (const ValueId output : node.outputs) {
        if (output.valid() && isDifferentiable(m_graph.value(output).type)) m_active[output.index()] = true;
      }
    }
  }

  Result<void> walkBack(GradientBuilder& build) {
    if (!build.status()) return build.status();
    if (!m_active[m_question.target.index()]) return {};
    m_gradients[m_question.target.index()] = build.filled(1, m_question.target);
    for (size_t i = m_path.size(); i-- > 0;) {
      const Node node = m_graph.node(m_path[i]);
      const bool reached =
          std::ranges::any_of(node.outputs, [&](ValueId id) { return id.valid() && m_gradients.contains(id.index()); });
      if (!reached || !reads(node, m_active)) continue;
      const GradientRule* rule = findGradientRule(node);
      if (rule == nullptr) {
        const std::string name = node.domain.empty() ? node.opType.string() : node.domain + "." + node.opType;
        return fail(atNode(
            {ErrorCode::kNotImplemented,
             fmt::format("Gradient: there is no rule for the derivative of {} (version {})", name, node.sinceVersion),
             {}},
            nodeName(m_graph, m_path[i])));
      }
      Backward at(build, m_path[i], m_active, m_gradients);
      rule->back(at);
      CUTAWAY_CHECK(build.status());
    }
    return {};
  }

  Result<void> writeResults(GradientBuilder& build) {
    m_graph.removeNode(m_id);
    for (size_t i = 0; i < m_call.outputs.size(); ++i) {
      if (!m_call.outputs[i].valid()) continue;
      const ValueId x = m_question.independent[i];
      const auto found = m_gradients.find(x.index());
      build.copyInto(found != m_gradients.end() ? found->second : build.filled(0, x), m_call.outputs[i]);
    }
    return build.status();
  }

  const Model& m_model;
  Graph& m_graph;
  NodeId m_id;
  Node m_call;
  Question m_question;
  std::vector<NodeId> m_path;
  std::vector<bool> m_active;
  Backward::Gradients m_gradients;
  bool m_waits = false;
};

bool isConvGrad(const Node& node) {
  return node.opType == "ConvGrad" && node.domain == "com.microsoft" && node.inputs.size() == 3;
}

// dY, X, W -> dX, dW, dB
Result<void> expandConvGrad(const Model& model, Graph& graph, NodeId id, Expansion& report) {
  const Node call = graph.node(id);
  if (std::ranges::any_of(call.inputs, [](ValueId input) { return !input.valid(); }))
    return fail(ErrorCode::kInvalidArgument, "ConvGrad needs dY, X and W");
  const auto wanted = [&](size_t slot) { return slot < call.outputs.size() && call.outputs[slot].valid(); };
  Node forward{.name = call.name,
               .opType = "Conv",
               .attributes = call.attributes,
               .inputs = {call.inputs[1], call.inputs[2]},
               .outputs = {call.inputs[0]}};
  std::vector<bool> active(graph.valueSlots());
  for (size_t slot = 0; slot < 2; ++slot)
    active[call.inputs[slot + 1].index()] = wanted(slot);
  Backward::Gradients gradients{{call.inputs[0].index(), call.inputs[0]}};
  GradientBuilder build(model, graph, call);
  Backward at(build, std::move(forward), active, gradients);
  findGradientRule(at.node)->back(at);
  CUTAWAY_CHECK(build.status());
  graph.removeNode(id);
  for (size_t slot = 0; slot < 2; ++slot) {
    if (wanted(slot)) build.copyInto(gradients.at(call.inputs[slot + 1].index()), call.outputs[slot]);
  }
  if (wanted(2)) {
    std::vector<int64_t> axes{0};
    for (size_t axis = 2; axis < build.rank(call.inputs[0]).value_or(2); ++axis)
      axes.push_back(static_cast<int64_t>(axis));
    build.copyInto(build.sum(call.inputs[0], std::move(axes), false), call.outputs[2]);
  }
  report.graph = &graph;
  report.node = fmt::format("ConvGrad '{}'", nodeName(call.name, call.opType, id.index()));
  report.note = fmt::format("the derivatives that {} asks for", report.node);
  report.origins = call.origins;
  tellAdded(build, report);
  return build.status();
}

Result<void> expandConvGrads(const Model& model, Graph& graph, std::vector<Expansion>& done) {
  for (const NodeId id : graph.nodeIds()) {
    if (!isConvGrad(graph.node(id))) continue;
    const std::string label = nodeName(graph, id);
    Expansion report;
    if (auto expanded = expandConvGrad(model, graph, id, report); !expanded)
      return fail(atNode(std::move(expanded).error(), label));
    done.push_back(std::move(report));
  }
  return {};
}

std::vector<NodeId> gradientsIn(const Graph& graph) {
  std::vector<NodeId> found;
  for (const NodeId id : graph.nodeIds()) {
    if (isGradient(graph.node(id))) found.push_back(id);
  }
  return found;
}

Result<void> expandInGraph(const Model& model, Graph& graph, const Progress& progress, std::vector<Expansion>& done) {
  std::vector<NodeId> waiting = gradientsIn(graph);
  while (!waiting.empty()) {
    std::vector<NodeId> later;
    for (const NodeId id : waiting) {
      if (progress.cancelled()) return fail(cancelledError());
      const std::string label = nodeName(graph, id);
      Expansion report;
      auto expanded = GradientExpansion(model, graph, id).run(report);
      if (!expanded) return fail(atNode(std::move(expanded).error(), label));
      if (*expanded)
        done.push_back(std::move(report));
      else
        later.push_back(id);
    }
    if (later.size() == waiting.size())
      return fail(ErrorCode::kInvalidGraph, "Gradient nodes depend on each other in a circle");
    waiting = std::move(later);
  }
  return {};
}

}  // namespace

Result<std::vector<Expansion>> expandGradients(Model& model, const Progress& progress) {
  std::vector<Expansion> done;
  std::vector<Graph*> graphs;
  forEachGraph(model.graph, [&](Graph& graph) { graphs.push_back(&graph); });
  for (Graph* graph : graphs) {
    CUTAWAY_CHECK(expandInGraph(model, *graph, progress, done));
    CUTAWAY_CHECK(expandConvGrads(model, *graph, done));
  }
  return done;
}

}  // namespace cutaway::optimize
