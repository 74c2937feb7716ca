#pragma once
// What a card shows beyond its operator: name, attributes, weights, figures. Measure and painter share the rows, so
// that what is drawn always fits.
//
// Thread rule: pure functions.
// Example: for (const CardRow& row : cardRows(graph, node, {.attributes = true})) draw(row.label, row.words);

#include <string_view>
#include <vector>

#include <QString>

#include "engine/report/graph_report.h"

namespace cutaway::ui {

struct CardContents {
  bool attributes = false;
  bool weights = false;
  bool names = true;
  bool operator==(const CardContents&) const = default;
  bool rows() const { return attributes || weights; }
};

struct CardRow {
  QString label;
  QString words;
  bool weight = false;
};

inline constexpr double kCardRowHeight = 16;
inline constexpr double kCardRowsGap = 6;  // above the first row

std::vector<CardRow> cardRows(const GraphReport& graph, const NodeReport& node, const CardContents& contents);

// A copy between devices is no part of the model: it is drawn as a mark on its line, with its bytes.
bool isCopy(const NodeReport& node);
QString copyWords(const GraphReport& graph, const NodeReport& node);  // "copy 64 KB"
inline constexpr double kCopyHeight = 24;

// A card that holds more than its node shows how many more, and a second card behind it.
inline constexpr double kOnCardWords = 28;
inline constexpr double kCardStack = 4;

// The second line of a node's card: the last part of its name; empty when that says no more than the operator.
std::string_view cardName(const NodeReport& node);

}  // namespace cutaway::ui
