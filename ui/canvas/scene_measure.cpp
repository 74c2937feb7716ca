#include "ui/canvas/scene_measure.h"

#include <algorithm>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/canvas/line_labels.h"

namespace cutaway::ui {
namespace {
constexpr double kPadding = 14;
constexpr double kBadge = 46;  // room for a letter, a time or a size
constexpr double kNarrowest = 92, kWidest = 220, kWidestRows = 340, kNarrowestFolded = 172;
constexpr double kTwoLines = 44, kOneLine = 32, kFolded = 66;

double clampWidth(double width) {
  return std::ceil(std::clamp(width, kNarrowest, kWidest) / 4) * 4;
}
}  // namespace

QFont cardTitleFont() {
  return sceneFont(0, QFont::DemiBold);
}
QFont cardTextFont() {
  return sceneFont(-2);
}

CardMeasure::CardMeasure() : m_title(cardTitleFont()), m_text(cardTextFont()) {
  for (int c = 32; c < 127; ++c)
    m_letters[c] = m_text.horizontalAdvance(QLatin1Char(static_cast<char>(c)));
}

double CardMeasure::textWidth(std::string_view line) const {
  double width = 0;
  for (const char c : line)
    width += m_letters[static_cast<unsigned char>(c) < 128 ? c : 'n'];
  return width;
}

QSizeF CardMeasure::node(const GraphReport& graph, const NodeReport& node, const CardContents& contents) {
  if (isCopy(node))
    return {std::ceil((m_text.horizontalAdvance(copyWords(graph, node)) + 2 * kPadding) / 4) * 4, kCopyHeight};
  const auto [entry, added] = m_titleWidths.try_emplace(node.opType, 0);
  if (added) entry->second = m_title.horizontalAdvance(operatorText(node));
  const std::string_view name = contents.names ? cardName(node) : std::string_view();
  double width = std::max(entry->second + 2 * kPadding + kBadge, std::min(textWidth(name), 168.0) + 2 * kPadding);
  double height = name.empty() ? kOneLine : kTwoLines;
  if (contents.rows()) {
    const std::vector<CardRow> rows = cardRows(graph, node, contents);
    for (const CardRow& row : rows)
      width = std::max(width,
                       m_text.horizontalAdvance(row.label) + m_text.horizontalAdvance(row.words) + 2 * kPadding + 12);
    if (!rows.empty()) height += kCardRowsGap + kCardRowHeight * static_cast<double>(rows.size());
    return {std::ceil(std::clamp(width, kNarrowest, kWidestRows) / 4) * 4, height};
  }
  return {clampWidth(width), height};
}

double CardMeasure::shapeWidth(const ValueReport& value) {
  if (value.shape.empty()) return 0;
  const auto [entry, added] = m_shapeWidths.try_emplace(value.type.empty() ? value.shape : value.type, 0);
  if (added) entry->second = textWidth(lineWords(value).toStdString());
  return entry->second;
}

QSizeF CardMeasure::folded(const Scope& scope) const {
  return {std::max(kNarrowestFolded,
                   clampWidth(m_title.horizontalAdvance(
                                  scope.title +
                                  (scope.repeats > 1 ? QStringLiteral(" \u00d7%1").arg(scope.repeats) : QString())) +
                              2 * kPadding + kBadge)),
          kFolded};
}

QSizeF CardMeasure::terminal(const ValueReport& value) const {
  return {clampWidth(std::max(m_title.horizontalAdvance(text(value.name).left(40)), textWidth(value.type)) +
                     2 * kPadding + 8),
          kTwoLines};
}

}  // namespace cutaway::ui
