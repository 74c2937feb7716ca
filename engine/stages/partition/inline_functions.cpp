#include "engine/stages/partition/inline_functions.h"

#include <algorithm>

#include "engine/base/format.h"
#include "engine/base/input_budget.h"
#include "engine/base/printable.h"
#include "engine/graph/node_label.h"
#include "engine/schema/function_size.h"
#include "engine/schema/schema.h"

namespace cutaway::partition {

namespace {

// Deeper than type inference follows them.
constexpr int kDeepest = 64;
// Counts stop here; the product with the bytes of an attribute does not wrap.
constexpr size_t kMostReferences = size_t{1} << 30;

// Nodes that came out of a body carry no versions yet unless inlining knew the body's imports.
void setVersions(const Model& model, Graph& graph, NodeId id) {
  Node& node = graph.mutableNode(id);
  if (node.opsetVersion == 0) node.opsetVersion = static_cast<int32_t>(importedVersion(model.opsets, node.domain));
  if (node.sinceVersion != 0) return;
  if (const OperatorSchema* schema = findSchema(node.opType, node.domain, node.opsetVersion))
    node.sinceVersion = schema->sinceVersion;
}

}  // namespace

// Far above any real model, whose functions are called some hundred times: a file that passes them was made to exhaust
// memory and time. Origins are the nodes that the file has, those of functions included.
void Inliner::findLimits() {
  constexpr size_t kAlways = 10'000, kTimesTheFile = 100;
  m_mostNodes = kAlways + kTimesTheFile * m_model.origins.size();
  size_t held = 0;
  for (const Function& function : m_model.functions) {
    forEachGraph(function.body, [&](const Graph& graph) { held += copiedBytes(graph); });
    for (const Attribute& attribute : function.attributeDefaults)
      held += copiedBytes(attribute.value);
  }
  m_mostBytes = kInputBudget.inlinedAlways + kInputBudget.inlinedTimesTheFile * held;
  m_tooMuch = {m_mostNodes + 1, m_mostBytes + 1, {}};
}

// Sums stop just above the limits.
void Inliner::add(Size& size, size_t nodes, size_t bytes) const {
  size.nodes = std::min(size.nodes + nodes, m_mostNodes + 1);
  size.bytes = std::min(size.bytes + bytes, m_mostBytes + 1);
}

// Functions that call themselves are too much, and those that go too deep.
const Inliner::Size& Inliner::sizeOf(const Function& function, int depth) {
  if (depth > kDeepest) return m_tooMuch;
  const auto [known, isNew] = m_sizes.try_emplace(&function, m_tooMuch);
  if (!isNew) return known->second;
  Size size;
  addGraph(size, function.body, depth);
  size_t defaults = 0;
  for (const Attribute& each : function.attributeDefaults) {
    const auto references = size.references.find(each.name);
    if (references != size.references.end())
      defaults = std::min(defaults + references->second * copiedBytes(each.value), m_mostBytes + 1);
  }
  add(size, 0, defaults);
  return m_sizes[&function] = std::move(size);
}

void Inliner::addGraph(Size& size, const Graph& graph, int depth) {
  add(size, 0, copiedBytes(graph));
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    const Function* const called = m_model.findFunction(node.domain, node.opType, node.overload);
    if (called == nullptr) {
      add(size, 1, 0);
      for (const Attribute& attribute : node.attributes) {
        if (const auto* reference = std::get_if<AttributeReference>(&attribute.value)) {
          size_t& count = size.references[reference->name];
          count = std::min(count + 1, kMostReferences);
        }
      }
    } else {
      addCall(size, node, *called, depth + 1);
    }
    forEachBody(node, [&](const std::string&, const Graph& body) { addGraph(size, body, depth); });
    if (isTooMuch(size)) return;
  }
}

// What the body holds, and what the call fills into it: its own attributes, or those of the function around it.
void Inliner::addCall(Size& size, const Node& call, const Function& function, int depth) {
  const Size& inner = sizeOf(function, depth);
  add(size, inner.nodes, inner.bytes);
  for (const Attribute& attribute : call.attributes) {
    const auto references = inner.references.find(attribute.name);
    if (references == inner.references.end()) continue;
    if (const auto* outer = std::get_if<AttributeReference>(&attribute.value)) {
      size_t& count = size.references[outer->name];
      count = std::min(count + references->second, kMostReferences);
    } else {
      add(size, 0, references->second * copiedBytes(attribute.value));
    }
  }
}

// FAIL before anything is inlined that would become too much.
Result<void> Inliner::checkSize(const Graph& graph, const Function& function, NodeId call) {
  if (m_mostNodes == 0) findLimits();
  Size size;
  addCall(size, graph.node(call), function, 0);
  // The call itself goes, and its attributes with it; a sum that stopped above the limit is more than it says.
  const size_t gone = size.bytes > m_mostBytes ? 0 : copiedBytes(graph.node(call));
  m_bytes += size.bytes - std::min(size.bytes, gone);
  if (graph.nodeCount() + size.nodes > m_mostNodes)
    return fail(atNode(
        Error{ErrorCode::kFail,
              fmt::format("the functions behind this call of {} call each other so often that {} nodes of the file "
                          "would become more than {}",
                          shortenedText(function.name, 200), m_model.origins.size(), m_mostNodes),
              {}},
        nodeName(graph, call)));
  if (m_bytes <= m_mostBytes) return {};
  return fail(atNode(
      Error{ErrorCode::kFail,
            fmt::format("the functions behind this call of {} are called so often that their names, attributes and "
                        "connections would become more than {}; give long attributes to the function as inputs, which "
                        "are not copied",
                        shortenedText(function.name, 200), formatBytes(static_cast<int64_t>(m_mostBytes))),
            {}},
      nodeName(graph, call)));
}

Result<bool> Inliner::inlineCall(Graph& graph, NodeId call) {
  const Node node = graph.node(call);
  std::vector<NodeId> added;
  if (const Function* local = m_model.findFunction(node.domain, node.opType, node.overload)) {
    CUTAWAY_CHECK(checkSize(graph, *local, call));
    CUTAWAY_TRY(added, inlineFunction(graph, call, *local));
  } else {
    const int64_t opset = node.opsetVersion > 0 ? node.opsetVersion : importedVersion(m_model.opsets, node.domain);
    CUTAWAY_TRY(const std::optional<Function> body, schemaFunction(graph, call, opset));
    if (!body) return false;
    CUTAWAY_TRY(added, inlineFunction(graph, call, *body));
  }
  for (const NodeId id : added)
    setVersions(m_model, graph, id);
  return true;
}

}  // namespace cutaway::partition
