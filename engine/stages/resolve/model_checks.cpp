#include "engine/stages/resolve/model_checks.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "engine/graph/node_label.h"
#include "engine/schema/schema.h"

namespace cutaway::resolve {

namespace {

constexpr int64_t kLastIrWithoutOpsets = 3;
constexpr int64_t kOldestUsualOpset = 7;
constexpr std::string_view kMicrosoftDomain = "com.microsoft";

std::string domainName(std::string_view domain) {
  return domain.empty() ? "ai.onnx" : std::string(domain);
}

bool isOnnxDomain(std::string_view domain) {
  return domain.empty() || domain.starts_with("ai.onnx");
}

Result<void> checkImport(const OpsetImport& import) {
  const int64_t newest = newestOpset(import.domain);
  if (import.version < 0)
    return fail(ErrorCode::kFail, "opset version {} of {} is not valid", import.version, domainName(import.domain));
  if (newest > 0 && isOnnxDomain(import.domain) && import.version > newest) {
    return fail(ErrorCode::kFail,
                "the model uses opset {} of {}; this version knows up to opset {}: it is from a newer ONNX",
                import.version, domainName(import.domain), newest);
  }
  return {};
}

// An entry of version 0, or without a version, is an empty set of operators: onnxruntime refuses what uses it, and
// takes models in which it only stands there.
Result<void> checkEmptySet(const Model& model, std::string_view domain) {
  if (std::ranges::find(model.opsets, domain, &OpsetImport::domain) == model.opsets.end()) return {};
  return fail(ErrorCode::kInvalidGraph,
              "the model imports opset 0 of {}, in which there is no operator, and has nodes of it: write the version "
              "it was made for into opset_import (opset {} is the newest known here)",
              domainName(domain), newestOpset(domain));
}

std::set<std::string> usedDomains(const Model& model) {
  std::set<std::string> domains;
  const auto visit = [&](const Graph& graph) {
    for (size_t i = 0; i < graph.nodeSlots(); ++i) {
      const Node& node = graph.node(NodeId{i});
      if (!node.removed && !domains.contains(node.domain)) domains.insert(node.domain);
    }
  };
  forEachGraph(model.graph, visit);
  return domains;
}

// A call finds its function by these three.
std::string functionKey(std::string_view domain, std::string_view name, std::string_view overload) {
  return fmt::format("{}:{}:{}", domainName(domain), name, overload);
}

using FunctionTable = std::unordered_map<std::string, size_t>;

std::vector<size_t> calledFunctions(const Graph& root, const FunctionTable& table) {
  std::set<size_t> called;
  forEachGraph(root, [&](const Graph& graph) {
    for (size_t i = 0; i < graph.nodeSlots(); ++i) {
      const Node& node = graph.node(NodeId{i});
      if (node.removed) continue;
      const auto found = table.find(functionKey(node.domain, node.opType, node.overload));
      if (found != table.end()) called.insert(found->second);
    }
  });
  return {called.begin(), called.end()};
}

Result<void> checkCallCircles(const Model& model, const FunctionTable& table) {
  enum class Mark : uint8_t { kNew, kOpen, kDone };
  std::vector<Mark> marks(model.functions.size(), Mark::kNew);
  struct Open {
    size_t function;
    std::vector<size_t> calls;
    size_t next = 0;
  };
  for (size_t start = 0; start < model.functions.size(); ++start) {
    if (marks[start] != Mark::kNew) continue;
    std::vector<Open> path;
    path.push_back({start, calledFunctions(model.functions[start].body, table)});
    marks[start] = Mark::kOpen;
    while (!path.empty()) {
      Open& top = path.back();
      if (top.next == top.calls.size()) {
        marks[top.function] = Mark::kDone;
        path.pop_back();
        continue;
      }
      const size_t callee = top.calls[top.next++];
      if (marks[callee] == Mark::kOpen) {
        const Function& function = model.functions[callee];
        return fail(ErrorCode::kFail, "the function {}:{} calls itself, directly or through others",
                    domainName(function.domain), function.name);
      }
      if (marks[callee] == Mark::kNew) {
        marks[callee] = Mark::kOpen;
        path.push_back({callee, calledFunctions(model.functions[callee].body, table)});
      }
    }
  }
  return {};
}

std::string missingOperator(const Node& node) {
  const OperatorSchema* here = findSchema(node.opType, node.domain, node.opsetVersion);
  if (here != nullptr && here->deprecated)
    return fmt::format("the operator {} was withdrawn in opset {} of {}; the model imports opset {}", node.opType,
                       here->sinceVersion, domainName(node.domain), node.opsetVersion);
  const OperatorSchema* newest = findSchema(node.opType, node.domain, newestOpset(node.domain));
  if (newest != nullptr)
    return fmt::format("the operator {} came with a later opset of {} (at the latest {}); the model imports opset {}",
                       node.opType, domainName(node.domain), newest->sinceVersion, node.opsetVersion);
  if (findSchema(node.opType, kMicrosoftDomain, newestOpset(kMicrosoftDomain)) != nullptr) {
    return fmt::format(
        "{} has no operator {}, but {} has: the node may have lost its domain; set it and import that domain",
        domainName(node.domain), node.opType, kMicrosoftDomain);
  }
  return fmt::format(
      "{} has no operator {}; it runs when the model brings a function of its name along, or known operators stand in "
      "its place",
      domainName(node.domain), node.opType);
}

}  // namespace

Result<void> checkVersions(Model& model, const ResolveOptions&, ResolveReport& report) {
  if (model.irVersion <= 0) return fail(ErrorCode::kFail, "the model has no IR version");
  if (model.irVersion > newestIrVersion()) {
    return fail(ErrorCode::kFail, "the model has IR version {}; this version knows up to {}: it is from a newer ONNX",
                model.irVersion, newestIrVersion());
  }
  for (OpsetImport& import : model.opsets) {
    if (import.domain == "ai.onnx") import.domain.clear();
  }
  if (model.opsets.empty()) {
    if (model.irVersion > kLastIrWithoutOpsets)
      return fail(ErrorCode::kFail,
                  "the model imports no opset (opset_import is empty), so its operators have no meaning");
    // Before IR 3 there was one set of operators. Files of IR 3 that forgot the import come from its first year and
    // have the operators as they were until broadcasting changed in opset 7.
    const int64_t assumed = model.irVersion < kLastIrWithoutOpsets ? 1 : 6;
    model.opsets.push_back({"", assumed});
    report.warnings.push_back({"", "",
                               fmt::format("the model imports no opset; as its IR version is {}, opset {} is assumed",
                                           model.irVersion, assumed)});
  }
  for (const OpsetImport& import : model.opsets)
    CUTAWAY_CHECK(checkImport(import));
  const int64_t version = importedVersion(model.opsets, "");
  if (version > 0 && version < kOldestUsualOpset)
    report.warnings.push_back(
        {"", "", fmt::format("opset {} is older than {}: some operators have no kernel", version, kOldestUsualOpset)});
  for (const std::string& domain : usedDomains(model)) {
    if (importedVersion(model.opsets, domain) != 0 || !isKnownDomain(domain)) continue;
    CUTAWAY_CHECK(checkEmptySet(model, domain));
    model.opsets.push_back({domain, newestOpset(domain)});
    if (domain == kMicrosoftDomain)
      report.warnings.push_back(
          {"", "",
           fmt::format("the model uses operators of {} and does not import that domain; version {} is assumed", domain,
                       newestOpset(domain))});
  }
  return {};
}

Result<void> checkFunctions(const Model& model) {
  FunctionTable table;
  for (size_t i = 0; i < model.functions.size(); ++i) {
    const Function& function = model.functions[i];
    if (!table.emplace(functionKey(function.domain, function.name, function.overload), i).second) {
      return fail(ErrorCode::kFail, "the function {}:{} is defined twice", domainName(function.domain), function.name);
    }
    for (const OpsetImport& import : function.opsets)
      CUTAWAY_CHECK(checkImport(import));
  }
  return checkCallCircles(model, table);
}

Result<void> checkNames(const Graph& graph) {
  std::unordered_set<size_t> inputs;
  for (const ValueId id : graph.inputs()) {
    if (!inputs.insert(id.index()).second)
      return fail(
          atValue({ErrorCode::kFail, fmt::format("the graph input '{}' is listed twice", graph.value(id).name), {}},
                  graph.value(id).name));
  }
  std::unordered_set<std::string_view> names;
  for (size_t i = 0; i < graph.nodeSlots(); ++i) {
    const Node& node = graph.node(NodeId{i});
    if (node.removed) continue;
    if (!node.name.empty() && !names.insert(node.name).second)
      return fail(atNode({ErrorCode::kFail, fmt::format("two nodes have the name '{}'", node.name), {}}, node.name));
    for (const ValueId id : node.outputs) {
      if (!id.valid()) continue;
      const Value& value = graph.value(id);
      if (value.producer != NodeId{i})
        return fail(
            atNode(atValue({ErrorCode::kFail, fmt::format("value '{}' is made by more than one node", value.name), {}},
                           value.name),
                   node.name));
      if (value.isInput || value.initializer) {
        return fail(atNode(atValue({ErrorCode::kFail,
                                    fmt::format("value '{}' is made by a node, but it is also {}", value.name,
                                                value.isInput ? "a graph input" : "an initializer"),
                                    {}},
                                   value.name),
                           node.name));
      }
    }
  }
  return {};
}

Result<void> checkOperators(const Model& model, const Graph& root) {
  Result<void> result;
  forEachGraph(root, [&](const Graph& graph) {
    if (!result) return;
    for (size_t i = 0; i < graph.nodeSlots(); ++i) {
      const Node& node = graph.node(NodeId{i});
      if (node.removed || node.sinceVersion != 0 || !isOnnxDomain(node.domain) || newestOpset(node.domain) == 0)
        continue;
      if (model.findFunction(node.domain, node.opType, node.overload) != nullptr) continue;
      result = fail(atNode({ErrorCode::kNotImplemented, missingOperator(node), {}}, nodeName(graph, NodeId{i})));
      return;
    }
  });
  return result;
}

}  // namespace cutaway::resolve
