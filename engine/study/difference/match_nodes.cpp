// Matching by anchors, as in differencing of trees and graphs (S. Chawathe and others 1996; E. Myers' unique lines, as
// patience diff has them): what is unique on both sides is certain, and from certain pairs the matching grows along
// edges.
//
//  1. Names with operators, unless exporters numbered the nodes anew: names are trusted when most nodes that share one
//  also look alike and read from nodes whose names agree.
//  2. Fingerprints that are unique on both sides: of everything above and below, then of either. An inserted node
//  changes what is above of all below it and the other way round, so that one of
//     the two still holds everywhere but between two changes.
//  3. Along edges from pairs: the producer of the same input, the only reader of that operator at that input.
//  4. Between changes: neighbourhoods of shrinking radius, unique again, each followed by 3.
//  5. Nodes that look exactly alike, as many on either side: in order, each followed by 3, so that twins do not change
//  partners half way.
//  6. The same with operators alone, for what attributes or weights set apart; at last names that were not trusted.

#include "engine/study/difference/match_nodes.h"

#include <algorithm>
#include <unordered_map>

#include "engine/base/hash.h"

namespace cutaway::study {
namespace {

constexpr double kTrust = 0.6;    // share of like nodes among those that share a name
constexpr size_t kManyUses = 64;  // readers of one node that are compared one by one

struct Key {
  uint64_t print;
  int32_t node;
  auto operator<=>(const Key&) const = default;
};

class Matcher {
 public:
  Matcher(const MatchGraph& a, const MatchGraph& b) : m_a(a), m_b(b) {
    m_matching.toB.assign(static_cast<size_t>(a.nodeCount()), kNone);
    m_matching.toA.assign(static_cast<size_t>(b.nodeCount()), kNone);
    m_matching.by.assign(static_cast<size_t>(a.nodeCount()), MatchedBy::kNothing);
  }

  NodeMatching run() {
    const Fingerprints namesA = names(m_a), namesB = names(m_b);
    const bool trusted = namesAreTrusted(namesA, namesB);
    if (trusted) unique(namesA, namesB, MatchedBy::kName, true);
    structure(m_a.labels(), m_b.labels(), true);
    structure(m_a.operators(), m_b.operators(), false);
    if (!trusted) unique(namesA, namesB, MatchedBy::kName, true);
    return std::move(m_matching);
  }

 private:
  void structure(const Fingerprints& labelsA, const Fingerprints& labelsB, bool twinsToo) {
    const Fingerprints upA = m_a.up(labelsA), upB = m_b.up(labelsB), downA = m_a.down(labelsA),
                       downB = m_b.down(labelsB);
    const Fingerprints bothA = both(upA, downA), bothB = both(upB, downB);
    unique(bothA, bothB, MatchedBy::kStructure, false);
    grow();
    unique(upA, upB, MatchedBy::kStructure, true);
    unique(downA, downB, MatchedBy::kStructure, true);
    for (const int radius : {8, 4, 2}) {
      if (done()) return;
      unique(m_a.around(labelsA, radius), m_b.around(labelsB, radius), MatchedBy::kStructure, true);
    }
    if (!twinsToo) return;
    twins(bothA, bothB);
    twins(upA, upB);
    twins(downA, downB);
  }

  bool done() const { return m_pairs == std::min(m_a.nodeCount(), m_b.nodeCount()); }

  static Fingerprints both(const Fingerprints& up, const Fingerprints& down) {
    Fingerprints prints(up.size());
    for (size_t i = 0; i < up.size(); ++i)
      prints[i] = mixHash(up[i], down[i]);
    return prints;
  }

  // 0: no name.
  static Fingerprints names(const MatchGraph& side) {
    Fingerprints prints;
    for (int32_t node = 0; node < side.nodeCount(); ++node) {
      const std::string& name = side.graph().nodes[static_cast<size_t>(node)].name;
      prints.push_back(name.empty() ? 0 : mixHash(hash64(name), side.operatorOf(node)));
    }
    return prints;
  }

