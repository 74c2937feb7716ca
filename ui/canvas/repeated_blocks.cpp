// Finds rows of blocks with the same structure.
//
// Nodes are labelled by hashes of their neighbourhoods (Weisfeiler and Leman's colour refinement, two rounds, as in
// graph kernels: Shervashidze et al. 2011). Labels that come once a block tell by the distance of their occurrences
// which periods there may be; the repeats themselves are maximal repetitions in the sequence of operators (Main and
// Lorentz 1984 look for all of them; here only the few periods that the labels voted for are tried, one pass each).
// Wiring must repeat as well, and blocks are cut where the fewest values cross.
#include "ui/canvas/repeated_blocks.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include <QCoreApplication>

#include "ui/canvas/block_names.h"
#include "ui/canvas/grouping.h"

namespace cutaway::ui {
namespace {

constexpr int kSmallestPeriod = 4;  // below: Conv, BatchNormalization, Relu and the like
constexpr int kTriedPeriods = 24;
constexpr int kRounds = 2;
constexpr int kMostRuns = 200;
constexpr int kNestedPeriod = 24;  // blocks at least this large are looked into
constexpr double kSameWiring = 0.75;
constexpr double kNearlyAsMuch = 0.9;
constexpr double kLostBlock = 0.6;  // lines that another cut must save to be worth one block less

size_t combine(size_t seed, size_t value) {
  return (seed ^ (value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2))) * 0xff51afd7ed558ccdULL;
}

class BlockFinder {
 public:
  explicit BlockFinder(const GraphReport& graph) : m_graph(graph) {
    for (const NodeReport& node : graph.nodes)
      m_operators.push_back(
          combine(std::hash<std::string>()(node.opType), std::hash<std::string>()(node.domain) + node.inputs.size()));
    m_labels = m_operators;
    for (int round = 0; round < kRounds; ++round)
      refine();
  }

  // Runs within [low, high), ascending.
  std::vector<BlockRun> find(int low, int high) const {
    std::vector<Match> matches;
    for (const int period : periods(low, high))
      listMatches(low, high, period, matches);
    std::stable_sort(matches.begin(), matches.end(),
                     [](const Match& a, const Match& b) { return a.length() > b.length(); });
    std::vector<BlockRun> runs;
    for (size_t m = 0; m < matches.size() && static_cast<int>(runs.size()) < kMostRuns; ++m)
      accept(m, matches, runs);
    std::sort(runs.begin(), runs.end(), [](const BlockRun& a, const BlockRun& b) { return a.first < b.first; });
    return runs;
  }

 private:
  struct Match {  // positions first .. last are repeats with the period
    int first, last, period;
    int length() const { return last - first; }
  };

  int producer(int32_t value) const { return value >= 0 ? m_graph.values[value].producer : -1; }

  void refine() {
    std::vector<size_t> next(m_labels.size());
    for (size_t n = 0; n < m_labels.size(); ++n) {
      size_t label = m_labels[n];
      for (const int32_t input : m_graph.nodes[n].inputs)
        label = combine(label, producer(input) >= 0 ? m_labels[producer(input)] : 1);
      for (const int32_t output : m_graph.nodes[n].outputs) {
        size_t readers = 0;  // a sum: readers have no order
        if (output >= 0)
          for (const int32_t consumer : m_graph.values[output].consumers)
            readers += m_labels[consumer] * 31;
        label = combine(label, readers);
      }
      next[n] = label;
    }
    m_labels = std::move(next);
  }

  std::vector<int> periods(int low, int high) const {
    std::unordered_map<size_t, int> last;
    std::unordered_map<int, int> votes;
    for (int i = low; i < high; ++i) {
      const auto [entry, added] = last.try_emplace(m_labels[i], i);
      if (added) continue;
      if (i - entry->second >= kSmallestPeriod) ++votes[i - entry->second];
      entry->second = i;
    }
    std::vector<std::pair<int, int>> ranked(votes.begin(), votes.end());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    std::vector<int> result;
    for (size_t i = 0; i < ranked.size() && i < kTriedPeriods; ++i)
      result.push_back(ranked[i].first);
    return result;
  }

  void listMatches(int low, int high, int period, std::vector<Match>& matches) const {
    for (int i = low; i + period < high;) {
      int end = i;
      while (end + period < high && m_operators[end] == m_operators[end + period])
        ++end;
      if (end - i >= period && isPrimitive(i, period) && sameWiring(i, end, period))
        matches.push_back({i, end + period, period});
      i = end + 1;
    }
  }

  // A block that is itself a short pattern over and over says nothing: Conv, Relu, Conv, Relu.
  bool isPrimitive(int first, int period) const {
    for (int p = 1; p < kSmallestPeriod; ++p) {
      int i = 0;
      while (i + p < period && m_operators[first + i] == m_operators[first + i + p])
        ++i;
      if (i + p == period) return false;
    }
    return true;
  }

  bool sameWiring(int first, int end, int period) const {
    long long same = 0, all = 0;
    for (int i = first; i < end; ++i) {
      const NodeReport& here = m_graph.nodes[i];
      const NodeReport& there = m_graph.nodes[i + period];
      for (size_t k = 0; k < std::min(here.inputs.size(), there.inputs.size()); ++k) {
        const int a = producer(here.inputs[k]), b = producer(there.inputs[k]);
        ++all;
        same += (a < first && b < first) || (a < first && b < first + period) || b - a == period;
      }
    }
    return static_cast<double>(same) >= kSameWiring * static_cast<double>(all);
  }

