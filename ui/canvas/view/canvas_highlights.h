#pragma once
// What is brought out on the canvas right now: the selection with its neighbours and lines, and what was found.
//
// Thread rule: GUI thread, pure over the document. Example: view->setHighlights(highlightsOf(*scene, *document, version, *finder));

#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

class CanvasFinder;
class Document;

SceneLook highlightsOf(const Scene& scene, const Document& document, GraphVersion version, const CanvasFinder& finder);

}  // namespace cutaway::ui
