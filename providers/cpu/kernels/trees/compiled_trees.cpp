// Laying out listed trees, and the walks over them.

#include "providers/cpu/kernels/trees/compiled_trees.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cutaway::cpu::trees {
namespace {

constexpr int64_t kLanes = 8;
constexpr int64_t kBlockRows = 256;  // rows that walk one tree before the next: the tree stays in cache
constexpr uint32_t kMissingFirst = uint32_t{1} << 31;

// Fails when some node can reach itself: a depth-first walk that meets a node still open.
Result<void> checkNoCycle(const ListedTrees& listed, size_t root, std::vector<uint8_t>& colour) {
  enum : uint8_t { kNew, kOpen, kDone };
  std::vector<std::pair<size_t, int>> path{{root, 0}};
  while (!path.empty()) {
    auto& [place, step] = path.back();
    const ListedNode& node = listed.nodes[place];
    if (step == 0) {
      if (colour[place] == kDone) {
        path.pop_back();
        continue;
      }
      colour[place] = kOpen;
    }
    if (step == 2 || node.mode == Mode::kLeaf) {
      colour[place] = kDone;
      path.pop_back();
      continue;
    }
    const size_t next = step++ == 0 ? node.whenTrue : node.whenFalse;
    if (colour[next] == kOpen)
      return fail(ErrorCode::kInvalidArgument, "node {} leads back to node {}: the nodes of a tree form a cycle", place,
                  next);
    path.emplace_back(next, 0);
  }
  return {};
}

// x >= v is "not x < v", x > v is "not x <= v", x != v is "not x == v": the children change places. Not so for x >= NaN
// and x > NaN, which never hold.
bool childrenSwapped(const ListedNode& node) {
  if (node.mode == Mode::kNotEqual) return true;
  return (node.mode == Mode::kGreaterEqual || node.mode == Mode::kGreater) && !std::isnan(node.split);
}

}  // namespace

template <typename T>
void CompiledTrees<T>::placeNode(const ListedTrees& listed, const ListedNode& from, uint32_t at) {
  Traits& traits = m_traits[at];
  if (from.mode == Mode::kLeaf) {
    traits = {.leaf = true,
              .place = static_cast<uint32_t>(m_weights.size()),
              .weights = static_cast<uint32_t>(from.weightCount)};
    for (size_t i = 0; i < from.weightCount; ++i) {
      const LeafWeight& weight = listed.weights[from.firstWeight + i];
      m_weights.push_back({static_cast<int32_t>(weight.target), static_cast<T>(weight.value)});
    }
    return;
  }
  switch (from.mode) {
    case Mode::kLessEqual:
    case Mode::kGreater:
      traits.test = Test::kLessEqual;
      break;
    case Mode::kLess:
    case Mode::kGreaterEqual:
      traits.test = Test::kLess;
      break;
    case Mode::kMember:
      traits.test = Test::kMember;
      break;
    default:
      traits.test = Test::kEqual;
      break;
  }
  const bool missingTrue = from.missingTrue || from.mode == Mode::kNotEqual;
  traits.missingFirst = missingTrue != childrenSwapped(from);
  traits.place = static_cast<uint32_t>(from.members);
  m_nodes[at] = {static_cast<T>(from.split),
                 static_cast<uint32_t>(from.feature) | (traits.missingFirst ? kMissingFirst : 0), 0};
  m_highestFeature = std::max(m_highestFeature, from.feature);
}

template <typename T>
Result<void> CompiledTrees<T>::layOut(const ListedTrees& listed, size_t root) {
  // Branches may share what they lead to (TreeEnsemble allows it for leaves); each gets a copy here, within reason.
  const size_t most = 8 * listed.nodes.size() + 1024;
  struct Open {
    size_t from;
    uint32_t at, depth;
  };
  std::vector<Open> level{{root, static_cast<uint32_t>(m_nodes.size()), 0}};
  Root entry{level[0].at, 0};
  m_nodes.emplace_back();
  m_traits.emplace_back();
  for (size_t i = 0; i < level.size(); ++i) {
    const Open open = level[i];
    const ListedNode& node = listed.nodes[open.from];
    placeNode(listed, node, open.at);
    if (node.mode == Mode::kLeaf) {
      entry.deepest = std::max(entry.deepest, open.depth);
      continue;
    }
    const size_t child = m_nodes.size();
    if (child > most || m_weights.size() > most + 8 * listed.weights.size())
      return fail(ErrorCode::kInvalidArgument, "the trees share so many nodes that they are no trees any more");
    const bool swapped = childrenSwapped(node);
    m_nodes[open.at].child = static_cast<uint32_t>(child);
    m_nodes.resize(child + 2);
    m_traits.resize(child + 2);
    level.push_back({swapped ? node.whenFalse : node.whenTrue, static_cast<uint32_t>(child), open.depth + 1});
    level.push_back({swapped ? node.whenTrue : node.whenFalse, static_cast<uint32_t>(child + 1), open.depth + 1});
  }
  m_roots.push_back(entry);
  return {};
}

