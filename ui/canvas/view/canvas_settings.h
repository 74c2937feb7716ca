#pragma once
// How the canvas shows graphs, as the user chose and the window remembers: grouping, direction, what cards hold,
// motion.
//
// Thread rule: GUI thread. Example: CanvasSettings settings = CanvasSettings::read(viewState);  settings.direction =
// FlowDirection::kRight;  settings.write(viewState);

#include "ui/canvas/scene.h"

namespace cutaway::ui {

class ViewState;

struct CanvasSettings {
  Grouping grouping = Grouping::kAutomatic;
  FlowDirection direction = FlowDirection::kDown;
  CardContents contents;
  LayoutEngine layout = LayoutEngine::kOwn;
  bool openGroups = false;  // compiled groups are shown as hulls around their nodes

  static CanvasSettings read(const ViewState& state);
  void write(ViewState& state) const;
  bool operator==(const CanvasSettings&) const = default;
};

inline constexpr const char* kReducedMotionKey = "window/reducedMotion";
// Unless it was chosen, things move wherever somebody can see it.
bool motionWanted(const ViewState& state);

}  // namespace cutaway::ui
