// A Gelu that is spelled out, x * (1 + Erf(x / sqrt(2))) / 2 in whatever order an exporter wrote it: compilers that
// have no Erf know a Gelu, as one operator or in the one spelling that they look for.
//
// The nodes are followed from the Erf on with what they have computed so far, f * x^p * (Erf(..) or 1 + Erf(..)), until
// that is half of x * (1 + Erf(..)). D. Hendrycks, K. Gimpel, "Gaussian Error Linear Units", 2016, section 2.

#include <array>
#include <cmath>
#include <numbers>

#include "engine/operators/traits/operator_traits.h"
#include "engine/schema/schema.h"
#include "engine/stages/optimize/constant_values.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

constexpr double kNear = 2e-3;  // of a constant: half precision, and the digits that exporters write
constexpr int64_t kGeluOpset = 20;

bool isNear(double a, double b) {
  return std::abs(a - b) <= kNear * std::abs(b);
}

// The spelled Gelu of x, from its Erf to the value that is the Gelu.
struct Spelled {
  NodeId erf;
  ValueId x, result;
};

class Reader {
 public:
  Reader(const Graph& graph, NodeId erf) : m_graph(graph), m_erf(erf) {}

  std::optional<Spelled> read() {
    const Node& erf = m_graph.node(m_erf);
    if (operators::elementFunctionOf(erf) != operators::ElementFunction::kErf) return std::nullopt;
    const auto argument = scaled(erf.inputs[0]);
    if (!argument || !isNear(argument->factor, std::numbers::sqrt2 / 2)) return std::nullopt;
    m_x = argument->value;
    m_at = erf.outputs[0];
    while (!(m_plusOne && m_timesX && isNear(m_factor, 0.5))) {
      if (!follow()) return std::nullopt;
    }
    // A constant of more dimensions than x has would raise the rank, which a Gelu does not.
    const std::optional<Shape>& from = m_graph.value(m_x).type.shape;
    const std::optional<Shape>& to = m_graph.value(m_at).type.shape;
    if (!from || !to || from->rank() != to->rank()) return std::nullopt;
    return Spelled{m_erf, m_x, m_at};
  }

 private:
  struct Scaled {
    ValueId value;
    double factor = 1;
  };

  std::optional<double> number(ValueId id) const {
    const Tensor* const tensor = constantOf(m_graph, id);
    return tensor == nullptr ? std::nullopt : optimize::singleNumber(*tensor);
  }

  // The value as another one times a number, through one Mul or Div.
  std::optional<Scaled> scaled(ValueId id) const {
    const NodeId maker = id.valid() ? m_graph.value(id).producer : NodeId();
    if (!maker.valid()) return std::nullopt;
    const Node& node = m_graph.node(maker);
    if (!node.domain.empty() || node.inputs.size() != 2) return std::nullopt;
    const std::optional<double> second = number(node.inputs[1]);
    if (node.opType == "Div" && second && *second != 0) return Scaled{node.inputs[0], 1 / *second};
    if (node.opType != "Mul") return std::nullopt;
    if (second) return Scaled{node.inputs[0], *second};
    if (const std::optional<double> first = number(node.inputs[0])) return Scaled{node.inputs[1], *first};
    return std::nullopt;
  }

  // c where the value is c * x.
  std::optional<double> timesX(ValueId id) const {
    if (id == m_x) return 1;
    const auto its = scaled(id);
    return its && its->value == m_x ? std::optional(its->factor) : std::nullopt;
  }

  // One node on: the only reader of what has been computed.
  bool follow() {
    const Value& value = m_graph.value(m_at);
    if (value.uses.size() != 1 || value.outputCount > 0) return false;
    const Node& node = m_graph.node(value.uses.front().node);
    if (!node.domain.empty() || node.inputs.size() != 2 || node.outputs.empty()) return false;
    const uint32_t slot = value.uses.front().slot;
    if (slot > 1) return false;
    const ValueId other = node.inputs[1 - slot];
    if (!(node.opType == "Add" ? plus(other) : node.opType == "Mul" ? times(other) : over(node, slot, other)))
      return false;
    m_at = node.outputs[0];
    return true;
  }

  // f * x^p * Erf + f * x^p
  bool plus(ValueId other) {
    if (m_plusOne) return false;
    const std::optional<double> added = m_timesX ? timesX(other) : number(other);
    m_plusOne = true;
    return added && isNear(*added, m_factor);
  }

  bool times(ValueId other) {
    if (const std::optional<double> factor = number(other)) {
      m_factor *= *factor;
      return true;
    }
    const std::optional<double> factor = timesX(other);
    if (!factor || m_timesX) return false;
    m_timesX = true;
    m_factor *= *factor;
    return true;
  }

