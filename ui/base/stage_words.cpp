#include "ui/base/stage_words.h"

#include <QCoreApplication>

namespace cutaway::ui {
namespace {
constexpr const char* kTitles[kStageCount] = {
    QT_TRANSLATE_NOOP("Stage", "Load"),        QT_TRANSLATE_NOOP("Stage", "Inputs & outputs"),
    QT_TRANSLATE_NOOP("Stage", "Optimize"),    QT_TRANSLATE_NOOP("Stage", "Partition"),
    QT_TRANSLATE_NOOP("Stage", "Order"),       QT_TRANSLATE_NOOP("Stage", "Allocation"),
    QT_TRANSLATE_NOOP("Stage", "Memory plan"), QT_TRANSLATE_NOOP("Stage", "Run"),
    QT_TRANSLATE_NOOP("Stage", "EPContext")};
}  // namespace

const char* plainStageWords(Stage stage) {
  return kTitles[static_cast<size_t>(stage)];
}

QString stageWords(Stage stage) {
  return QCoreApplication::translate("Stage", plainStageWords(stage));
}

QString stageMenuWords(Stage stage) {
  return stageWords(stage).replace(QLatin1Char('&'), QLatin1String("&&"));
}

QString stageIcon(Stage stage) {
  return QStringLiteral("stage-") + QString::fromLatin1(stageId(stage));
}

}  // namespace cutaway::ui
