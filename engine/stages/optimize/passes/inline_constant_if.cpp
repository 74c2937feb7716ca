// An If whose condition is constant becomes the nodes of the branch it always takes.

#include "engine/stages/optimize/graph_pass.h"

namespace cutaway::optimize {

namespace {

const Graph* takenBranch(const Node& node, bool condition) {
  const Attribute* attribute = node.findAttribute(condition ? "then_branch" : "else_branch");
  const GraphBox* box = attribute == nullptr ? nullptr : std::get_if<GraphBox>(&attribute->value);
  return box == nullptr ? nullptr : &**box;
}

std::string freshPrefix(const Graph& graph, const Graph& branch, const std::string& stem) {
  const auto taken = [&](const std::string& prefix) {
    for (const ValueId id : branch.valueIds()) {
      if (graph.findValue(prefix + branch.value(id).name).valid() || branch.value(id).name.starts_with(prefix))
        return true;
    }
    return false;
  };
  std::string prefix = stem + "_";
  for (int number = 1; taken(prefix); ++number)
    prefix = fmt::format("{}_{}_", stem, number);
  return prefix;
}

void addIdentity(GraphPatch& patch, const Node& origin, const std::string& from, const std::string& to) {
  NewNode identity;
  identity.node.opType = "Identity";
  identity.node.opsetVersion = origin.opsetVersion;
  identity.node.origins = origin.origins;
  identity.inputs = {from};
  identity.outputs = {to};
  patch.addNodes.push_back(std::move(identity));
}

// Local values of the branch get the prefix; a result made by a node gets the name of the If's output.
void renameBranch(const PassContext& context, NodeId id, Graph& branch, const std::string& prefix, GraphPatch& patch) {
  const Node& node = context.node(id);
  for (const ValueId value : branch.valueIds()) {
    if (!branch.value(value).outerScope) branch.renameValue(value, prefix + branch.value(value).name);
  }
  std::vector<bool> named(branch.valueSlots());
  for (size_t slot = 0; slot < node.outputs.size() && slot < branch.outputs().size(); ++slot) {
    if (!node.outputs[slot].valid()) continue;
    const std::string& outer = context.graph().value(node.outputs[slot]).name;
    const ValueId inner = branch.outputs()[slot];
    if (branch.value(inner).producer.valid() && !named[inner.index()]) {
      named[inner.index()] = true;
      branch.renameValue(inner, outer);
    } else {
      addIdentity(patch, node, branch.value(inner).name, outer);
    }
  }
}

std::optional<GraphPatch> match(const PassContext& context, NodeId id) {
  if (!context.is(id, "If") || !context.input(id, 0).valid()) return std::nullopt;
  const Tensor* condition = context.constant(context.input(id, 0));
  if (condition == nullptr || condition->type() != ElementType::kBool || condition->elementCount() != 1)
    return std::nullopt;
  const bool taken = *static_cast<const uint8_t*>(condition->data()) != 0;
  const Graph* original = takenBranch(context.node(id), taken);
  if (original == nullptr || original->outputs().size() < context.node(id).outputs.size()) return std::nullopt;
  Graph branch = *original;
  const Node& node = context.node(id);
  const bool unnamed = node.name.empty() && !node.outputs.empty();
  const std::string place = unnamed ? context.graph().value(node.outputs.front()).name : node.name;
  const std::string prefix =
      freshPrefix(context.graph(), branch, fmt::format("{}_{}", taken ? "_if_then_branch" : "_if_else_branch", place));
  GraphPatch patch;
  patch.note = fmt::format("the condition of {} is always {}", context.label(id), taken ? "true" : "false");
  patch.removeNodes = {id};
  renameBranch(context, id, branch, prefix, patch);
  for (const ValueId value : branch.initializers())
    patch.addInitializers.emplace_back(branch.value(value).name, *branch.value(value).initializer);
  for (const NodeId inner : branch.nodeIds()) {
    NewNode fresh;
    fresh.node = branch.node(inner);
    fresh.inputs = branch.namesOf(fresh.node.inputs);
    fresh.outputs = branch.namesOf(fresh.node.outputs);
    for (const ValueId output : fresh.node.outputs)
      fresh.outputTypes.push_back(output.valid() ? branch.value(output).type : ValueType());
    fresh.node.inputs.clear();
    fresh.node.outputs.clear();
    fresh.node.implicitInputs.clear();
    if (!fresh.node.name.empty()) fresh.node.name = prefix + fresh.node.name;
    fresh.node.rewrite.clear();
    fresh.node.origins.insert(fresh.node.origins.end(), node.origins.begin(), node.origins.end());
    patch.addNodes.push_back(std::move(fresh));
  }
  return patch;
}

constexpr GraphPass kPass{.name = "ConstantIfInlining",
                          .purpose = "replaces an If with a constant condition by the branch it takes",
                          .level = 1,
                          .match = match};

}  // namespace

const GraphPass& pass_inline_constant_if() {
  return kPass;
}

}  // namespace cutaway::optimize
