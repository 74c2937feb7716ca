#pragma once
// Where an arrow key leads from a node: up to what it reads, down to who reads it, left and right to what stands beside
// it.
//
// Thread rule: pure over immutable snapshots. Example: const int next = nodeBeside(*scene, node, Qt::Key_Down);  if
// (next >= 0) select(next);

#include <Qt>

#include "ui/canvas/scene.h"

namespace cutaway::ui {

// The nearest node in that direction; -1: there is none, or it is no arrow key.
int nodeBeside(const Scene& scene, int node, int key);

}  // namespace cutaway::ui
