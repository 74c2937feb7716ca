// A Gelu that is spelled out, x * (1 + Erf(x / sqrt(2))) / 2 in whatever order an exporter wrote it: compilers that
// have no Erf know a Gelu, as one operator or in the one spelling that they look for.

#include "engine/operators/spelled_gelu.h"

#include <array>
#include <numbers>

#include "engine/schema/schema.h"
#include "engine/stages/optimize/constant_values.h"
#include "engine/study/cure/workpiece.h"

namespace cutaway::study {
namespace {

// Any node of the model. Constants as near as in half precision, and with the digits that exporters write.
constexpr operators::FormulaRules kRules{.takes = [](const Node& /*node*/) { return true; }, .tolerance = 2e-3};
constexpr int64_t kGeluOpset = 20;

// The spelled Gelu of x, from its Erf to the value that is the Gelu.
struct Spelled {
  NodeId erf;
  ValueId x, result;
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
  const operators::Formulas formulas(context.graph(), kRules);
  for (const RefusedNode& each : context.refused) {
    const auto gelu = operators::spelledGelu(formulas, each.id);
    if (gelu && !gelu->isApproximate) spelled.push_back({each.id, gelu->x, gelu->result});
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
