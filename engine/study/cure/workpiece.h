#pragma once
// A copy of the model on which a variant works, and what variants have in common.
//
// Thread rule: one thread. Example: Workpiece piece(context);  const NodeId node = piece.find(context.graph(),
// refused);
//   piece.replaceOutput(...);  return piece.finish();

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/study/cure/variant.h"

namespace cutaway::study {

class Workpiece {
 public:
  explicit Workpiece(const CureContext& context);

  Model& model() { return m_model; }
  Graph& graph() { return m_model.graph; }
  // The node that makes the same first output; invalid when there is none any more.
  NodeId find(const Graph& typed, NodeId id) const;
  // A constant of a name that is free, beginning with `stem`.
  ValueId constant(const std::string& stem, Tensor tensor);
  // A new value of a free name that begins with `stem`.
  ValueId value(const std::string& stem, ValueType type = {});
  // A node with the origins of `of` (a copy of a node that may be gone); gives its only output, a new value unless
  // `into` is valid. `into` must have no producer.
  ValueId add(const Node& of, std::string_view opType, std::initializer_list<ValueId> inputs,
              std::vector<Attribute> attributes = {}, ValueId into = {});
  // Drops nodes and constants that nothing reads any more (what was unread before stays), and imports domains that new
  // nodes are of.
  Model finish();

 private:
  std::string freeName(const std::string& stem) const;
  bool isRead(NodeId id) const;
  Model m_model;
  std::vector<bool> m_unreadNodes, m_unreadValues;  // from the start, by id
};

// The dims of a tensor whose sizes are all known; nothing otherwise.
std::optional<std::vector<int64_t>> sizesOf(const Graph& graph, ValueId id);
// "BatchNormalization", "com.microsoft:Gelu".
std::string operatorName(const Node& node);
// "35 BatchNormalization"; "BatchNormalization 'bn1'" for one.
std::string countedNodes(const Graph& graph, const std::vector<NodeId>& nodes);

}  // namespace cutaway::study
