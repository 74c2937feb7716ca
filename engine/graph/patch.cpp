// Everything that can go wrong is found by PatchCheck over the untouched graph; PatchApplication then cannot fail. Both
// touch only what the patch names and its neighbours, so that thousands of patches on a large graph stay cheap.

#include "engine/graph/patch.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace cutaway {
namespace {

template <typename... Args>
tl::unexpected<Error> refuse(std::string_view value, fmt::format_string<Args...> format, Args&&... args) {
  return fail(atValue(Error{ErrorCode::kInvalidGraph, fmt::format(format, std::forward<Args>(args)...), {}}, value));
}

class PatchCheck {
 public:
  PatchCheck(const Graph& graph, const GraphPatch& patch) : m_graph(graph), m_patch(patch) {}

  Result<void> run() {
    CUTAWAY_CHECK(checkRemovedNodes());
    CUTAWAY_CHECK(checkInitializers());
    CUTAWAY_CHECK(checkNewOutputs());
    CUTAWAY_CHECK(checkReplacements());
    CUTAWAY_CHECK(checkNewInputs());
    return checkNothingDangles();
  }

 private:
  bool isLive(ValueId id) const {
    return id.valid() && id.index() < m_graph.valueSlots() && !m_graph.value(id).removed;
  }
  bool losesProducer(const Value& value) const { return value.producer.valid() && m_removed.contains(value.producer); }
  // Something gives this existing value after the patch.
  bool isDefinedAfter(ValueId id) const {
    const Value& value = m_graph.value(id);
    return value.isInput || value.initializer || value.outerScope ||
           (value.producer.valid() && !losesProducer(value)) || m_made.contains(value.name);
  }
  bool takes(NodeId id, ValueId value) const {
    const Node& node = m_graph.node(id);
    return std::ranges::find(node.inputs, value) != node.inputs.end() ||
           std::ranges::find(node.implicitInputs, value) != node.implicitInputs.end();
  }
  // An existing value may get a new definition only if it will have no other.
  bool mayBeMade(ValueId id) const {
    const Value& value = m_graph.value(id);
    return !value.isInput && !value.initializer && !value.outerScope &&
           (!value.producer.valid() || losesProducer(value));
  }

  Result<void> checkRemovedNodes() {
    for (const NodeId id : m_patch.removeNodes) {
      if (!id.valid() || id.index() >= m_graph.nodeSlots() || m_graph.node(id).removed)
        return refuse("", "the patch removes a node that is not in the graph");
      if (!m_removed.insert(id).second) return refuse("", "the patch removes node '{}' twice", m_graph.node(id).name);
    }
    return {};
  }

  Result<void> checkMade(const std::string& name) {
    const ValueId existing = m_graph.findValue(name);
    if (existing.valid() && !mayBeMade(existing))
      return refuse(name, "the patch makes value '{}', which has a definition already", name);
    if (!m_made.insert(name).second) return refuse(name, "the patch makes value '{}' twice", name);
    return {};
  }

  Result<void> checkInitializers() {
    for (const auto& [name, tensor] : m_patch.addInitializers) {
      if (name.empty() || !tensor.valid())
        return refuse(name, "the patch adds an initializer without a name or a type");
      CUTAWAY_CHECK(checkMade(name));
    }
    return {};
  }

  Result<void> checkNewOutputs() {
    for (const NewNode& node : m_patch.addNodes) {
      for (const std::string& name : node.outputs) {
        if (!name.empty()) CUTAWAY_CHECK(checkMade(name));
      }
    }
    return {};
  }

  Result<void> checkReplacements() {
    for (const auto& [from, to] : m_patch.replaceValues) {
      if (!isLive(from) || !isLive(to)) return refuse("", "the patch replaces a value that is not in the graph");
      const std::string& name = m_graph.value(from).name;
      if (from == to) return refuse(name, "the patch replaces value '{}' by itself", name);
      if (!m_replaced.insert(from).second) return refuse(name, "the patch replaces value '{}' twice", name);
      if (m_made.contains(name)) return refuse(name, "the patch both replaces and makes value '{}'", name);
      const Value& value = m_graph.value(from);
      if (value.outputCount > 0 && (value.isInput || value.initializer || value.outerScope)) {
        return refuse(name, "'{}' is a graph output and no node makes it: its name cannot be given to another value",
                      name);
      }
    }
    for (const auto& [from, to] : m_patch.replaceValues) {
      const std::string& name = m_graph.value(to).name;
      if (m_replaced.contains(to))
        return refuse(name, "the patch replaces value '{}', which replaces another one", name);
      if (!isDefinedAfter(to))
        return refuse(name, "nothing makes value '{}', which replaces '{}'", name, m_graph.value(from).name);
      const NodeId producer = m_graph.value(to).producer;
      if (producer.valid() && !m_removed.contains(producer) && takes(producer, from))
        return refuse(name, "'{}' is made from '{}', which it replaces", name, m_graph.value(from).name);
    }
    return {};
  }

