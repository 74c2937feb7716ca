#pragma once
// Words and figures as the window writes them. Sizes, times and counts come from the report's own functions, so that
// window and command line agree.
//
// Thread rule: pure functions.
// Example: text(node.name), sizeText(value.sizeBytes), shapeText("float[1,64,56,56]") == "1 x 64 x 56 x 56" with
// multiplication signs.

#include <cstdint>
#include <string>
#include <string_view>

#include <QString>
#include <QStringList>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

inline QString text(std::string_view utf8) {
  return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString sizeText(int64_t sizeBytes);
QString timeText(int64_t timeNs);
QString countText(int64_t count);
QString percentText(double share);  // 0.125 -> "12.5 %"
QString workText(int64_t flops);    // "1.24 GFLOP"; unknown: a dash

// "[1,64,56,56]" or "float[1,64,56,56]" -> "1×64×56×56"; a scalar gives "scalar"; unknown rank gives an empty text.
QString shapeText(std::string_view shape);
// Its dims as they are written; formulas of open dimensions stand in quotes, and may have commas. None: a scalar, or
// the rank is unknown.
QStringList shapeDims(std::string_view shape);
// What to call a node: its name, or its operator and index when it has none.
QString nodeTitle(const GraphReport& graph, int node);
// "Conv"; a node that a provider made of a group is "Compiled group", because its operator is a name for caches. How
// many nodes are in it says the partition (groupTitle()): the node itself knows only those of the file.
QString operatorText(const NodeReport& node);
// The last part of a scoped name: "/layer1/conv1/Conv" -> "Conv".
QString shortName(std::string_view name);
// One line, at most `limit` characters, with an ellipsis in the middle.
QString shortened(const QString& line, int limit);

}  // namespace cutaway::ui
