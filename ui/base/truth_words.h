#pragma once
// What a figure is, in the language of the window. In English the words are those of truthText().
//
// Thread rule: any thread once translations are installed.
// Example: line->setText(truthWords(stageTruth(walk, Stage::kRun)));

#include <QString>

#include "engine/report/measured_time.h"
#include "engine/report/truth.h"

namespace cutaway::ui {

QString truthKindWords(TruthKind kind);
QString truthWords(const Truth& truth);
QString spreadWords(const MeasuredTime& time);  // spreadText() in the language of the window

}  // namespace cutaway::ui
