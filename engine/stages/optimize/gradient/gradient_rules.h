#pragma once
// How each operator carries gradients back: one row an operator.
//
// Thread rule: the table is constant; a Backward belongs to one expansion.
// Example: void backSin(Backward& at) { at.give(0, at.build.mul(at.g(), at.build.node("Cos", {at.x(0)}))); }

#include <map>
#include <span>
#include <string_view>
#include <unordered_set>

#include "engine/stages/optimize/gradient/gradient_builder.h"

namespace cutaway::optimize {

// One node on the way back. g(slot) is the gradient of output `slot`, in that output's shape and type; give() adds to
// the gradient of an input.
class Backward {
 public:
  using Gradients = std::map<size_t, ValueId>;  // by index of the value
  Backward(GradientBuilder& builder, NodeId nodeId, const std::vector<bool>& activeValues, Gradients& gradients)
      : build(builder),
        id(nodeId),
        node(builder.graph().node(nodeId)),
        m_active(activeValues),
        m_gradients(gradients) {}
  // For a node that is in no graph; rules that ask for outputs of it must not be called.
  Backward(GradientBuilder& builder, Node forward, const std::vector<bool>& activeValues, Gradients& gradients)
      : build(builder), node(std::move(forward)), m_active(activeValues), m_gradients(gradients) {}

  GradientBuilder& build;
  const NodeId id;
  const Node node;  // a copy: the graph grows while rules write

  bool has(size_t slot) const { return slot < node.inputs.size() && node.inputs[slot].valid(); }
  ValueId x(size_t slot) const { return slot < node.inputs.size() ? node.inputs[slot] : ValueId(); }
  ValueId y(size_t slot = 0) const { return node.outputs[slot]; }
  bool hasGradient(size_t slot) const {
    return slot < node.outputs.size() && node.outputs[slot].valid() && m_gradients.contains(node.outputs[slot].index());
  }
  ValueId g(size_t slot = 0) const { return m_gradients.at(node.outputs[slot].index()); }
  // Does anybody ask for the gradient of this input?
  bool wants(size_t slot) const { return has(slot) && x(slot).index() < m_active.size() && m_active[x(slot).index()]; }
  void give(size_t slot, ValueId gradient);
  // The same for a gradient that still has the shape inputs were broadcast to.
  void giveBroadcast(size_t slot, ValueId gradient) { give(slot, build.sumTo(gradient, x(slot))); }
  void refuse(std::string_view why);

  // The rank of an input; refuses when it is not known.
  int64_t rankOf(size_t slot);
  // Axes in an attribute or in input 1, from 0 on; nullopt: known at run time only. `rank` counts the axes they speak
  // of.
  std::optional<std::vector<int64_t>> axes(int64_t rank);

 private:
  const std::vector<bool>& m_active;
  Gradients& m_gradients;
};

struct GradientRule {
  std::string_view opType;
  void (*back)(Backward& at);
};
using GradientRules = std::span<const GradientRule>;

GradientRules elementwiseGradients();
GradientRules selectionGradients();
GradientRules movementGradients();
GradientRules reductionGradients();
GradientRules productGradients();
GradientRules convolutionGradients();
GradientRules normalizationGradients();

// nullptr when the operator has none.
const GradientRule* findGradientRule(const Node& node);
// Operators of the standard whose result does not change under a small change of their inputs, or never depends on
// their values.
bool isPiecewiseConstant(const Node& node);

}  // namespace cutaway::optimize
