#pragma once
// A model put away: what a walk may need again and does not look at meanwhile, in about a tenth of the memory.
//
// Nodes, values and origins are one run of bytes: numbers of variable length, names by what they share with the name
// before, repeated texts and types by number. Weights and other tensors are shared with the model. Functions, bodies
// and rare kinds of attributes, which are few beside the nodes of the main graph, stay the objects that they are.
// Thread rule: immutable once made. Example: const PackedModel kept(model);  ...  const Model again = kept.unpack();

#include <string>
#include <vector>

#include "engine/graph/model.h"

namespace cutaway {

class PackedModel {
 public:
  explicit PackedModel(const Model& model);
  // Equal to the model that was put away, with its ids, holes, and the order of uses (of values that bodies capture,
  // uses by nodes' own inputs may come behind the others). Linear in nodes and values.
  Model unpack() const;
  size_t nodeCount() const { return m_nodeCount; }  // of the main graph
  size_t packedBytes() const { return m_bytes.size(); }

 private:
  class Packer;
  class Unpacker;

  size_t m_nodeCount = 0;
  Model m_rest;                        // without main graph and origins
  std::vector<SharedText> m_words;     // texts that come again: operators, domains, names of attributes
  std::vector<ValueType> m_types;      // each once
  std::vector<Tensor> m_tensors;       // initializers and attributes
  std::vector<AttributeValue> m_rare;  // bodies, types, sparse tensors
  std::string m_bytes;
};

}  // namespace cutaway
