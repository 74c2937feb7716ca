#pragma once
// Cases of one line each for the operator floor: a node by its attributes and input types, what a function says of it,
// and the text that is expected.

#include <functional>
#include <string>
#include <vector>

#include <QtTest/QtTest>

#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// A node in a graph of its own.
struct NodeCase {
  Graph graph;
  NodeId id;
  const Node& node() const { return graph.node(id); }
};

// inputs: element types, kUndefined for an absent input.
inline NodeCase nodeOf(std::string opType, std::vector<std::pair<std::string, AttributeValue>> attributes,
                       std::vector<ElementType> inputs = {ElementType::kFloat}, int32_t version = 1) {
  NodeCase made;
  std::vector<ValueId> ids;
  for (const ElementType type : inputs)
    ids.push_back(type == ElementType::kUndefined
                      ? ValueId{}
                      : made.graph.addInput(fmt::format("in{}", ids.size()), ValueType::tensor(type, std::nullopt)));
  Node node;
  node.opType = std::move(opType);
  node.sinceVersion = node.opsetVersion = version;
  for (auto& [name, value] : attributes)
    node.setAttribute(name, std::move(value));
  made.id = made.graph.addNode(std::move(node), ids, std::vector<std::string>{"out"});
  return made;
}

inline Tensor shaped(ElementType type, std::initializer_list<int64_t> dims) {
  return *Tensor::create(type, dims);
}

// What a function gave, as text; of an error its message behind "! ".
template <typename T>
std::string textOf(const Result<T>& result, const std::function<std::string(const T&)>& write) {
  return result ? write(*result) : "! " + result.error().message;
}
inline std::string textOf(const Result<void>& result) {
  return result ? "ok" : "! " + result.error().message;
}

struct TextCase {
  const char* name;
  std::string found, expected;  // of errors a part of the message is enough
};

inline void compareTexts(std::initializer_list<TextCase> cases) {
  for (const TextCase& each : cases) {
    const bool refusal = each.expected.starts_with("! ");
    const bool agrees =
        refusal ? each.found.starts_with("! ") && each.found.find(each.expected.substr(2)) != each.found.npos
                : each.found == each.expected;
    QVERIFY2(agrees, fmt::format("{}: found '{}', expected '{}'", each.name, each.found, each.expected).c_str());
  }
}

}  // namespace cutaway::operators
