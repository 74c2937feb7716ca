// Style rules as JSON, as they stand in settings and session files.
#include "ui/base/style_rules.h"

#include <algorithm>

#include <QJsonObject>

namespace cutaway::ui {

QJsonArray toJson(const StyleRules& rules) {
  QJsonArray array;
  for (const StyleRule& rule : rules) {
    QJsonObject object{{QStringLiteral("query"), rule.query},
                       {QStringLiteral("colour"), rule.category},
                       {QStringLiteral("on"), rule.enabled}};
    if (!rule.name.isEmpty()) object.insert(QStringLiteral("name"), rule.name);
    if (!rule.letter.isNull()) object.insert(QStringLiteral("letter"), QString(rule.letter));
    array.append(object);
  }
  return array;
}

StyleRules styleRulesFromJson(const QJsonArray& array) {
  StyleRules rules;
  for (const QJsonValue& value : array) {
    const QJsonObject object = value.toObject();
    StyleRule rule;
    rule.query = object.value(QStringLiteral("query")).toString().left(2000);
    if (rule.query.trimmed().isEmpty() || rules.size() >= kMostStyleRules) continue;
    rule.name = object.value(QStringLiteral("name")).toString().left(200);
    rule.category = std::clamp(object.value(QStringLiteral("colour")).toInt(), 0, kMostStyleColours - 1);
    rule.enabled = object.value(QStringLiteral("on")).toBool(true);
    if (const QString letter = object.value(QStringLiteral("letter")).toString(); !letter.isEmpty())
      rule.letter = letter.front().toUpper();
    rules.push_back(rule);
  }
  return rules;
}

}  // namespace cutaway::ui
