#include "engine/graph/model.h"

#include <algorithm>

#include "engine/base/input_budget.h"
#include "engine/base/short_name.h"

namespace cutaway {
namespace {

std::string_view canonicalDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

std::string pathName(const Graph& graph, const Node& node) {
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs) {
    if (output.valid()) return graph.value(output).name;
  }
  return node.opType;
}

// A graph whose nodes are being numbered; bodies of the node at `next` are entered before the node after it.
struct OpenGraph {
  Graph* graph;
  SharedText path;
  size_t next = 0;
};

void assignBelow(Graph& root, SharedText path, std::vector<Origin>& origins) {
  std::vector<OpenGraph> open;
  open.push_back({&root, std::move(path)});
  while (!open.empty()) {
    if (open.back().next == open.back().graph->nodeSlots()) {
      open.pop_back();
      continue;
    }
    Graph& graph = *open.back().graph;
    Node& node = graph.mutableNode(NodeId{open.back().next++});
    if (node.removed) continue;
    const SharedText outer = open.back().path;
    node.origins.assign(1, OriginId{origins.size()});
    origins.push_back({node.name, node.opType, outer});
    const size_t firstBody = open.size();
    forEachBody(node, [&](const std::string& attribute, Graph& body) {
      std::string below = (outer.empty() ? std::string() : outer + "/") + pathName(graph, node) + "/" + attribute;
      open.push_back({&body, shortName(below, kInputBudget.pathBytes)});
    });
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(firstBody), open.end());
  }
}

}  // namespace

int64_t importedVersion(const std::vector<OpsetImport>& imports, std::string_view domain) {
  for (const OpsetImport& import : imports) {
    if (canonicalDomain(import.domain) == canonicalDomain(domain)) return import.version;
  }
  return 0;
}

const Function* Model::findFunction(std::string_view functionDomain, std::string_view functionName,
                                    std::string_view overload) const {
  for (const Function& function : functions) {
    if (function.name == functionName && canonicalDomain(function.domain) == canonicalDomain(functionDomain) &&
        function.overload == overload)
      return &function;
  }
  return nullptr;
}

void assignOrigins(Model& model) {
  model.origins.clear();
  assignBelow(model.graph, "", model.origins);
  for (Function& function : model.functions) {
    assignBelow(function.body, fmt::format("function {}:{}", function.domain, function.name), model.origins);
  }
}

}  // namespace cutaway
