#pragma once
// A whole graph as a picture or as a Graphviz file: what `cutaway-cli render` and the HTML report use. Needs a
// QGuiApplication (offscreen will do) for fonts.
//
// Thread rule: one call at a time.
// Example: renderToFile(walk, {.overlay = "provider"}, "graph.svg", cancel);

#include <memory>

#include <QByteArray>
#include <QImage>
#include <QString>

#include "engine/base/progress.h"
#include "engine/base/result.h"
#include "engine/report/walk_report.h"
#include "ui/canvas/overlay.h"
#include "ui/canvas/scene.h"

namespace cutaway::ui {

struct RenderOptions {
  std::string overlay = "provider";  // id
  Stage stage = Stage::kContext;     // whose graph: the newest there is up to this stage
  int graph = 0;
  bool dark = false;
  bool foldScopes = false;    // fold as the window does at first; else everything is shown
  bool unfoldBodies = false;  // of If, Loop, Scan and functions, in place
  bool legend = true;
  double scale = 1;  // pixels per unit of PNG pictures
  Grouping grouping = Grouping::kAutomatic;
  FlowDirection direction = FlowDirection::kDown;
  CardContents contents = {};
  LayoutEngine layout = LayoutEngine::kOwn;
};

// INVALID_ARGUMENT: no such graph, an image would be larger than 500 megapixels (files may be of any size);
// MODEL_LOAD_CANCELED.
Result<QByteArray> renderSvg(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel);
Result<QImage> renderImage(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel);
// For Graphviz: scopes, groups and bodies as clusters.
Result<QByteArray> renderDot(const WalkReport& walk, RenderOptions options, const CancelToken& cancel);
// The loaded graph, folded, in at most size x size pixels: all of it, or of one more than twice as long as wide the
// beginning. INVALID_ARGUMENT: the size is none; MODEL_LOAD_CANCELED.
Result<QImage> renderThumbnail(const WalkReport& walk, int size, const CancelToken& cancel);
// By ending: .svg, .png, or .dot and .gv.
// note (may be null): what is not as asked, as a sentence.
Result<void> renderToFile(const WalkReport& walk, const RenderOptions& options, const QString& path,
                          const CancelToken& cancel, QString* note = nullptr);

}  // namespace cutaway::ui
