#pragma once
// Model: a graph with its opset imports, local functions, metadata, and the table of original nodes that provenance
// points to.
//
// Thread rule: as Graph.
// Example: for (const OpsetImport& import : model.opsets) fmt::print("{}:{}\n", import.domain, import.version);

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/graph/graph.h"

namespace cutaway {

struct OpsetImport {
  std::string domain;  // "" is ai.onnx
  int64_t version = 0;
  bool operator==(const OpsetImport&) const = default;
};

// Version of a domain, or 0 when it is not imported. "ai.onnx" means "".
int64_t importedVersion(const std::vector<OpsetImport>& imports, std::string_view domain);

// A model-local function; its body's inputs and outputs are the function's.
struct Function {
  std::string domain;
  std::string name;
  std::string overload;
  std::vector<std::string> attributes;  // required, without default
  std::vector<Attribute> attributeDefaults;
  std::vector<OpsetImport> opsets;
  std::string documentation;
  Graph body;
};

// A node as the file had it. Selection is told in terms of these, in every stage.
struct Origin {
  SharedText name;  // may be empty; the node's own text
  SharedText opType;
  SharedText graphPath;  // "" main graph; "loop1/body" inside bodies; "function domain:name/..." inside functions
};

struct Model {
  Graph graph;
  int64_t irVersion = 0;
  std::vector<OpsetImport> opsets;
  std::vector<Function> functions;
  std::string producerName;
  std::string producerVersion;
  std::string domain;
  int64_t modelVersion = 0;
  std::string documentation;
  std::map<std::string, std::string> metadata;
  std::filesystem::path path;   // empty when from memory
  std::vector<Origin> origins;  // index: OriginId
  std::map<const void*, std::string>
      externalFiles;  // owner of mapped weights (Tensor::keepAlive) -> the file, as the model names it

  const Function* findFunction(std::string_view functionDomain, std::string_view functionName,
                               std::string_view overload) const;
};

// Fills model.origins and gives every node one origin of its own: main graph first, then functions; nodes in id order,
// a node before the nodes of its bodies. In paths a node without a name is called by its first output, else by its
// operator.
void assignOrigins(Model& model);

// Calls visit(graph) for the main graph and every body below it, outer before inner, without recursion.
template <typename GraphType, typename Visit>
void forEachGraph(GraphType& root, Visit&& visit) {
  std::vector<GraphType*> open{&root};
  while (!open.empty()) {
    GraphType* graph = open.back();
    open.pop_back();
    visit(*graph);
    for (size_t i = graph->nodeSlots(); i-- > 0;) {
      if constexpr (std::is_const_v<GraphType>) {
        if (!graph->node(NodeId{i}).removed)
          forEachBody(graph->node(NodeId{i}), [&](const std::string&, GraphType& body) { open.push_back(&body); });
      } else {
        if (!graph->node(NodeId{i}).removed)
          forEachBody(graph->mutableNode(NodeId{i}),
                      [&](const std::string&, GraphType& body) { open.push_back(&body); });
      }
    }
  }
}

}  // namespace cutaway
