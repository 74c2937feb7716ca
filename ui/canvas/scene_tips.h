#pragma once
// What a pointer that rests on an item or a line is told.
//
// Thread rule: pure. Example: QToolTip::showText(position, netTip(*scene, net));

#include <QString>

#include "ui/canvas/scene_look.h"

namespace cutaway::ui {

QString itemFacts(const Scene& scene, const SceneLook& look, int item);
// With what the pointer can do there.
QString itemTip(const Scene& scene, const SceneLook& look, int item);
QString valueTip(const GraphReport& graph, int value);
QString netTip(const Scene& scene, int net);  // value, type, who makes it, who reads it

}  // namespace cutaway::ui
