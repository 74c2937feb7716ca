#pragma once
// Names for groups that providers compile: stable between runs of one model, unique over the model and all nested
// graphs.
//
// A name is a 64-bit hash of the model (its path, or without one its input names; and the output names of all nodes)
// and a counter, so that caches can use it as a key. Thread rule: one partitioning. Example: GroupNamer names(model);
// metaDef.name = names.next();   // "4f1d...c2_0"

#include <cstdint>
#include <string>

#include "engine/graph/model.h"

namespace cutaway {

class GroupNamer {
 public:
  explicit GroupNamer(const Model& model);  // linear in the nodes
  std::string next();
  const std::string& modelHash() const { return m_hash; }  // 16 hexadecimal digits
  void restart() { m_next = 0; }                           // everybody is asked again
  // Whether groups are compiled as soon as they are claimed; otherwise who takes what is all that is wanted.
  bool compiles() const { return m_compiles; }
  void setCompiles(bool compiles) { m_compiles = compiles; }

 private:
  std::string m_hash;
  int64_t m_next = 0;
  bool m_compiles = false;
};

}  // namespace cutaway
