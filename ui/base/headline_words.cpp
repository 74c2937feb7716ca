#include "ui/base/headline_words.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <QCoreApplication>
#include <QStringList>

#include "engine/report/headline.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr const char* kPhrases[] = {
    "%1",
    QT_TRANSLATE_NOOP("Headline", "%1 node"),
    QT_TRANSLATE_NOOP("Headline", "%1 nodes"),
    QT_TRANSLATE_NOOP("Headline", "%1 input"),
    QT_TRANSLATE_NOOP("Headline", "%1 inputs"),
    QT_TRANSLATE_NOOP("Headline", "%1 output"),
    QT_TRANSLATE_NOOP("Headline", "%1 outputs"),
    QT_TRANSLATE_NOOP("Headline", "%1 -> %2 nodes"),
    QT_TRANSLATE_NOOP("Headline", "%1 provider"),
    QT_TRANSLATE_NOOP("Headline", "%1 providers"),
    QT_TRANSLATE_NOOP("Headline", "%1 group"),
    QT_TRANSLATE_NOOP("Headline", "%1 groups"),
    QT_TRANSLATE_NOOP("Headline", "%1 unassigned"),
    QT_TRANSLATE_NOOP("Headline", "%1 step"),
    QT_TRANSLATE_NOOP("Headline", "%1 steps"),
    QT_TRANSLATE_NOOP("Headline", "path %1"),
    QT_TRANSLATE_NOOP("Headline", "%1 new"),
    QT_TRANSLATE_NOOP("Headline", "%1 reused"),
    QT_TRANSLATE_NOOP("Headline", "arena %1"),
    QT_TRANSLATE_NOOP("Headline", "not planned"),
    QT_TRANSLATE_NOOP("Headline", "unknown (dynamic shapes)"),
    QT_TRANSLATE_NOOP("Headline", ">= %1"),
    QT_TRANSLATE_NOOP("Headline", "dynamic shapes"),
    QT_TRANSLATE_NOOP("Headline", "at bound"),
    QT_TRANSLATE_NOOP("Headline", "bound %1"),
    QT_TRANSLATE_NOOP("Headline", "median %1"),
    QT_TRANSLATE_NOOP("Headline", "nothing written"),
    QT_TRANSLATE_NOOP("Headline", "written: %1"),
    QT_TRANSLATE_NOOP("Headline", "%1 context node"),
    QT_TRANSLATE_NOOP("Headline", "%1 context nodes"),
    QT_TRANSLATE_NOOP("Headline", "nothing to keep"),
    QT_TRANSLATE_NOOP("Headline", "%1 group can be kept"),
    QT_TRANSLATE_NOOP("Headline", "%1 groups can be kept"),
};

}  // namespace

bool isHeadlinePhrase(const char* phrase) {
  return std::any_of(std::begin(kPhrases), std::end(kPhrases),
                     [phrase](const char* each) { return std::strcmp(each, phrase) == 0; });
}

QString headlineWords(const WalkReport& walk, Stage stage) {
  QStringList parts;
  for (const HeadlinePart& part : stageHeadlineParts(walk, stage)) {
    QString words = QCoreApplication::translate("Headline", part.phrase);
    for (const std::string& figure : part.figures)
      words = words.arg(text(figure));
    parts << words;
  }
  return parts.join(QStringLiteral(", "))
      .replace(QLatin1String("->"), QStringLiteral("\u2192"))
      .replace(QLatin1String(">="), QStringLiteral("\u2265"));
}

}  // namespace cutaway::ui
