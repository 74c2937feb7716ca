#pragma once
// Style rules: saved queries that colour the nodes they hit; the first rule that hits a node wins. Plain values, for
// settings and session files.
//
// Thread rule: plain values, pure functions.
// Example: StyleRules rules = styleRulesFromJson(file);  rules.push_back({.name = "slow", .query = "time>1ms",
// .category = 2, .letter = 'S'});

#include <vector>

#include <QChar>
#include <QJsonArray>
#include <QString>

namespace cutaway::ui {

struct StyleRule {
  QString name;      // what the legend says; empty: the query
  QString query;     // as typed in the find bar
  int category = 0;  // colour, 0 to kMostStyleColours - 1
  QChar letter;      // null: one of the name
  bool enabled = true;
  bool operator==(const StyleRule&) const = default;

  const QString& title() const { return name.isEmpty() ? query : name; }
};
using StyleRules = std::vector<StyleRule>;

inline constexpr int kMostStyleColours = 7;
inline constexpr int kMostStyleRules = 16;

QJsonArray toJson(const StyleRules& rules);
// What makes no sense is left out: other types, rules without a query, more than kMostStyleRules.
StyleRules styleRulesFromJson(const QJsonArray& array);

// What rules hit among the nodes of every graph of a model.
struct RuleMatches {
  StyleRules rules;
  std::vector<QChar> letters;                        // of each rule, all different
  std::vector<QString> problems;                     // of each rule, why its query cannot be used; empty: it can
  std::vector<int> counts;                           // nodes that each rule hits, whether or not an earlier one wins
  std::vector<std::vector<signed char>> ruleOfNode;  // per graph and node the first enabled rule that hits, -1 none
};

}  // namespace cutaway::ui
