#pragma once
// A scene as a Graphviz file: what `dot`, `sfdp` and their friends read. Clusters are scopes, groups and bodies; cards
// have ports for their inputs and outputs, colours of the overlay, and tooltips; places are Graphviz's to choose.
//
// Thread rule: pure. Example: QByteArray text = dotText(request, *scene, look);   // look: lookOf(*scene, overlay,
// theme)

#include <QByteArray>

#include "ui/canvas/scene.h"
#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

// request: what the scene was built from. Values between the same two places are one edge whose tooltip names them.
QByteArray dotText(const SceneRequest& request, const Scene& scene, const SceneLook& look);

}  // namespace cutaway::ui