  // Unmatched nodes by print.
  static std::vector<Key> keys(const Fingerprints& prints, const std::vector<int32_t>& partners) {
    std::vector<Key> list;
    for (size_t i = 0; i < prints.size(); ++i)
      if (partners[i] == kNone && prints[i] != 0) list.push_back({prints[i], static_cast<int32_t>(i)});
    std::ranges::sort(list);
    return list;
  }

  // visit(nodes of A, nodes of B) for every print that both sides have.
  template <typename Visit>
  static void forEachCommon(const std::vector<Key>& a, const std::vector<Key>& b, Visit&& visit) {
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
      if (a[i].print != b[j].print) {
        a[i].print < b[j].print ? ++i : ++j;
        continue;
      }
      size_t endA = i, endB = j;
      while (endA < a.size() && a[endA].print == a[i].print)
        ++endA;
      while (endB < b.size() && b[endB].print == b[j].print)
        ++endB;
      visit(std::span(a).subspan(i, endA - i), std::span(b).subspan(j, endB - j));
      i = endA;
      j = endB;
    }
  }

  void unique(const Fingerprints& printsA, const Fingerprints& printsB, MatchedBy by, bool andGrow) {
    forEachCommon(keys(printsA, m_matching.toB), keys(printsB, m_matching.toA),
                  [&](std::span<const Key> a, std::span<const Key> b) {
                    if (a.size() == 1 && b.size() == 1) match(a[0].node, b[0].node, by);
                  });
    if (andGrow) grow();
  }

  void twins(const Fingerprints& printsA, const Fingerprints& printsB) {
    if (done()) return;
    struct Group {
      std::vector<int32_t> a, b;
    };
    std::vector<Group> groups;
    forEachCommon(keys(printsA, m_matching.toB), keys(printsB, m_matching.toA),
                  [&](std::span<const Key> a, std::span<const Key> b) {
                    if (a.size() != b.size()) return;
                    Group& group = groups.emplace_back();
                    for (const Key& key : a)
                      group.a.push_back(key.node);
                    for (const Key& key : b)
                      group.b.push_back(key.node);
                  });
    std::ranges::sort(groups, {}, [](const Group& group) { return group.a.front(); });
    for (const Group& group : groups) {
      size_t next = 0;
      for (const int32_t node : group.a) {
        if (m_matching.toB[static_cast<size_t>(node)] != kNone) continue;
        while (next < group.b.size() && m_matching.toA[static_cast<size_t>(group.b[next])] != kNone)
          ++next;
        if (next == group.b.size()) break;
        match(node, group.b[next], MatchedBy::kStructure);
        grow();
      }
    }
  }

  bool namesAreTrusted(const Fingerprints& namesA, const Fingerprints& namesB) const {
    std::vector<int32_t> partner(namesA.size(), kNone);
    int64_t shared = 0, alike = 0;
    forEachCommon(keys(namesA, m_matching.toB), keys(namesB, m_matching.toA),
                  [&](std::span<const Key> a, std::span<const Key> b) {
                    if (a.size() == 1 && b.size() == 1) partner[static_cast<size_t>(a[0].node)] = b[0].node;
                  });
    for (size_t node = 0; node < partner.size(); ++node) {
      if (partner[node] == kNone) continue;
      ++shared;
      alike += readsAlike(static_cast<int32_t>(node), partner) ? 1 : 0;
    }
    return shared > 0 && static_cast<double>(alike) >= kTrust * static_cast<double>(shared);
  }

  bool readsAlike(int32_t node, const std::vector<int32_t>& partner) const {
    const int32_t other = partner[static_cast<size_t>(node)];
    if (m_a.labels()[static_cast<size_t>(node)] != m_b.labels()[static_cast<size_t>(other)]) return false;
    const auto inputsA = m_a.inputs(node), inputsB = m_b.inputs(other);
    for (size_t slot = 0; slot < std::min(inputsA.size(), inputsB.size()); ++slot) {
      if (inputsA[slot].producer == kNone || inputsB[slot].producer == kNone) continue;
      return partner[static_cast<size_t>(inputsA[slot].producer)] == inputsB[slot].producer;
    }
    return true;
  }