// Which walk fits all nodes, and leaves that lead to themselves under it.
template <typename T>
void CompiledTrees<T>::chooseWalk() {
  bool lessEqual = false, less = false, other = false, one = m_targets == 1;
  for (const Traits& traits : m_traits) {
    if (traits.leaf)
      one = one && traits.weights == 1;
    else if (traits.test == Test::kLessEqual)
      lessEqual = true;
    else if (traits.test == Test::kLess)
      less = true;
    else
      other = true;
  }
  m_walk = other || (lessEqual && less) ? Walk::kGeneral : less ? Walk::kLess : Walk::kLessEqual;
  for (uint32_t at = 0; at < m_nodes.size(); ++at) {
    if (!m_traits[at].leaf) continue;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    // x <= infinity always holds, x < -infinity never does.
    m_nodes[at] = m_walk == Walk::kLess ? Node{-kInfinity, 0, at - 1} : Node{kInfinity, kMissingFirst, at};
  }
  if (!one) return;
  m_onlyValues.resize(m_nodes.size());
  for (size_t at = 0; at < m_nodes.size(); ++at) {
    if (m_traits[at].leaf) m_onlyValues[at] = m_weights[m_traits[at].place].value;
  }
}

template <typename T>
Result<CompiledTrees<T>> CompiledTrees<T>::compile(const ListedTrees& listed) {
  CompiledTrees result;
  result.m_targets = listed.targets;
  if (listed.nodes.size() > (size_t{1} << 28) || listed.weights.size() > (size_t{1} << 28))
    return fail(ErrorCode::kInvalidArgument, "an ensemble of {} nodes is too large", listed.nodes.size());
  for (const std::vector<double>& set : listed.memberSets) {
    result.m_memberSets.emplace_back(set.begin(), set.end());
    std::ranges::sort(result.m_memberSets.back());
  }
  std::vector<uint8_t> colour(listed.nodes.size());
  for (const size_t root : listed.roots) {
    CUTAWAY_CHECK(checkNoCycle(listed, root, colour));
    CUTAWAY_CHECK(result.layOut(listed, root));
  }
  result.chooseWalk();
  return result;
}

template <typename T>
uint32_t CompiledTrees<T>::walkOne(uint32_t root, const T* row) const {
  uint32_t at = root;
  while (!m_traits[at].leaf) {
    const Node& node = m_nodes[at];
    const Traits& traits = m_traits[at];
    const T x = row[node.feature & ~kMissingFirst];
    bool first = traits.missingFirst;
    if (!std::isnan(x)) {
      switch (traits.test) {
        case Test::kLessEqual:
          first = x <= node.split;
          break;
        case Test::kLess:
          first = x < node.split;
          break;
        case Test::kEqual:
          first = x == node.split;
          break;
        case Test::kMember:
          first = std::ranges::binary_search(m_memberSets[traits.place], x);
          break;
      }
    }
    at = node.child + (first ? 0 : 1);
  }
  return at;
}

template <typename T>
void CompiledTrees<T>::addLeaf(Combine combine, uint32_t leaf, T* scores, uint8_t* given) const {
  const Traits& traits = m_traits[leaf];
  const Weight* weights = m_weights.data() + traits.place;
  for (uint32_t i = 0; i < traits.weights; ++i) {
    T& score = scores[weights[i].target];
    uint8_t& known = given[weights[i].target];
    const T value = weights[i].value;
    if (combine == Combine::kSum)
      score += value;
    else if (!known || (combine == Combine::kMin ? value < score : value > score))
      score = value;
    known = 1;
  }
}

template <typename T>
void CompiledTrees<T>::addGeneral(Combine combine, const T* x, int64_t rows, int64_t features, T* scores,
                                  uint8_t* given) const {
  for (const Root& root : m_roots) {
    for (int64_t r = 0; r < rows; ++r)
      addLeaf(combine, walkOne(root.node, x + r * features), scores + r * m_targets, given + r * m_targets);
  }
}

