#pragma once
// The ribbon's figure of a stage in the language of the window.
//
// Thread rule: GUI thread. Example: button->present(headlineWords(walk, Stage::kOptimize), ...);  // "187 → 92 Knoten"

#include <QString>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

QString headlineWords(const WalkReport& walk, Stage stage);
// Whether the window has this phrase of a headline (engine/report/headline.h) to translate.
bool isHeadlinePhrase(const char* phrase);

}  // namespace cutaway::ui
