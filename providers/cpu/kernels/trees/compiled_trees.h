#pragma once
// Tree ensembles laid out for evaluation: one array of small nodes, the two children of a node side by side, levels in
// order.
//
// A leaf leads to itself, so that eight rows (or, for a single row, eight trees) walk in step without a branch that
// depends on data. Ensembles that mix comparisons or test for equality take the general walk, node by node. Thread
// rule: immutable after compile. Example: CUTAWAY_TRY(const auto trees, CompiledTrees<float>::compile(listed));
// trees.addScores(Combine::kSum, x, rows, features, scores, given);

#include <cstdint>
#include <vector>

#include "providers/cpu/kernels/trees/listed_trees.h"

namespace cutaway::cpu::trees {

enum class Combine : uint8_t { kSum, kMin, kMax };

template <typename T>
class CompiledTrees {
 public:
  static Result<CompiledTrees> compile(const ListedTrees& listed);

  int64_t targets() const { return m_targets; }
  int64_t treeCount() const { return static_cast<int64_t>(m_roots.size()); }
  // Rows must have more features than this; -1: none is looked at.
  int64_t highestFeature() const { return m_highestFeature; }
  // x: [rows, features]. scores, given: [rows, targets], zeroed by the caller; given says whether a leaf had a weight
  // for that target.
  void addScores(Combine combine, const T* x, int64_t rows, int64_t features, T* scores, uint8_t* given) const;

 private:
  struct Node {
    T split;
    uint32_t feature;  // the highest bit: a NaN takes the first child
    uint32_t child;    // taken when the test holds; its neighbour when not
  };
  struct Weight {
    int32_t target;
    T value;
  };
  struct Root {
    uint32_t node;
    uint32_t deepest;  // levels above the farthest leaf
  };
  enum class Test : uint8_t { kLessEqual, kLess, kEqual, kMember };
  struct Traits {
    Test test = Test::kLessEqual;
    bool leaf = false;
    bool missingFirst = false;
    uint32_t place = 0;  // leaf: its first weight; member: its set
    uint32_t weights = 0;
  };
  enum class Walk : uint8_t { kLessEqual, kLess, kGeneral };

  Result<void> layOut(const ListedTrees& listed, size_t root);
  void placeNode(const ListedTrees& listed, const ListedNode& from, uint32_t at);
  void chooseWalk();
  uint32_t walkOne(uint32_t root, const T* row) const;
  // kStrict: the test is x < split, else x <= split. kMissing: there may be NaN in the rows.
  template <bool kStrict, bool kMissing>
  static uint32_t step(const Node& node, const T* row);
  template <bool kStrict, bool kMissing>
  void addRowsInStep(Combine combine, const T* x, int64_t rows, int64_t features, T* scores, uint8_t* given) const;
  template <bool kStrict, bool kMissing>
  void addTreesInStep(Combine combine, const T* row, T* scores, uint8_t* given) const;
  template <bool kStrict, bool kMissing>
  void addInStep(Combine combine, const T* x, int64_t rows, int64_t features, T* scores, uint8_t* given) const;
  void addLeaf(Combine combine, uint32_t leaf, T* scores, uint8_t* given) const;
  void addGeneral(Combine combine, const T* x, int64_t rows, int64_t features, T* scores, uint8_t* given) const;

  std::vector<Node> m_nodes;
  std::vector<Traits> m_traits;
  std::vector<Root> m_roots;
  std::vector<Weight> m_weights;
  std::vector<std::vector<T>> m_memberSets;
  std::vector<T> m_onlyValues;  // by node, when every leaf has one weight and there is one target
  int64_t m_targets = 0;
  int64_t m_highestFeature = -1;
  Walk m_walk = Walk::kGeneral;
};

extern template class CompiledTrees<float>;
extern template class CompiledTrees<double>;

}  // namespace cutaway::cpu::trees