template <typename T>
template <bool kStrict, bool kMissing>
inline uint32_t CompiledTrees<T>::step(const Node& node, const T* row) {
  const T value = row[node.feature & ~kMissingFirst];
  uint32_t second = kStrict ? !(value < node.split) : !(value <= node.split);
  if constexpr (kMissing) second &= static_cast<uint32_t>(!(value != value)) | ((node.feature >> 31) ^ 1);
  return node.child + second;
}

template <typename T>
template <bool kStrict, bool kMissing>
void CompiledTrees<T>::addRowsInStep(Combine combine, const T* x, int64_t rows, int64_t features, T* scores,
                                     uint8_t* given) const {
  const Node* nodes = m_nodes.data();
  const bool quick = combine == Combine::kSum && !m_onlyValues.empty();
  for (const Root& root : m_roots) {
    for (int64_t r = 0; r < rows; r += kLanes) {
      std::array<uint32_t, kLanes> at;
      at.fill(root.node);
      const T* base = x + r * features;
      for (uint32_t depth = 0; depth < root.deepest; ++depth) {
        uint32_t moved = 0;
        for (size_t lane = 0; lane < kLanes; ++lane) {
          const uint32_t next = step<kStrict, kMissing>(nodes[at[lane]], base + static_cast<int64_t>(lane) * features);
          moved |= next ^ at[lane];
          at[lane] = next;
        }
        if (moved == 0) break;
      }
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const int64_t row = r + static_cast<int64_t>(lane);
        if (quick)
          scores[row] += m_onlyValues[at[lane]];
        else
          addLeaf(combine, at[lane], scores + row * m_targets, given + row * m_targets);
      }
    }
  }
  if (quick) std::fill_n(given, rows, uint8_t{1});
}

template <typename T>
template <bool kStrict, bool kMissing>
void CompiledTrees<T>::addTreesInStep(Combine combine, const T* row, T* scores, uint8_t* given) const {
  const Node* nodes = m_nodes.data();
  size_t tree = 0;
  for (; tree + kLanes <= m_roots.size(); tree += kLanes) {
    std::array<uint32_t, kLanes> at;
    uint32_t deepest = 0;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      at[lane] = m_roots[tree + lane].node;
      deepest = std::max(deepest, m_roots[tree + lane].deepest);
    }
    for (uint32_t depth = 0; depth < deepest; ++depth) {
      uint32_t moved = 0;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const uint32_t next = step<kStrict, kMissing>(nodes[at[lane]], row);
        moved |= next ^ at[lane];
        at[lane] = next;
      }
      if (moved == 0) break;
    }
    for (size_t lane = 0; lane < kLanes; ++lane)
      addLeaf(combine, at[lane], scores, given);
  }
  for (; tree < m_roots.size(); ++tree)
    addLeaf(combine, walkOne(m_roots[tree].node, row), scores, given);
}

// Blocks of rows, tree by tree; the rows left over one by one, eight trees at a time.
template <typename T>
template <bool kStrict, bool kMissing>
void CompiledTrees<T>::addInStep(Combine combine, const T* x, int64_t rows, int64_t features, T* scores,
                                 uint8_t* given) const {
  const int64_t whole = rows - rows % kLanes;
  if (whole > 0) addRowsInStep<kStrict, kMissing>(combine, x, whole, features, scores, given);
  for (int64_t r = whole; r < rows; ++r)
    addTreesInStep<kStrict, kMissing>(combine, x + r * features, scores + r * m_targets, given + r * m_targets);
}

template <typename T>
void CompiledTrees<T>::addScores(Combine combine, const T* x, int64_t rows, int64_t features, T* scores,
                                 uint8_t* given) const {
  for (int64_t r = 0; r < rows; r += kBlockRows) {
    const int64_t count = std::min(kBlockRows, rows - r);
    const T* from = x + r * features;
    T* to = scores + r * m_targets;
    uint8_t* known = given + r * m_targets;
    bool missing = false;
    for (int64_t i = 0; i < count * features; ++i)
      missing |= from[i] != from[i];
    if (m_walk == Walk::kGeneral)
      addGeneral(combine, from, count, features, to, known);
    else if (m_walk == Walk::kLess && missing)
      addInStep<true, true>(combine, from, count, features, to, known);
    else if (m_walk == Walk::kLess)
      addInStep<true, false>(combine, from, count, features, to, known);
    else if (missing)
      addInStep<false, true>(combine, from, count, features, to, known);
    else
      addInStep<false, false>(combine, from, count, features, to, known);
  }
}

template class CompiledTrees<float>;
template class CompiledTrees<double>;

}  // namespace cutaway::cpu::trees
