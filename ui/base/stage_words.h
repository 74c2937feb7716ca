#pragma once
// Stages in the language of the window; the engine's own titles are English.
//
// Thread rule: any thread once translations are installed. Example: button->setText(stageWords(Stage::kLoad));

#include <QString>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

QString stageWords(Stage stage);      // "Inputs & outputs"
QString stageMenuWords(Stage stage);  // the same for menus, where & marks a letter
QString stageIcon(Stage stage);       // name of its picture in resources/icons

}  // namespace cutaway::ui
