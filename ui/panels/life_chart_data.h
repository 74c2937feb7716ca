#pragma once
// What a LifeChart shows: blocks over steps, lines, curves, arrows, and how to say what a block is.
//
// A block is small and holds no text: what it is about is an item, whose words and target are asked for when somebody
// looks. Fifty thousand of them cost little. Thread rule: plain values; the functions are called on the GUI thread and
// keep alive what they read. Example: data.blocks = {{.begin = 0, .end = 3, .from = 0, .to = 4096, .item = 0}};
// data.label = [graphs](int item) { return ...; };

#include <cstdint>
#include <functional>
#include <vector>

#include <QString>

#include "ui/base/graph_target.h"

namespace cutaway::ui {

// Says without colour what a block is.
enum class BlockShape : uint8_t {
  kPlain,
  kHatched,  // workspace of bodies
  kNotched,  // written over its input: a chevron at its start
  kDashed,   // a view: nothing is written
};

struct LifeBlock {
  double begin = 0;  // step
  double end = 1;    // first step after it
  double from = 0;   // amounts: bytes or lanes
  double to = 1;
  int32_t item = 0;
  int16_t category = 0;  // colour; blocks on top of each other differ
  BlockShape shape = BlockShape::kPlain;
  bool emphasised = false;
  bool namedAtTop = false;  // other blocks lie on its lower part
};

struct LifeArrow {  // reuse: from the end of one block to the start of another
  double fromStep = 0, toStep = 0;
  double from = 0, to = 0;
};

enum class LineLook : uint8_t { kPeak, kBound, kLive, kMeasured };

struct LifeLine {
  double amount = 0;
  QString label;
  LineLook look = LineLook::kPeak;
};

struct LifeCurve {
  std::vector<double> amounts;  // at every step; below zero: not known
  QString label;
  LineLook look = LineLook::kLive;
};

struct KindEntry {  // a kind of block
  QString label;
  int category = 0;
  BlockShape shape = BlockShape::kPlain;
  bool emphasised = false;
};

struct LifeChartData {
  std::vector<LifeBlock> blocks;
  std::vector<LifeArrow> arrows;
  std::vector<LifeLine> lines;
  std::vector<LifeCurve> curves;
  std::vector<KindEntry> legend;   // beside lines and curves, which name themselves
  std::vector<QString> laneNames;  // lanes only: from the top
  double width = 0;                // steps, or what the x axis counts
  double high = 1;                 // amounts
  bool bytes = false;              // amounts are bytes; else lanes
  bool curvesAlone = false;        // lines and curves say something without a block
  double markedStep = -1;
  QString axis = QStringLiteral("step");
  QString empty;    // what to say when there are no blocks
  QString summary;  // for screen readers

  // Charts of the main graph follow the document's playhead: they fill up to its step, and dragging chooses a range.
  bool played = false;
  std::vector<double> stepBegins, stepEnds;  // where steps lie on the x axis; empty: from their number to the next
  int graph = 0;                             // of the partitioned model
  std::vector<int32_t> itemOfValue;          // by value index: what the selection brings out; kNone
  std::vector<int32_t> itemOfNode;
  std::function<QString(int item)> label;
  std::function<QString(int item)> toolTip;
  std::function<RowTarget(int item)> target;
  std::function<QString(double step)> axisText;  // of a place on the x axis; none: its number
  std::function<QString(double step)> stepText;  // what happens there, for the line below the pointer
};

}  // namespace cutaway::ui