  void match(int32_t a, int32_t b, MatchedBy by) {
    m_matching.toB[static_cast<size_t>(a)] = b;
    m_matching.toA[static_cast<size_t>(b)] = a;
    m_matching.by[static_cast<size_t>(a)] = by;
    ++m_pairs;
    m_open.push_back(a);
  }

  bool free(int32_t a, int32_t b) const {
    return m_matching.toB[static_cast<size_t>(a)] == kNone && m_matching.toA[static_cast<size_t>(b)] == kNone &&
           m_a.operatorOf(a) == m_b.operatorOf(b);
  }

  void grow() {
    for (size_t at = 0; at < m_open.size(); ++at) {
      growUp(m_open[at]);
      growDown(m_open[at]);
    }
    m_open.clear();
  }

  void growUp(int32_t a) {
    const auto inputsA = m_a.inputs(a), inputsB = m_b.inputs(m_matching.toB[static_cast<size_t>(a)]);
    for (size_t slot = 0; slot < std::min(inputsA.size(), inputsB.size()); ++slot) {
      const MatchInput& from = inputsA[slot];
      const MatchInput& to = inputsB[slot];
      if (from.producer != kNone && to.producer != kNone && from.producerSlot == to.producerSlot &&
          free(from.producer, to.producer))
        match(from.producer, to.producer, MatchedBy::kStructure);
    }
  }

  // The place of the only free reader of each kind (operator and slots); kNone where there are several.
  std::unordered_map<uint64_t, int32_t> onlyReaders(const MatchGraph& side, int32_t node,
                                                    const std::vector<int32_t>& partners) const {
    std::unordered_map<uint64_t, int32_t> only;
    for (const MatchUse& use : side.uses(node)) {
      if (partners[static_cast<size_t>(use.node)] != kNone) continue;
      const uint64_t kind = mixHash(side.operatorOf(use.node),
                                    static_cast<uint64_t>(use.slot) * 1024 + static_cast<uint64_t>(use.outputSlot));
      const auto [at, isNew] = only.try_emplace(kind, use.node);
      if (!isNew && at->second != use.node) at->second = kNone;
    }
    return only;
  }

  void growDown(int32_t a) {
    const int32_t b = m_matching.toB[static_cast<size_t>(a)];
    const auto usesA = m_a.uses(a), usesB = m_b.uses(b);
    if (usesA.empty() || usesB.empty() || usesA.size() > kManyUses || usesB.size() > kManyUses) return;
    const auto readersA = onlyReaders(m_a, a, m_matching.toB), readersB = onlyReaders(m_b, b, m_matching.toA);
    // In the order of the uses, which does not depend on how the maps lie in memory.
    for (const MatchUse& use : usesA) {
      const auto from = readersA.find(mixHash(
          m_a.operatorOf(use.node), static_cast<uint64_t>(use.slot) * 1024 + static_cast<uint64_t>(use.outputSlot)));
      if (from == readersA.end() || from->second != use.node) continue;
      const auto to = readersB.find(from->first);
      if (to != readersB.end() && to->second != kNone && free(use.node, to->second))
        match(use.node, to->second, MatchedBy::kStructure);
    }
  }

  const MatchGraph& m_a;
  const MatchGraph& m_b;
  NodeMatching m_matching;
  std::vector<int32_t> m_open;  // nodes of A whose neighbours are to be looked at
  int32_t m_pairs = 0;
};

}  // namespace

NodeMatching matchNodes(const MatchGraph& a, const MatchGraph& b) {
  return Matcher(a, b).run();
}

}  // namespace cutaway::study