  Result<void> checkNewInputs() {
    for (const NewNode& node : m_patch.addNodes) {
      for (const std::string& name : node.inputs)
        CUTAWAY_CHECK(checkUsable(name));
      for (const ValueId id : node.node.implicitInputs) {
        if (!isLive(id)) return refuse("", "a new node captures a value that is not in the graph");
      }
      Result<void> captures;
      forEachBody(node.node, [&](const std::string&, const Graph& body) {
        for (size_t i = 0; i < body.valueSlots() && captures; ++i) {
          const Value& inner = body.value(ValueId{i});
          if (!inner.removed && inner.outerScope) captures = checkUsable(inner.name);
        }
      });
      CUTAWAY_CHECK(std::move(captures));
    }
    return {};
  }

  Result<void> checkUsable(const std::string& name) {
    if (name.empty() || m_made.contains(name)) return {};
    const ValueId existing = m_graph.findValue(name);
    if (!existing.valid()) return refuse(name, "a new node takes value '{}', which nothing makes", name);
    if (!isDefinedAfter(existing))
      return refuse(name, "a new node takes value '{}', which the patch leaves without a producer", name);
    return {};
  }

  Result<void> checkNothingDangles() {
    for (const NodeId id : m_patch.removeNodes) {
      for (const ValueId output : m_graph.node(id).outputs) {
        if (!output.valid() || m_graph.value(output).producer != id || m_made.contains(m_graph.value(output).name) ||
            m_replaced.contains(output))
          continue;
        const Value& value = m_graph.value(output);
        const bool used =
            std::ranges::any_of(value.uses, [&](const Use& use) { return !m_removed.contains(use.node); });
        if (used || value.outputCount > 0)
          return refuse(value.name, "the patch leaves value '{}' without a producer, but it is still used", value.name);
      }
    }
    return {};
  }

  const Graph& m_graph;
  const GraphPatch& m_patch;
  std::unordered_set<NodeId> m_removed;
  std::unordered_set<std::string> m_made;  // names that new nodes and initializers define
  std::unordered_set<ValueId> m_replaced;
};

class PatchApplication {
 public:
  PatchApplication(Graph& graph, GraphPatch patch, std::string_view rewriteName)
      : m_graph(graph), m_patch(std::move(patch)), m_rewriteName(rewriteName) {}

  PatchResult run() {
    collectOrigins();
    for (const NodeId id : m_patch.removeNodes)
      remove(id);
    for (auto& [name, tensor] : m_patch.addInitializers)
      m_graph.addInitializer(name, std::move(tensor));
    // Uses move before the new nodes come, so that a new node may take the very value that it stands in for; output
    // places after, because a new node may be the one to take them.
    for (const auto& [from, to] : m_patch.replaceValues)
      m_graph.moveUses(from, to);
    for (NewNode& node : m_patch.addNodes)
      add(std::move(node));
    for (const auto& [from, to] : m_patch.replaceValues)
      replaceOutput(from, to);
    for (const ValueId id : m_maybeUnused)
      dropUnused(id);
    return std::move(m_result);
  }

 private:
  void collectOrigins() {
    std::vector<OriginId>& origins = m_result.origins;
    for (const NodeId id : m_patch.removeNodes) {
      const Node& node = m_graph.node(id);
      origins.insert(origins.end(), node.origins.begin(), node.origins.end());
      if (node.domain.empty() && m_opsetVersion == 0) m_opsetVersion = node.opsetVersion;
    }
    std::ranges::sort(origins);
    origins.erase(std::unique(origins.begin(), origins.end()), origins.end());
  }

  void remove(NodeId id) {
    const Node& node = m_graph.node(id);
    for (const auto* list : {&node.inputs, &node.implicitInputs, &node.outputs})
      m_maybeUnused.insert(m_maybeUnused.end(), list->begin(), list->end());
    m_graph.removeNode(id);
  }

