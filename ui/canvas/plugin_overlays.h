#pragma once
// Overlays of plug-ins: an amount for every node.
//
// Thread rule: as overlayTable(). Example: addPluginOverlays(table);

#include <vector>

namespace cutaway::ui {

struct OverlayDescriptor;

// Those whose id is free, behind what is there. They live for the process.
void addPluginOverlays(std::vector<const OverlayDescriptor*>& table);

}  // namespace cutaway::ui
