#include "ui/canvas/scene_cache.h"

#include <bit>

namespace cutaway::ui {
namespace {

constexpr int kKeptBuilds = 6;
constexpr size_t kKeptTrees = 8;

// Two independent multiply-xorshift streams over 64-bit words (constants of splitmix64 and of MurmurHash3's finaliser).
struct Hasher {
  LayoutKey key{0x2545f4914f6cdd1dULL, 0x9e3779b97f4a7c15ULL};
  void add(uint64_t word) {
    key.first = (key.first ^ word) * 0xbf58476d1ce4e5b9ULL;
    key.first ^= key.first >> 29;
    key.second = (key.second + word) * 0xff51afd7ed558ccdULL;
    key.second ^= key.second >> 31;
  }
  void add(double number) { add(std::bit_cast<uint64_t>(number)); }
  void add(int a, int b) { add(static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b)); }
};

}  // namespace

LayoutKey keyOf(const LayoutInput& input, const LayoutOptions& options) {
  Hasher hasher;
  hasher.add(static_cast<int>(input.nodes.size()), static_cast<int>(input.nets.size()));
  for (const double number :
       {options.nodeGap, options.lineGap, options.layerGap, options.windowAcross, options.windowAlong})
    hasher.add(number);
  hasher.add(options.sweeps, options.linesPerNode);
  hasher.add(static_cast<int>(options.engine), 0);
  for (const LayoutNode& node : input.nodes) {
    hasher.add(node.width);
    hasher.add(node.height);
    hasher.add(static_cast<int>(node.pin), node.input);
  }
  for (const LayoutNet& net : input.nets) {
    hasher.add(net.source, net.targetCount);
    hasher.add(net.port);
    for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t) {
      hasher.add(input.targets[t].node, t - net.firstTarget);
      hasher.add(input.targets[t].port);
    }
  }
  return hasher.key;
}

void SceneCache::begin() {
  ++m_build;
  m_laidOut = m_reused = 0;
  std::erase_if(m_layouts, [this](const auto& entry) { return entry.second.used + kKeptBuilds < m_build; });
}

std::shared_ptr<const LayoutResult> SceneCache::find(const LayoutKey& key) {
  const auto entry = m_layouts.find(key);
  if (entry == m_layouts.end()) return nullptr;
  entry->second.used = m_build;
  ++m_reused;
  return entry->second.result;
}

void SceneCache::keep(const LayoutKey& key, std::shared_ptr<const LayoutResult> result) {
  ++m_laidOut;
  m_layouts[key] = {std::move(result), m_build};
}

QSizeF SceneCache::nodeSize(const SceneRequest& request, int graph, int node) {
  if (m_sizedGraphs.lock() != request.graphs || m_sizedContents != request.contents) {
    m_sizedGraphs = request.graphs;
    m_sizedContents = request.contents;
    m_sizes.clear();
  }
  const GraphReport& report = request.graphs->graphs[graph];
  std::vector<Size>& sizes = m_sizes[graph];
  if (sizes.empty()) sizes.resize(report.nodes.size());
  Size& size = sizes[node];
  if (size.width == 0) {
    const QSizeF measured = m_measure.node(report, report.nodes[node], request.contents);
    size = {static_cast<float>(measured.width()), static_cast<float>(measured.height())};
  }
  return {size.width, size.height};
}

std::shared_ptr<const ScopeTree> SceneCache::groups(const SceneRequest& request) {
  for (const Groups& known : m_groups)
    if (known.graphs.lock() == request.graphs && known.asked.lock() == request.asked && known.graph == request.graph &&
        known.grouping == request.grouping)
      return known.tree;
  auto tree = std::make_shared<const ScopeTree>(
      groupsOf(*request.graphs, request.graph, request.grouping, request.asked.get()));
  if (m_groups.size() >= kKeptTrees) m_groups.erase(m_groups.begin());
  m_groups.push_back({request.graphs, request.asked, request.graph, request.grouping, tree});
  return tree;
}

}  // namespace cutaway::ui
