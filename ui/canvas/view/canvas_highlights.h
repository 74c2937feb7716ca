#pragma once
// What is brought out on the canvas right now: the selection with its neighbours and lines, and what was found.
//
// Thread rule: GUI thread, pure over the document. Example: view->setHighlights(highlightsOf(*scene, *document,
// version, opened, *finder, reach));

#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

class CanvasFinder;
class Document;

struct OpenedGroups;
struct Reach;

// opened: whose graphs the scene shows.
SceneLook highlightsOf(const Scene& scene, const Document& document, GraphVersion version, const OpenedGroups& opened,
                       const CanvasFinder& finder, const Reach& reach);
// Everything but a highlighted part of the graph fades; empty: nothing is highlighted.
std::vector<Played> fadedItems(const Scene& scene, GraphVersion version, const Reach& reach);

}  // namespace cutaway::ui
