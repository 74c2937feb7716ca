#pragma once
// Execution on the graph: which items have run, which runs now, which are still to come, and which lie outside the
// chosen range of steps.
//
// Thread rule: pure; colours are read on the GUI thread.
// Example: look.played = playedItems(*scene, [&](int graph) -> auto& { return steps.stepsOf(version, graph); },
// head.step(), {});

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

class QPainter;
class QRectF;

namespace cutaway::ui {

struct Scene;
struct SceneLook;

enum class Played : signed char {
  kNone,  // takes no part, or nothing is played
  kToCome,
  kCurrent,
  kDone,
  kOutside,  // of the range
};

// stepsOf: by node of a graph, kNone: takes no part. step below zero: nothing is played. A folded scope is current
// while any of its nodes is. Empty: nothing to show.
using StepsOfGraph = std::function<const std::vector<int32_t>&(int graph)>;
std::vector<Played> playedItems(const Scene& scene, const StepsOfGraph& stepsOf, int step,
                                const std::optional<std::pair<int, int>>& range);

// Over the scene: a veil on what is to come or outside, a frame with a triangle around what runs.
void paintPlayed(QPainter& painter, const Scene& scene, const SceneLook& look, const QRectF& window, double scale);

}  // namespace cutaway::ui
