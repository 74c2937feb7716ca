#include "engine/stages/partition/pins.h"

#include <algorithm>

namespace cutaway::partition {

namespace {

std::string_view kindWord(NodePin::Kind kind) {
  switch (kind) {
    case NodePin::Kind::kNode:
      return "node";
    case NodePin::Kind::kScope:
      return "scope";
    case NodePin::Kind::kOperator:
      return "op";
  }
  return "";
}

bool inScope(std::string_view name, std::string_view scope) {
  while (scope.size() > 1 && scope.ends_with('/'))
    scope.remove_suffix(1);
  if (!name.starts_with(scope)) return false;
  return name.size() == scope.size() || scope.ends_with('/') || name[scope.size()] == '/';
}

// Does `test` accept the origin's name, or its name with the path of the body it stood in?
template <typename Test>
bool originIs(const Origin& origin, Test&& test) {
  if (!origin.name.empty() && test(origin.name)) return true;
  return !origin.graphPath.empty() && test(origin.graphPath + "/" + origin.name);
}

// A node that stands for several loaded ones belongs to a scope when all of them do.
bool scopeFits(const NodePin& pin, const Model& model, const Node& node) {
  const auto test = [&](std::string_view name) { return inScope(name, pin.pattern); };
  if (!node.name.empty() && test(node.name)) return true;
  return !node.origins.empty() && std::ranges::all_of(node.origins, [&](OriginId id) {
    return id.index() < model.origins.size() && originIs(model.origins[id.index()], test);
  });
}

bool nameFits(const NodePin& pin, const Model& model, const Node& node) {
  const auto test = [&](std::string_view name) { return name == pin.pattern; };
  if (test(node.name)) return true;
  return std::ranges::any_of(node.origins, [&](OriginId id) {
    return id.index() < model.origins.size() && originIs(model.origins[id.index()], test);
  });
}

// Nodes of an inlined function answer to the operator that was called, too.
bool operatorFits(const NodePin& pin, const Model& model, const Node& node) {
  const size_t colon = pin.pattern.rfind(':');
  const std::string_view opType = std::string_view(pin.pattern).substr(colon == std::string::npos ? 0 : colon + 1);
  if (node.opType == opType) {
    if (colon == std::string::npos) return true;
    const std::string_view domain = std::string_view(pin.pattern).substr(0, colon);
    return node.domain == (domain == "ai.onnx" ? std::string_view() : domain);
  }
  if (node.rewrite != "function inlining" || node.origins.empty()) return false;
  return std::ranges::all_of(node.origins, [&](OriginId id) {
    return id.index() < model.origins.size() && model.origins[id.index()].opType == opType;
  });
}

}  // namespace

std::string pinText(const NodePin& pin) {
  return fmt::format("{}:{}={}", kindWord(pin.kind), pin.pattern, pin.provider);
}

Result<std::vector<int32_t>> addPinRules(std::span<const NodePin> pins, Reservations& kept) {
  std::vector<int32_t> rules;
  for (const NodePin& pin : pins) {
    if (pin.pattern.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "pin {} names no node; write node:NAME, scope:PREFIX or op:OPERATOR before the '='", pinText(pin));
    const int32_t provider = kept.indexOf(pin.provider);
    if (provider == kNone) {
      return fail(ErrorCode::kInvalidArgument, "pin {} names provider '{}', which this session has not; it has: {}",
                  pinText(pin), pin.provider, fmt::join(kept.providers(), ", "));
    }
    rules.push_back(kept.addRule({.provider = provider, .text = "pin " + pinText(pin)}));
  }
  return rules;
}

bool pinFits(const NodePin& pin, const Model& model, const Node& node) {
  switch (pin.kind) {
    case NodePin::Kind::kNode:
      return nameFits(pin, model, node);
    case NodePin::Kind::kScope:
      return scopeFits(pin, model, node);
    case NodePin::Kind::kOperator:
      return operatorFits(pin, model, node);
  }
  return false;
}

void bindPins(const Model& model, std::span<const NodePin> pins, std::span<const int32_t> rules, Reservations& kept) {
  if (pins.empty()) return;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const auto fitting =
          std::ranges::find_if(pins, [&](const NodePin& pin) { return pinFits(pin, model, graph.node(id)); });
      if (fitting != pins.end()) kept.keep(graph, id, rules[static_cast<size_t>(fitting - pins.begin())]);
    }
  });
}

}  // namespace cutaway::partition
