#pragma once
// One node against one entry of a profile's operators: the questions after "is the operator listed in this version".
//
// Thread rule: pure. Example: if (auto no = NodeCheck(profile, rule, graph, id).signature()) return no;

#include <optional>
#include <span>

#include "providers/declared/profile.h"

namespace cutaway::declared {

// A schema's default of an attribute, where it has one.
using AttributeDefaults = std::vector<std::optional<Attribute>>;

class NodeCheck {
 public:
  NodeCheck(const Profile& profile, const OperatorRule& rule, const Graph& graph, NodeId id);

  // Number of inputs and outputs, element types, ranks, known dimensions, rules about dimensions, inputs that must be
  // constants. In this order.
  std::optional<Refusal> signature() const;
  // defaults: one for each of the entry's attributes.
  std::optional<Refusal> attributes(const AttributeDefaults& defaults) const;
  std::optional<Refusal> bodies(const std::string& providerName) const;

 private:
  struct Slot {
    bool output = false;
    int number = 0;
    ValueId value;
  };
  template <typename Ask>
  std::optional<Refusal> eachSlot(Ask&& ask) const;
  std::optional<Refusal> counts() const;
  std::optional<Refusal> countOf(std::span<const ValueId> values, const std::optional<Span>& allowed,
                                 std::string_view what) const;
  std::optional<Refusal> type(const Slot& slot) const;
  std::optional<Refusal> rank(const Slot& slot) const;
  std::optional<Refusal> staticShape(const Slot& slot) const;
  std::optional<Refusal> shape(size_t index) const;
  std::optional<Refusal> constants() const;
  std::optional<Refusal> attribute(const AttributeRule& rule, const std::optional<Attribute>& otherwise) const;
  bool isConstant(ValueId id) const;

  Refusal refuse(RefusalCause cause, const std::string& member, std::string what, std::string seen,
                 std::string remedy) const;
  Refusal refuseBy(RefusalCause cause, std::string rule, std::string what, std::string seen, std::string remedy) const;
  std::string slotText(const Slot& slot) const;

  const Profile& m_profile;
  const OperatorRule& m_rule;
  const Graph& m_graph;
  const Node& m_node;
  NodeId m_id;
  bool m_channelsLast;
};

// "operators.Resize", with the domain where it is not ai.onnx: "operators.com.microsoft:Gelu".
std::string rulePath(const OperatorRule& rule);
// "according to ONNX-TensorRT (2026-11-01)"; empty when there is no source.
std::string sourceText(const Profile& profile, int source);

}  // namespace cutaway::declared
