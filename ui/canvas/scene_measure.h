#pragma once
// How large a card must be for its words.
//
// Thread rule: one measure belongs to one thread. Example: CardMeasure measure;  QSizeF size = measure.node(graph,
// graph.nodes[3]);

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include <QFontMetricsF>
#include <QHash>
#include <QSizeF>

#include "engine/report/graph_report.h"
#include "ui/canvas/card_contents.h"
#include "ui/canvas/scope_tree.h"

namespace cutaway::ui {

QFont cardTitleFont();
QFont cardTextFont();

class CardMeasure {
 public:
  CardMeasure();
  QSizeF node(const GraphReport& graph, const NodeReport& node, const CardContents& contents = {});
  QSizeF folded(const Scope& scope) const;
  double shapeWidth(const ValueReport& value);  // of the words beside a line
  QSizeF terminal(const ValueReport& value) const;

 private:
  double textWidth(std::string_view line)
      const;  // estimate from a table of letter widths: exact measuring of 50,000 names costs a second

  QFontMetricsF m_title;
  QFontMetricsF m_text;
  std::array<double, 128> m_letters{};
  std::unordered_map<std::string, double> m_titleWidths;
  std::unordered_map<std::string, double> m_shapeWidths;  // few shapes come many times
};

}  // namespace cutaway::ui
