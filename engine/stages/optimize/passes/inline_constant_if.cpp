// An If whose condition is constant is its taken branch: the branch's nodes move out, the other branch goes.
#include "engine/stages/optimize/pattern_query.h"
#include "engine/stages/optimize/pass.h"

namespace cutaway {

namespace {

// Names of the branch in the graph around it: captured values keep theirs, inner ones get a prefix that is unique.
class BranchNames {
 public:
  BranchNames(const Graph& outer, const Graph& branch, const Node& node) : m_branch(branch) {
    const std::string stem = node.name.empty() ? node.opType : node.name;
    for (int attempt = 0;; ++attempt) {
      m_prefix = attempt == 0 ? stem + "/" : fmt::format("{}~{}/", stem, attempt);
      if (isFree(outer)) return;
    }
  }

  std::string of(ValueId id) const {
    if (!id.valid()) return {};
    const Value& value = m_branch.value(id);
    return value.outerScope ? value.name : m_prefix + value.name;
  }
  std::string ofNode(const Node& inner) const { return inner.name.empty() ? std::string() : m_prefix + inner.name; }

 private:
  bool isFree(const Graph& outer) const {
    for (const ValueId id : m_branch.valueIds()) {
      if (!m_branch.value(id).outerScope && outer.findValue(m_prefix + m_branch.value(id).name).valid()) return false;
    }
    return true;
  }

  const Graph& m_branch;
  std::string m_prefix;
};

const Graph* takenBranch(const Graph& graph, const Node& node) {
  const Tensor* condition = constantInput(graph, node, 0);
  if (condition == nullptr || condition->type() != ElementType::kBool || condition->elementCount() != 1) return nullptr;
  const Attribute* attribute = node.findAttribute(condition->span<bool>()[0] ? "then_branch" : "else_branch");
  const GraphBox* box = attribute == nullptr ? nullptr : std::get_if<GraphBox>(&attribute->value);
  return box == nullptr ? nullptr : &**box;
}

// Bodies inside the branch name its values; moving them would mean renaming through every level. An output that the branch does not make itself has no node to carry the name.
bool isSimple(const Graph& branch, const Node& node) {
  if (branch.outputs().size() != node.outputs.size()) return false;
  for (const ValueId output : branch.outputs()) {
    const Value& value = branch.value(output);
    if (!value.producer.valid() || value.outputCount != 1) return false;
  }
  for (const NodeId id : branch.nodeIds()) {
    if (branch.node(id).hasBodies()) return false;
  }
  return true;
}

NewNode moved(const Graph& branch, NodeId id, const BranchNames& names, const std::vector<std::string>& outputName) {
  const Node& inner = branch.node(id);
  NewNode fresh{.node = inner};
  fresh.node.name = names.ofNode(inner);
  fresh.node.inputs.clear();
  fresh.node.outputs.clear();
  fresh.node.implicitInputs.clear();
  for (const ValueId input : inner.inputs) fresh.inputs.push_back(names.of(input));
  for (const ValueId output : inner.outputs) {
    fresh.outputs.push_back(output.valid() && !outputName[output.index()].empty() ? outputName[output.index()] : names.of(output));
    fresh.outputTypes.push_back(output.valid() ? branch.value(output).type : ValueType());
  }
  return fresh;
}

Result<std::optional<GraphPatch>> propose(const PassContext& context, NodeId id) {
  const Graph& graph = context.graph;
  const Node& node = graph.node(id);
  if (!isOnnxOperator(node, "If")) return std::nullopt;
  const Graph* branch = takenBranch(graph, node);
  if (branch == nullptr || !isSimple(*branch, node)) return std::nullopt;
  const BranchNames names(graph, *branch, node);
  // The branch's outputs take the names of the node's outputs; other uses inside the branch follow.
  std::vector<std::string> outputName(branch->valueSlots());
  for (size_t slot = 0; slot < node.outputs.size(); ++slot) {
    if (node.outputs[slot].valid()) outputName[branch->outputs()[slot].index()] = graph.value(node.outputs[slot]).name;
  }
  GraphPatch patch{.note = "its condition is constant: the taken branch moves out", .removeNodes = {id}};
  for (const ValueId value : branch->initializers()) patch.addInitializers.emplace_back(names.of(value), *branch->value(value).initializer);
  for (const NodeId inner : branch->nodeIds()) {
    NewNode fresh = moved(*branch, inner, names, outputName);
    for (size_t slot = 0; slot < fresh.inputs.size(); ++slot) {
      const ValueId input = branch->node(inner).inputs[slot];
      if (input.valid() && !outputName[input.index()].empty()) fresh.inputs[slot] = outputName[input.index()];
    }
    patch.addNodes.push_back(std::move(fresh));
  }
  return patch;
}

}  // namespace

Pass pass_inline_constant_if() { return {.name = "InlineConstantIf", .purpose = "replace an If with a constant condition by its taken branch", .level = 1, .propose = propose}; }

}  // namespace cutaway
