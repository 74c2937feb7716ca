#pragma once
// Tree ensembles as their nodes list them, read from attributes and checked; what compiled_trees.h lays out for
// evaluation.
//
// Thread rule: plain values, made in create.
// Example: CUTAWAY_TRY(const ListedTrees listed, readListedTrees(info, "target", 2));

#include <cstdint>
#include <string>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway::cpu::trees {

// In the order of TreeEnsemble's numbers; kLeaf exists in the older operators only.
enum class Mode : uint8_t { kLessEqual, kLess, kGreaterEqual, kGreater, kEqual, kNotEqual, kMember, kLeaf };

struct LeafWeight {
  int64_t target = 0;
  double value = 0;
};

struct ListedNode {
  Mode mode = Mode::kLeaf;
  bool missingTrue = false;  // a NaN takes the true branch
  int64_t feature = 0;
  double split = 0;
  size_t whenTrue = 0, whenFalse = 0;       // places in the list; meaningless for leaves
  size_t members = 0;                       // place in memberSets
  size_t firstWeight = 0, weightCount = 0;  // leaves: their run in weights
};

struct ListedTrees {
  std::vector<ListedNode> nodes;
  std::vector<size_t> roots;
  std::vector<LeafWeight> weights;
  std::vector<std::vector<double>> memberSets;  // sorted
  int64_t targets = 0;
};

// A list of numbers that may stand in a FLOATS attribute or, as `<name>_as_tensor`, in a tensor of floats or doubles.
Result<std::vector<double>> readNumbers(const KernelInfo& info, const std::string& name);
// The numbers of a float, double or half tensor.
Result<std::vector<double>> numbersOf(const Tensor& tensor, std::string_view name);

// TreeEnsembleClassifier (prefix "class") and TreeEnsembleRegressor (prefix "target"): nodes named by tree and node id.
Result<ListedTrees> readNamedTrees(const KernelInfo& info, const std::string& prefix, int64_t targets);
// TreeEnsemble of version 5: nodes and leaves named by their place.
Result<ListedTrees> readPlacedTrees(const KernelInfo& info);

}  // namespace cutaway::cpu::trees
