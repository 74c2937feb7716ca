#pragma once
// Stages as the window calls them, in its language; the command line's own titles are the engine's.
//
// Thread rule: any thread once translations are installed. Example: button->setText(stageWords(Stage::kLoad));

#include <QString>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

QString stageWords(Stage stage);           // "Inputs & outputs"
const char* plainStageWords(Stage stage);  // the same in English, for files
QString stageMenuWords(Stage stage);       // the same for menus, where & marks a letter
QString stageIcon(Stage stage);            // name of its picture in resources/icons

}  // namespace cutaway::ui
