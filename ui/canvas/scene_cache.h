#pragma once
// What scenes built one after the other share: layouts of scopes by what is in them, sizes of cards, trees of scopes.
// Folding one group lays out that group's surroundings and nothing else.
//
// Layouts are found by a 128-bit hash of their whole input, so that equal blocks of a model share one, and nothing
// stale can be found. Thread rule: used by one buildScene() at a time. Example: request.cache = cache;  auto scene =
// buildScene(request, token);  cache->laidOut()   // scopes that were really laid out by the last build

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>

#include <QSizeF>

#include "ui/canvas/layered_layout.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_measure.h"

namespace cutaway::ui {

struct LayoutKey {
  uint64_t first = 0, second = 0;
  auto operator<=>(const LayoutKey&) const = default;
};
LayoutKey keyOf(const LayoutInput& input, const LayoutOptions& options);

class SceneCache {
 public:
  void begin();  // a build starts: counts from here, and forgets what was not used for some builds
  std::shared_ptr<const LayoutResult> find(const LayoutKey& key);
  void keep(const LayoutKey& key, std::shared_ptr<const LayoutResult> result);
  int laidOut() const { return m_laidOut; }
  int reused() const { return m_reused; }

  QSizeF nodeSize(const SceneRequest& request, int graph, int node);
  CardMeasure& measure() { return m_measure; }
  std::shared_ptr<const ScopeTree> groups(const SceneRequest& request);

 private:
  struct Entry {
    std::shared_ptr<const LayoutResult> result;
    int used = 0;
  };
  struct Size {
    float width = 0, height = 0;  // 0: not measured yet
  };
  struct Groups {
    std::weak_ptr<const ModelGraphs> graphs;
    std::weak_ptr<const PartitionReport> asked;
    int graph = -1;
    Grouping grouping = Grouping::kAutomatic;
    std::shared_ptr<const ScopeTree> tree;
  };

  std::map<LayoutKey, Entry> m_layouts;
  int m_build = 0, m_laidOut = 0, m_reused = 0;
  CardMeasure m_measure;
  std::weak_ptr<const ModelGraphs> m_sizedGraphs;
  CardContents m_sizedContents;
  std::unordered_map<int, std::vector<Size>> m_sizes;  // by graph
  std::vector<Groups> m_groups;
};

}  // namespace cutaway::ui
