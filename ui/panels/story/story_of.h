#pragma once
// What became of the selected node or value on its way through the stages: one station for each, in the order of the
// walk, with what it can be traced to.
//
// Whatever version the selection was made in, the story begins with the original nodes and goes as far as anything of
// them went; where nothing is left, the last station says why. Thread rule: GUI thread; plain values that hold no
// report. Example: for (const Station& station : storyOf(document)) show(station.title, station.lines);

#include <vector>

#include <QString>

#include "engine/report/walk_report.h"
#include "ui/base/graph_target.h"

namespace cutaway::ui {

class Document;

enum class StoryTone { kPlain, kQuiet, kStrong, kBad };

struct StoryLine {
  QString words;
  RowTarget target = {};  // valid: the line can be chosen
  StoryTone tone = StoryTone::kPlain;
};

struct Station {
  Stage stage = Stage::kLoad;  // where it is shown
  QString title;               // "Rewritten by fuse-conv-bn"
  std::vector<StoryLine> lines;
  RowTarget target = {};  // what is selected when the station is chosen
  bool ended = false;     // nothing of it goes further
};

struct Story {
  QString title;  // of what the story is
  QString subtitle;
  std::vector<Station> stations;
};

Story storyOf(const Document& document);  // without title: nothing is selected

// The stations after partitioning of one node of the partitioned graphs (story_run.cpp): step, buffers, measured time.
// `value`: tell about this value of it alone; empty: all outputs.
void addPlanStations(const Document& document, const NodeTarget& node, const QString& value,
                     std::vector<Station>& stations);
// Which context it is kept in, or would be (story_run.cpp).
void addContextStation(const Document& document, const std::vector<NodeTarget>& optimized,
                       std::vector<Station>& stations);

}  // namespace cutaway::ui
