// Reads the attributes of the three tree operators into one listed form; everything a file says is checked here.

#include "providers/cpu/kernels/trees/listed_trees.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

namespace cutaway::cpu::trees {
namespace {

using Ints = std::vector<int64_t>;

constexpr int64_t kMostTargets = int64_t{1} << 24;
constexpr int64_t kMostFeatures = std::numeric_limits<int32_t>::max();

Result<void> checkLength(std::string_view name, size_t length, size_t wanted) {
  if (length != wanted)
    return fail(ErrorCode::kInvalidArgument, "{} has {} entries where {} are needed", name, length, wanted);
  return {};
}

Result<void> checkFeature(int64_t feature, size_t node) {
  if (feature < 0 || feature >= kMostFeatures)
    return fail(ErrorCode::kInvalidArgument, "nodes_featureids[{}] is {}", node, feature);
  return {};
}

Result<void> checkTargets(int64_t targets) {
  if (targets < 1 || targets > kMostTargets)
    return fail(ErrorCode::kInvalidArgument, "{} targets; 1 to {} are possible", targets, kMostTargets);
  return {};
}

Result<Mode> modeNamed(const std::string& name) {
  static const std::map<std::string, Mode> kNames = {{"BRANCH_LEQ", Mode::kLessEqual},
                                                     {"BRANCH_LT", Mode::kLess},
                                                     {"BRANCH_GTE", Mode::kGreaterEqual},
                                                     {"BRANCH_GT", Mode::kGreater},
                                                     {"BRANCH_EQ", Mode::kEqual},
                                                     {"BRANCH_NEQ", Mode::kNotEqual},
                                                     {"LEAF", Mode::kLeaf}};
  const auto found = kNames.find(name);
  if (found == kNames.end())
    return fail(
        ErrorCode::kInvalidArgument,
        "nodes_modes has '{}'; known are BRANCH_LEQ, BRANCH_LT, BRANCH_GTE, BRANCH_GT, BRANCH_EQ, BRANCH_NEQ and LEAF",
        name);
  return found->second;
}

// Trees of the older operators: which place each (tree, node) name has.
class NodeNames {
 public:
  static Result<NodeNames> of(const Ints& trees, const Ints& ids) {
    NodeNames names;
    for (size_t i = 0; i < trees.size(); ++i) {
      auto [tree, isNew] = names.m_trees.try_emplace(trees[i]);
      if (isNew) names.m_order.push_back(trees[i]);
      if (!tree->second.try_emplace(ids[i], i).second)
        return fail(ErrorCode::kInvalidArgument, "tree {} has two nodes {}", trees[i], ids[i]);
    }
    return names;
  }
  // The tree ids in order of appearance.
  const Ints& treeOrder() const { return m_order; }
  Result<size_t> find(int64_t tree, int64_t id) const {
    if (const auto nodes = m_trees.find(tree); nodes != m_trees.end()) {
      if (const auto node = nodes->second.find(id); node != nodes->second.end()) return node->second;
    }
    return fail(ErrorCode::kInvalidArgument, "tree {} has no node {}", tree, id);
  }