  bool over(const Node& node, uint32_t slot, ValueId other) {
    const std::optional<double> divisor = number(other);
    if (node.opType != "Div" || slot != 0 || !divisor || *divisor == 0) return false;
    m_factor /= *divisor;
    return true;
  }

  const Graph& m_graph;
  NodeId m_erf;
  ValueId m_x, m_at;
  double m_factor = 1;
  bool m_plusOne = false, m_timesX = false;
};

Tensor numberOf(ElementType type, double number) {
  return optimize::tensorOf(type, {}, std::span(&number, 1));
}

// A way to write it: makes `into` of x, with the origins of `of`.
struct Way {
  std::string_view title;
  bool (*fits)(const CureContext& context, ElementType type);
  void (*write)(Workpiece& piece, const Node& of, ValueId x, ElementType type, ValueId into);
};

bool isNewEnough(const CureContext& context, ElementType /*type*/) {
  return importedVersion(context.typed.opsets, "") >= kGeluOpset;
}

bool always(const CureContext& /*context*/, ElementType /*type*/) {
  return true;
}

bool hasNumbers(const CureContext& /*context*/, ElementType type) {
  return numberOf(type, 1).valid();
}

void writeStandard(Workpiece& piece, const Node& of, ValueId x, ElementType /*type*/, ValueId into) {
  piece.add(of, "Gelu", {x}, {}, into);
}

void writeContributed(Workpiece& piece, const Node& of, ValueId x, ElementType /*type*/, ValueId into) {
  piece.add(of, "Gelu", {x}, {}, into);
  piece.graph().mutableNode(piece.graph().value(into).producer).domain = "com.microsoft";
}

void writeUsual(Workpiece& piece, const Node& of, ValueId x, ElementType type, ValueId into) {
  const auto constant = [&](const char* stem, double number) { return piece.constant(stem, numberOf(type, number)); };
  const ValueId divided = piece.add(of, "Div", {x, constant("gelu_root_of_two", std::numbers::sqrt2)});
  const ValueId erf = piece.add(of, "Erf", {divided});
  const ValueId raised = piece.add(of, "Add", {erf, constant("gelu_one", 1)});
  const ValueId product = piece.add(of, "Mul", {x, raised});
  piece.add(of, "Mul", {product, constant("gelu_half", 0.5)}, {}, into);
}

constexpr std::array kWays = {
    Way{"one Gelu", isNewEnough, writeStandard},
    Way{"one Gelu of com.microsoft", always, writeContributed},
    Way{"x * (Erf(x / Sqrt(2)) + 1) * 0.5, the usual spelling", hasNumbers, writeUsual},
};

Result<Model> write(const CureContext& context, const std::vector<Spelled>& spelled, const Way& way) {
  Workpiece piece(context);
  Graph& graph = piece.graph();
  for (const Spelled& each : spelled) {
    const Value& result = context.graph().value(each.result);
    const ValueId x = graph.findValue(context.graph().value(each.x).name);
    const ValueId into = graph.findValue(result.name);
    if (!x.valid() || !into.valid() || !graph.value(into).producer.valid()) continue;
    const NodeId last = graph.value(into).producer;
    const Node of = graph.node(last);
    graph.setNodeOutput(last, 0, piece.value(result.name + "_spelled", graph.value(into).type));
    way.write(piece, of, x, result.type.element, into);
  }
  return piece.finish();
}

std::vector<CureChange> propose(const CureContext& context) {
  std::vector<Spelled> spelled;
  for (const RefusedNode& each : context.refused) {
    if (const std::optional<Spelled> gelu = Reader(context.graph(), each.id).read()) spelled.push_back(*gelu);
  }
  std::vector<CureChange> changes;
  if (spelled.empty()) return changes;
  const ElementType type = context.graph().value(spelled.front().x).type.element;
  std::vector<NodeId> nodes;
  for (const Spelled& each : spelled)
    nodes.push_back(each.erf);
  for (const Way& way : kWays) {
    if (!way.fits(context, type)) continue;
    changes.push_back({.title = fmt::format("the Gelu of {} as {}", countedNodes(context.graph(), nodes), way.title),
                       .parts = static_cast<int64_t>(nodes.size()),
                       .apply = [&context, &way, spelled] { return write(context, spelled, way); }});
  }
  return changes;
}

constexpr CureVariant kVariant{.name = "spelled gelu",
                               .purpose = "writes a Gelu that is spelled out with Erf in a form that compilers know",
                               .propose = propose};

}  // namespace

const CureVariant& cure_spelled_gelu() {
  return kVariant;
}

}  // namespace cutaway::study
