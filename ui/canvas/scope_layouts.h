#pragma once
// Lays out every open scope of a visible graph on its own, inner ones first; each then stands in its parent as one
// large box with ports.
//
// Distances are those of the layout: "across" runs beside the flow, "along" with it. Down: across is x. Right: across
// is y. Thread rule: used by buildScene() only. Example: ScopeLayouts layouts(request, shown, visible, cache, cancel);
// if (!layouts.run()) return nullptr;

#include <memory>
#include <unordered_map>
#include <vector>

#include <QCoreApplication>

#include "ui/canvas/layered_layout.h"
#include "ui/canvas/scene_cache.h"
#include "ui/canvas/scene_nets.h"

namespace cutaway::ui {

// Where a value crosses the border of a box, from the box's centre.
struct Crossing {
  double in = 0;
  double out = 0;
  bool enters = false;
};

struct ScopeLayout {
  std::shared_ptr<const LayoutResult> result;
  std::vector<int> entities;    // layout node -> entity, for the first ones; then borders
  std::vector<int> netSources;  // layout net -> entity or kBorder; layout nets are those of VisibleGraph::nets
  std::unordered_map<int, Crossing> crossings;  // by value that leads its bundle in the parent
  double width = 0, height = 0;                 // of the box, across and along
  double inset = 0;                             // of the content: across ...
  double lead = 0, trail = 0;                   // ... and along, before and behind it
};

class ScopeLayouts {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::ScopeLayouts)

 public:
  ScopeLayouts(const SceneRequest& request, const SceneGraph& shown, const VisibleGraph& visible, SceneCache& cache,
               const CancelToken& cancel);
  bool run();  // false: cancelled
  // Why scopes were laid out by ourselves although dot was asked for; empty: all are as asked.
  const QString& note() const { return m_note; }

  const ScopeLayout& of(int scope) const { return m_layouts[scope]; }
  QSizeF sizeOf(int entity) const;  // on the screen
  bool isOpenBox(int entity) const;
  double widthWithLabels(const ScopeLayout& own) const;  // how far words beside lines reach, across
  int scopeOf(int entity) const { return entity - m_visible.entities.nodes; }

 private:
  bool layoutScope(int scope);
  void chooseEngine();
  std::shared_ptr<const LayoutResult> layOut(const LayoutInput& input);  // nullptr: cancelled
  void measureBox(int scope, const std::vector<std::pair<int, int>>& borders);
  const ValueReport& valueOf(int value) const;
  bool right() const { return m_request.direction == FlowDirection::kRight; }

  const SceneRequest& m_request;
  const SceneGraph& m_shown;
  const VisibleGraph& m_visible;
  SceneCache& m_cache;
  const CancelToken& m_cancel;
  LayoutOptions m_options;
  QString m_note;
  std::vector<ScopeLayout> m_layouts;
  std::vector<int> m_numberOf;  // per entity: layout node in its scope
};

}  // namespace cutaway::ui
