#pragma once
// The contract of a panel: what it says about itself, what it is given, and nothing else.
//
// A panel lives in ui/panels/<id>/ with one unit file <id>.cpp that defines `const PanelDescriptor& panel_<id>()` in
// namespace cutaway::ui. The shell makes one instance of every panel for every document and never names one. Panels
// talk to each other only through the document's Selection and stage. Thread rule: GUI thread. Example:
//   const PanelDescriptor& panel_load() {
//     static const PanelDescriptor descriptor{.id = "load", .title = "Load", .icon = "stage-load", .area =
//     PanelArea::kStage, .stage = Stage::kLoad,
//                                             .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
//                                             return new LoadPanel(context, parent); }};
//     return descriptor;
//   }

#include "engine/report/walk_report.h"

class QWidget;

namespace cutaway::ui {

class Document;
class PanelActions;
class ThemeStore;
class ViewState;

struct PanelContext {
  Document* document = nullptr;    // snapshots, settings, selection(), service()
  ViewState* viewState = nullptr;  // remember sizes and choices under "<panel id>/..."
  ThemeStore* themes = nullptr;
  PanelActions* actions = nullptr;  // what a panel may ask of the window
};

enum class PanelArea {
  kStage,      // shown while its stage is chosen
  kInspector,  // always there, beside the canvas: what is selected
  kTool,       // in a dock of its own, opened from the View menu or by its keys: works in every stage
};

enum class ToolPlace {
  kBelow,
  kBeside
};  // where a tool's dock stands at first: under the canvas, or with the inspector

struct PanelDescriptor {
  const char* id = "";
  const char* title = "";
  const char* icon = "";
  PanelArea area = PanelArea::kStage;
  Stage stage = Stage::kLoad;           // of a stage panel
  ToolPlace place = ToolPlace::kBelow;  // of a tool
  int height = 32;                      // of a tool below, when it is first opened: percent of the window
  const char* keys = "";                // of a tool: "Ctrl+I" shows and hides it
  QWidget* (*create)(const PanelContext& context, QWidget* parent) = nullptr;
};

}  // namespace cutaway::ui
