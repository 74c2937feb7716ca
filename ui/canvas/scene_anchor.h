#pragma once
// The place that stays under the eye when one scene follows another: the scope that is folded or unfolded, else the
// node nearest to the middle of the window that both have, or what became of it.
//
// Thread rule: pure.
// Example: if (auto anchor = anchorBetween(*old, *scene, window, path)) transform.offset -= anchor->shift() *
// transform.scale;

#include <optional>

#include "ui/canvas/scene.h"

namespace cutaway::ui {

struct SceneAnchor {
  QPointF before, after;
  QPointF shift() const { return after - before; }
};

// window: what is seen of the old scene. path: of a scope or body that was folded or unfolded, empty: neither. Nothing
// in common: no anchor.
std::optional<SceneAnchor> anchorBetween(const Scene& before, const Scene& after, const QRectF& window,
                                         const QString& path);

// Where a scope is shown: its box, its card, or the card of the node whose body it is. Null: hidden in another one.
QRectF placeOfScope(const Scene& scene, const QString& path);

}  // namespace cutaway::ui