  NodeId add(NewNode fresh) {
    std::vector<ValueId> inputs;
    for (const std::string& name : fresh.inputs)
      inputs.push_back(name.empty() ? ValueId{} : m_graph.addValue(name));
    if (fresh.node.origins.empty()) fresh.node.origins = m_result.origins;
    if (fresh.node.rewrite.empty()) fresh.node.rewrite = SharedText(m_rewriteName);
    const bool hasBodies = fresh.node.hasBodies();
    const NodeId id = m_graph.addNode(std::move(fresh.node), inputs, fresh.outputs);
    if (hasBodies) m_graph.bindCaptures(id);
    for (size_t slot = 0; slot < fresh.outputTypes.size() && slot < fresh.outputs.size(); ++slot) {
      const ValueId output = m_graph.node(id).outputs[slot];
      if (output.valid() && fresh.outputTypes[slot].known())
        m_graph.mutableValue(output).type = std::move(fresh.outputTypes[slot]);
    }
    m_result.added.push_back(id);
    return id;
  }

  void replaceOutput(ValueId from, ValueId to) {
    m_maybeUnused.push_back(from);
    if (m_graph.value(from).outputCount == 0) return;
    // A value may have handed its producer to a graph output that it replaced; it goes by that one then.
    if (const auto moved = m_movedTo.find(to); moved != m_movedTo.end()) to = moved->second;
    detachProducer(from);
    const Value& target = m_graph.value(to);
    if (!target.producer.valid() || target.outputCount > 0 || target.isInput || target.initializer ||
        target.outerScope) {
      addIdentity(from, to);
    } else {
      takeOver(from, to);
    }
  }

  // `from` still has a producer when the patch keeps that node: its slot gets a value of its own, which the new nodes
  // that take `from` take instead.
  void detachProducer(ValueId from) {
    const NodeId producer = m_graph.value(from).producer;
    if (!producer.valid()) return;
    const size_t slot = m_graph.value(from).producerSlot;
    const ValueId inner = m_graph.addValue(m_graph.freshName(m_graph.value(from).name), m_graph.value(from).type);
    m_graph.setNodeOutput(producer, slot, inner);
    m_graph.moveUses(from, inner);
    m_maybeUnused.push_back(inner);
  }

  void takeOver(ValueId output, ValueId source) {
    const NodeId producer = m_graph.value(source).producer;
    const size_t slot = m_graph.value(source).producerSlot;
    m_graph.setNodeOutput(producer, slot, {});
    m_graph.setNodeOutput(producer, slot, output);
    m_graph.moveUses(source, output);
    if (!m_graph.value(output).type.known()) m_graph.mutableValue(output).type = m_graph.value(source).type;
    m_maybeUnused.push_back(source);
    m_movedTo.emplace(source, output);
  }

  void addIdentity(ValueId output, ValueId source) {
    NewNode identity;
    identity.node.opType = "Identity";
    identity.node.opsetVersion = m_opsetVersion;
    if (const NodeId producer = m_graph.value(source).producer; producer.valid())
      identity.node.provider = m_graph.node(producer).provider;
    identity.inputs = {m_graph.value(source).name};
    identity.outputs = {m_graph.value(output).name};
    add(std::move(identity));
  }

  // Initializers that nothing reads any more, and values that nothing makes any more. Inputs belong to the caller,
  // unless they are constants that old models must list there.
  void dropUnused(ValueId id) {
    if (!id.valid()) return;
    const Value& value = m_graph.value(id);
    if (value.removed || value.producer.valid() || !value.uses.empty() || value.outputCount > 0) return;
    if (value.isInput && !m_graph.isConstant(id)) return;
    m_graph.removeValue(id);
  }

  Graph& m_graph;
  GraphPatch m_patch;
  std::string_view m_rewriteName;
  PatchResult m_result;
  std::vector<ValueId> m_maybeUnused;
  std::unordered_map<ValueId, ValueId> m_movedTo;
  int32_t m_opsetVersion = 0;  // of ai.onnx where the patch works, for an Identity
};

}  // namespace

Result<PatchResult> applyPatch(Graph& graph, GraphPatch patch, std::string_view rewriteName) {
  CUTAWAY_CHECK(PatchCheck(graph, patch).run());
  return PatchApplication(graph, std::move(patch), rewriteName).run();
}

}  // namespace cutaway
