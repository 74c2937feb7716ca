#pragma once
// Near-linear layered layout: where nodes and the lines between them stand.
//
// The classic four steps (Sugiyama et al. 1981): break cycles, put nodes on layers, order the layers, choose
// coordinates. Every step is iterative, deterministic and linear or n log n, and asks the cancel token. A net is one
// value: one source, many targets; its long lines share one chain of bends, so that a value is one branching line.
// Chains longer than the budget allows become loose lines, drawn straight, instead of costing memory. Thread rule: pure
// function, any thread. Example:
//   LayoutInput input;  input.nodes = {{120, 40}, {120, 40}};  input.addNet(0, {1});
//   auto result = layoutLayered(input, {}, CancelToken());   // nullopt: cancelled
//   result->nodes[1].y > result->nodes[0].y

#include <initializer_list>
#include <limits>
#include <optional>
#include <vector>

#include "engine/base/progress.h"
#include "ui/canvas/layout_engine.h"

namespace cutaway::ui {

enum class LayerPin : signed char { kFirst = -1, kFree = 0, kLast = 1 };

struct LayoutNode {
  double width = 0;
  double height = 0;
  LayerPin pin = LayerPin::kFree;
  bool input = false;  // the flow begins here: what it feeds stands where it feeds it, and not beside its reader
};

inline constexpr double kAutomaticPort = std::numeric_limits<double>::quiet_NaN();

struct LayoutTarget {
  int node = 0;
  double port = kAutomaticPort;  // where the line enters, from the node's centre
};

struct LayoutNet {
  int source = 0;
  double port = kAutomaticPort;  // where the line leaves, from the node's centre
  int firstTarget = 0;
  int targetCount = 0;
};

struct LayoutInput {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutNet> nets;
  std::vector<LayoutTarget> targets;

  void addNet(int source, const std::vector<LayoutTarget>& to, double port = kAutomaticPort);
  void addNet(int source, std::initializer_list<int> to);
};

struct LayoutOptions {
  double nodeGap = 26;   // between neighbours on a layer
  double lineGap = 12;   // between a line and what stands beside it
  double layerGap = 44;  // between layers: room for the shape text on a line
  // A layout that is too long for a window of this size is broken into columns (layer_columns); 0: never.
  double windowAcross = 0, windowAlong = 0;
  int sweeps = 8;        // of the ordering step; fewer on large graphs
  int linesPerNode = 8;  // budget of bends: this many for each node
  LayoutEngine engine = LayoutEngine::kOwn;
};

struct LayoutPlace {
  double x = 0;  // centre
  double y = 0;
  int layer = 0;
};

// A smooth piece of a line, leaving and arriving vertically; between columns pieces run across and back, straight.
struct LayoutSegment {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  int net = 0;
  int target = -1;     // node it ends at, -1: goes on
  bool loose = false;  // skips layers without bends
};

struct LayoutResult {
  std::vector<LayoutPlace> nodes;
  std::vector<LayoutSegment> segments;  // grouped by net, ascending
  double width = 0;
  double height = 0;
  int layerCount = 0;
};

std::optional<LayoutResult> layoutLayered(const LayoutInput& input, const LayoutOptions& options,
                                          const CancelToken& cancel);

}  // namespace cutaway::ui