  void accept(size_t index, const std::vector<Match>& matches, std::vector<BlockRun>& runs) const {
    Match best = matches[index];
    for (size_t m = index + 1; m < matches.size() && matches[m].length() >= kNearlyAsMuch * matches[index].length();
         ++m) {
      const int overlap =
          std::min(matches[m].last, matches[index].last) - std::max(matches[m].first, matches[index].first);
      if (matches[m].period < best.period && overlap >= kNearlyAsMuch * matches[index].length()) best = matches[m];
    }
    // What earlier runs took is not free; a rest that still repeats is a run of its own.
    for (const BlockRun& run : runs) {
      if (run.end() <= best.first || run.first >= best.last) continue;
      if (run.first - best.first >= best.last - run.end()) {
        best.last = run.first;
      } else {
        best.first = run.end();
      }
    }
    if (best.length() < 2 * best.period) return;
    runs.push_back(cut(best));
  }

  BlockRun cut(const Match& match) const {
    // crossing[i]: values that are made before position first + i and read at or behind it.
    std::vector<int> crossing(match.length() + 1, 0);
    for (int n = match.first; n < match.last; ++n)
      for (const int32_t output : m_graph.nodes[n].outputs) {
        if (output < 0 || m_graph.values[output].consumers.empty()) continue;
        const int end = std::min(m_graph.values[output].consumers.back(), match.last - 1);
        if (end <= n) continue;
        ++crossing[n + 1 - match.first];
        --crossing[end + 1 - match.first];
      }
    for (size_t i = 1; i < crossing.size(); ++i)
      crossing[i] += crossing[i - 1];
    const int most = match.length() / match.period;
    BlockRun best;
    double lowest = 1e300;
    for (int shift = 0; shift < match.period; ++shift) {
      const int count = (match.length() - shift) / match.period;
      if (count < 2) break;
      double sum = 0;
      for (int b = 1; b < count; ++b)
        sum += crossing[shift + b * match.period];
      const double price = sum / (count - 1) + kLostBlock * (most - count);
      if (price >= lowest - 1e-9) continue;
      lowest = price;
      best = {match.first + shift, match.period, count};
    }
    return best;
  }

  const GraphReport& m_graph;
  std::vector<size_t> m_operators;
  std::vector<size_t> m_labels;
};

class TreeMaker {
 public:
  // lettered: there are several runs, and words must tell them apart.
  TreeMaker(const GraphReport& graph, const BlockFinder& finder, bool lettered)
      : m_graph(graph), m_finder(finder), m_lettered(lettered) {
    m_tree.scopes.push_back({});
    m_tree.scopeOfNode.assign(graph.nodes.size(), 0);
  }

  void add(const BlockRun& run, int parent, int depth) {
    const int letter = m_runs++;
    QString name;
    for (int rest = letter; rest >= 0; rest = rest / 26 - 1)
      name.prepend(QChar('A' + rest % 26));
    const QString path = m_tree.scopes[parent].path + QStringLiteral("~%1").arg(name);
    const QString shown = m_lettered || depth > 0 ? name : QString();
    const QString work = workOf(m_graph, run.first, run.first + run.period);
    const int row = addScope(parent, ScopeKind::kRun, rowTitle(shown, work), path);
    // The inside of the first block is the inside of all.
    const std::vector<BlockRun> inner = depth < 2 && run.period >= kNestedPeriod
                                            ? m_finder.find(run.first, run.first + run.period)
                                            : std::vector<BlockRun>();
    const int runsBefore = m_runs;
    for (int b = 0; b < run.count; ++b) {
      const int start = run.first + b * run.period;
      const int block =
          addScope(row, ScopeKind::kBlock, blockTitle(shown, b + 1, work), path + QStringLiteral("/%1").arg(b + 1));
      std::fill_n(m_tree.scopeOfNode.begin() + start, run.period, block);
      m_runs = runsBefore;
      for (const BlockRun& part : inner)
        add({part.first + b * run.period, part.period, part.count}, block, depth + 1);
    }
  }

  ScopeTree take() { return std::move(m_tree); }

 private:
  static QString rowTitle(const QString& letter, const QString& work) {
    const QString layers = letter.isEmpty() ? QCoreApplication::translate("Grouping", "layers")
                                            : QCoreApplication::translate("Grouping", "layers %1").arg(letter);
    return work.isEmpty() ? layers : QStringLiteral("%1: %2").arg(layers, work);
  }
  static QString blockTitle(const QString& letter, int number, const QString& work) {
    const QString layer = QCoreApplication::translate("Grouping", "layer %1%2").arg(letter).arg(number);
    return work.isEmpty() ? layer : QStringLiteral("%1: %2").arg(layer, work);
  }

  int addScope(int parent, ScopeKind kind, const QString& title, const QString& path) {
    Scope scope;
    scope.title = title;
    scope.path = path;
    scope.parent = parent;
    scope.depth = m_tree.scopes[parent].depth + 1;
    scope.kind = kind;
    m_tree.scopes.push_back(scope);
    return static_cast<int>(m_tree.scopes.size()) - 1;
  }

  const GraphReport& m_graph;
  const BlockFinder& m_finder;
  bool m_lettered;
  ScopeTree m_tree;
  int m_runs = 0;
};

}  // namespace

std::vector<BlockRun> repeatedBlocks(const GraphReport& graph) {
  return BlockFinder(graph).find(0, static_cast<int>(graph.nodes.size()));
}

ScopeTree blocksOf(const GraphReport& graph) {
  const BlockFinder finder(graph);
  const std::vector<BlockRun> runs = finder.find(0, static_cast<int>(graph.nodes.size()));
  TreeMaker maker(graph, finder, runs.size() > 1);
  for (const BlockRun& run : runs)
    maker.add(run, 0, 0);
  ScopeTree tree = maker.take();
  completeTree(tree, graph);
  return tree;
}

}  // namespace cutaway::ui
