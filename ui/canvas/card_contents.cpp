#include "ui/canvas/card_contents.h"

#include <QCoreApplication>

#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostAttributes = 6;
constexpr int kMostWeights = 4;
constexpr int kLongestWords = 30;

QString inOneLine(std::string_view words) {
  return text(words.substr(0, 120)).simplified();
}

void addAttributes(const NodeReport& node, std::vector<CardRow>& rows) {
  size_t shown = 0;
  for (const AttributeReport& attribute : node.attributes) {
    if (attribute.kind == "GRAPH" || attribute.kind == "GRAPHS") continue;
    if (shown++ == kMostAttributes) {
      rows.push_back({QCoreApplication::translate("CardContents", "and %n more", nullptr,
                                                  static_cast<int>(node.attributes.size() - kMostAttributes)),
                      QString(), false});
      return;
    }
    rows.push_back({shortened(text(attribute.name), 20), shortened(inOneLine(attribute.text), kLongestWords), false});
  }
}

void addWeights(const GraphReport& graph, const NodeReport& node, std::vector<CardRow>& rows) {
  int shown = 0;
  for (const int32_t input : node.inputs) {
    if (input < 0 || !graph.values[input].isInitializer) continue;
    if (++shown > kMostWeights) return;
    const ValueReport& value = graph.values[input];
    const QString first = value.preview.empty() ? QString() : QStringLiteral("  ") + inOneLine(value.preview);
    // The first values count, not the last: cut at the end.
    QString words = shapeText(value.shape) + first;
    if (words.size() > kLongestWords) words = words.left(kLongestWords - 1) + QChar(0x2026);
    rows.push_back({shortened(shortName(value.name), 18), words, true});
  }
}

}  // namespace

std::vector<CardRow> cardRows(const GraphReport& graph, const NodeReport& node, const CardContents& contents) {
  std::vector<CardRow> rows;
  if (contents.attributes) addAttributes(node, rows);
  if (contents.weights) addWeights(graph, node, rows);
  return rows;
}

bool isCopy(const NodeReport& node) {
  return node.opType.starts_with("Memcpy") && node.outputs.size() == 1;
}

QString copyWords(const GraphReport& graph, const NodeReport& node) {
  const int32_t copied = node.outputs.front();
  const int64_t bytes = copied < 0 ? -1 : graph.values[copied].sizeBytes;
  return bytes < 0 ? QCoreApplication::translate("CardContents", "copy")
                   : QCoreApplication::translate("CardContents", "copy %1").arg(sizeText(bytes));
}

std::string_view cardName(const NodeReport& node) {
  const size_t slash = node.name.rfind('/');
  const std::string_view name =
      slash == std::string::npos ? std::string_view(node.name) : std::string_view(node.name).substr(slash + 1);
  return name == node.opType ? std::string_view() : name;
}

}  // namespace cutaway::ui