 private:
  std::unordered_map<int64_t, std::unordered_map<int64_t, size_t>> m_trees;
  Ints m_order;
};

// A tree's root is its first node, unless other nodes lead there: then the only node that none leads to.
Result<void> findRoots(ListedTrees& listed, const Ints& trees, const NodeNames& names) {
  std::vector<bool> isChild(listed.nodes.size());
  for (const ListedNode& node : listed.nodes) {
    if (node.mode != Mode::kLeaf) isChild[node.whenTrue] = isChild[node.whenFalse] = true;
  }
  struct Candidates {
    size_t first = 0, orphan = 0, orphans = 0;
  };
  std::unordered_map<int64_t, Candidates> candidates;
  for (size_t i = 0; i < listed.nodes.size(); ++i) {
    Candidates& tree = candidates.try_emplace(trees[i], Candidates{.first = i}).first->second;
    if (!isChild[i] && tree.orphans++ == 0) tree.orphan = i;
  }
  for (const int64_t tree : names.treeOrder()) {
    const Candidates& found = candidates.at(tree);
    const bool atFirst = !isChild[found.first];
    if (!atFirst && found.orphans == 0)
      return fail(ErrorCode::kInvalidArgument, "tree {} has no root: its nodes form a cycle", tree);
    if (!atFirst && found.orphans > 1)
      return fail(ErrorCode::kInvalidArgument,
                  "tree {} is in pieces: no node leads to {} of its nodes, and its first node lies on a cycle or is "
                  "none of them",
                  tree, found.orphans);
    listed.roots.push_back(atFirst ? found.first : found.orphan);
  }
  return {};
}

// Weights sorted by leaf, the order within a leaf kept. What is said of inner nodes is not used.
Result<void> readWeights(const KernelInfo& info, const std::string& prefix, const NodeNames& names,
                         ListedTrees& listed) {
  const Ints trees = info.attribute<Ints>(prefix + "_treeids", {});
  const Ints ids = info.attribute<Ints>(prefix + "_nodeids", {});
  const Ints targets = info.attribute<Ints>(prefix + "_ids", {});
  CUTAWAY_TRY(const std::vector<double> weights, readNumbers(info, prefix + "_weights"));
  CUTAWAY_CHECK(checkLength(prefix + "_nodeids", ids.size(), trees.size()));
  CUTAWAY_CHECK(checkLength(prefix + "_ids", targets.size(), trees.size()));
  CUTAWAY_CHECK(checkLength(prefix + "_weights", weights.size(), trees.size()));
  std::vector<std::pair<size_t, size_t>> order;  // leaf, entry
  for (size_t i = 0; i < trees.size(); ++i) {
    CUTAWAY_TRY(const size_t node, names.find(trees[i], ids[i]));
    if (targets[i] < 0 || targets[i] >= listed.targets)
      return fail(ErrorCode::kInvalidArgument, "{}_ids[{}] is {}, outside [0, {})", prefix, i, targets[i],
                  listed.targets);
    if (listed.nodes[node].mode == Mode::kLeaf) order.emplace_back(node, i);
  }
  std::ranges::stable_sort(order, {}, &std::pair<size_t, size_t>::first);
  for (const auto& [node, entry] : order) {
    ListedNode& leaf = listed.nodes[node];
    if (leaf.weightCount++ == 0) leaf.firstWeight = listed.weights.size();
    listed.weights.push_back({targets[entry], weights[entry]});
  }
  return {};
}

// Sets of numbers with a NaN after each.
Result<std::vector<std::vector<double>>> readMemberSets(const KernelInfo& info) {
  std::vector<std::vector<double>> sets;
  const Tensor values = info.attribute<Tensor>("membership_values", Tensor{});
  if (!values.valid()) return sets;
  CUTAWAY_TRY(const std::vector<double> numbers, numbersOf(values, "membership_values"));
  std::vector<double> open;
  for (const double number : numbers) {
    if (!std::isnan(number)) {
      open.push_back(number);
      continue;
    }
    sets.push_back(std::move(open));
    open.clear();
  }
  if (!open.empty()) sets.push_back(std::move(open));
  for (auto& set : sets)
    std::ranges::sort(set);
  return sets;
}

struct PlacedAttributes {
  Ints roots, features, whenTrue, whenFalse, trueLeaf, falseLeaf, missing, leafTargets;
  std::vector<double> splits, leafWeights;
  std::vector<uint8_t> modes;
};

Result<PlacedAttributes> readPlacedAttributes(const KernelInfo& info) {
  PlacedAttributes a;
  a.roots = info.attribute<Ints>("tree_roots", {});
  a.features = info.attribute<Ints>("nodes_featureids", {});
  a.whenTrue = info.attribute<Ints>("nodes_truenodeids", {});
  a.whenFalse = info.attribute<Ints>("nodes_falsenodeids", {});
  a.trueLeaf = info.attribute<Ints>("nodes_trueleafs", {});
  a.falseLeaf = info.attribute<Ints>("nodes_falseleafs", {});
  a.missing = info.attribute<Ints>("nodes_missing_value_tracks_true", {});
  a.leafTargets = info.attribute<Ints>("leaf_targetids", {});
  CUTAWAY_TRY(a.splits, numbersOf(info.attribute<Tensor>("nodes_splits", Tensor{}), "nodes_splits"));
  CUTAWAY_TRY(a.leafWeights, numbersOf(info.attribute<Tensor>("leaf_weights", Tensor{}), "leaf_weights"));
  const Tensor modes = info.attribute<Tensor>("nodes_modes", Tensor{});
  if (modes.type() != ElementType::kUint8)
    return fail(ErrorCode::kInvalidArgument, "nodes_modes must be a tensor of uint8");
  a.modes.assign(modes.span<uint8_t>().begin(), modes.span<uint8_t>().end());
  const size_t count = a.features.size();
  CUTAWAY_CHECK(checkLength("nodes_truenodeids", a.whenTrue.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_falsenodeids", a.whenFalse.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_trueleafs", a.trueLeaf.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_falseleafs", a.falseLeaf.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_modes", a.modes.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_splits", a.splits.size(), count));
  if (!a.missing.empty()) CUTAWAY_CHECK(checkLength("nodes_missing_value_tracks_true", a.missing.size(), count));
  CUTAWAY_CHECK(checkLength("leaf_weights", a.leafWeights.size(), a.leafTargets.size()));
  return a;
}

// The place in the list of a branch: nodes come first, then leaves.
Result<size_t> branchPlace(int64_t id, bool leaf, size_t nodes, size_t leaves, size_t from) {
  const size_t limit = leaf ? leaves : nodes;
  if (id < 0 || static_cast<uint64_t>(id) >= limit)
    return fail(ErrorCode::kInvalidArgument, "node {} leads to {} {}, of which there are {}", from,
                leaf ? "leaf" : "node", id, limit);
  return static_cast<size_t>(id) + (leaf ? nodes : 0);
}

}  // namespace

Result<std::vector<double>> numbersOf(const Tensor& tensor, std::string_view name) {
  const auto copy = [](auto span, auto&& toDouble) {
    std::vector<double> numbers(span.size());
    std::ranges::transform(span, numbers.begin(), toDouble);
    return numbers;
  };
  switch (tensor.type()) {
    case ElementType::kFloat:
      return copy(tensor.span<float>(), [](float v) { return static_cast<double>(v); });
    case ElementType::kDouble:
      return copy(tensor.span<double>(), [](double v) { return v; });
    case ElementType::kFloat16:
      return copy(tensor.span<Float16>(), [](Float16 v) { return static_cast<double>(v.toFloat()); });
    default:
      return fail(ErrorCode::kInvalidArgument, "{} must be a tensor of float, double or float16", name);
  }
}

Result<std::vector<double>> readNumbers(const KernelInfo& info, const std::string& name) {
  const auto list = info.attribute<std::vector<float>>(name, {});
  const Tensor tensor = info.attribute<Tensor>(name + "_as_tensor", Tensor{});
  if (!tensor.valid()) return std::vector<double>(list.begin(), list.end());
  if (!list.empty()) return fail(ErrorCode::kInvalidArgument, "{} and {}_as_tensor are both given", name, name);
  return numbersOf(tensor, name + "_as_tensor");
}

Result<ListedTrees> readNamedTrees(const KernelInfo& info, const std::string& prefix, int64_t targets) {
  const Ints trees = info.attribute<Ints>("nodes_treeids", {});
  const Ints ids = info.attribute<Ints>("nodes_nodeids", {});
  const Ints features = info.attribute<Ints>("nodes_featureids", {});
  const Ints whenTrue = info.attribute<Ints>("nodes_truenodeids", {});
  const Ints whenFalse = info.attribute<Ints>("nodes_falsenodeids", {});
  const Ints missing = info.attribute<Ints>("nodes_missing_value_tracks_true", {});
  const auto modes = info.attribute<std::vector<std::string>>("nodes_modes", {});
  CUTAWAY_TRY(const std::vector<double> splits, readNumbers(info, "nodes_values"));
  CUTAWAY_CHECK(checkTargets(targets));
  const size_t count = trees.size();
  if (count == 0) return fail(ErrorCode::kInvalidArgument, "nodes_treeids is empty: there is no tree");
  CUTAWAY_CHECK(checkLength("nodes_nodeids", ids.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_featureids", features.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_truenodeids", whenTrue.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_falsenodeids", whenFalse.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_modes", modes.size(), count));
  CUTAWAY_CHECK(checkLength("nodes_values", splits.size(), count));
  if (!missing.empty()) CUTAWAY_CHECK(checkLength("nodes_missing_value_tracks_true", missing.size(), count));
  CUTAWAY_TRY(const NodeNames names, NodeNames::of(trees, ids));
  ListedTrees listed;
  listed.targets = targets;
  listed.nodes.resize(count);
  for (size_t i = 0; i < count; ++i) {
    ListedNode& node = listed.nodes[i];
    CUTAWAY_TRY(node.mode, modeNamed(modes[i]));
    if (node.mode == Mode::kLeaf) continue;
    CUTAWAY_CHECK(checkFeature(features[i], i));
    node.feature = features[i];
    node.split = splits[i];
    node.missingTrue = !missing.empty() && missing[i] != 0;
    CUTAWAY_TRY(node.whenTrue, names.find(trees[i], whenTrue[i]));
    CUTAWAY_TRY(node.whenFalse, names.find(trees[i], whenFalse[i]));
  }
  CUTAWAY_CHECK(findRoots(listed, trees, names));
  CUTAWAY_CHECK(readWeights(info, prefix, names, listed));
  return listed;
}

Result<ListedTrees> readPlacedTrees(const KernelInfo& info) {
  CUTAWAY_TRY(const PlacedAttributes a, readPlacedAttributes(info));
  ListedTrees listed;
  listed.targets = info.attribute<int64_t>("n_targets", 1);
  CUTAWAY_CHECK(checkTargets(listed.targets));
  CUTAWAY_TRY(listed.memberSets, readMemberSets(info));
  const size_t nodes = a.features.size(), leaves = a.leafTargets.size();
  if (a.roots.empty()) return fail(ErrorCode::kInvalidArgument, "tree_roots is empty: there is no tree");
  listed.nodes.resize(nodes + leaves);
  size_t memberNodes = 0;
  for (size_t i = 0; i < nodes; ++i) {
    ListedNode& node = listed.nodes[i];
    if (a.modes[i] > static_cast<uint8_t>(Mode::kMember))
      return fail(ErrorCode::kInvalidArgument, "nodes_modes[{}] is {}; 0 to 6 are known", i, a.modes[i]);
    node.mode = static_cast<Mode>(a.modes[i]);
    CUTAWAY_CHECK(checkFeature(a.features[i], i));
    node.feature = a.features[i];
    node.split = a.splits[i];
    node.missingTrue = !a.missing.empty() && a.missing[i] != 0;
    if (node.mode == Mode::kMember) node.members = memberNodes++;
    CUTAWAY_TRY(node.whenTrue, branchPlace(a.whenTrue[i], a.trueLeaf[i] != 0, nodes, leaves, i));
    CUTAWAY_TRY(node.whenFalse, branchPlace(a.whenFalse[i], a.falseLeaf[i] != 0, nodes, leaves, i));
  }
  CUTAWAY_CHECK(checkLength("membership_values (sets)", listed.memberSets.size(), memberNodes));
  for (size_t i = 0; i < leaves; ++i) {
    if (a.leafTargets[i] < 0 || a.leafTargets[i] >= listed.targets)
      return fail(ErrorCode::kInvalidArgument, "leaf_targetids[{}] is {}, outside [0, {})", i, a.leafTargets[i],
                  listed.targets);
    listed.nodes[nodes + i].firstWeight = i;
    listed.nodes[nodes + i].weightCount = 1;
    listed.weights.push_back({a.leafTargets[i], a.leafWeights[i]});
  }
  for (const int64_t root : a.roots) {
    if (root < 0 || static_cast<uint64_t>(root) >= nodes)
      return fail(ErrorCode::kInvalidArgument, "tree_roots has {}, outside [0, {})", root, nodes);
    listed.roots.push_back(static_cast<size_t>(root));
  }
  return listed;
}

}  // namespace cutaway::cpu::trees
