#pragma once
// The size of text that a person asks for.
//
// Sizes that hold text are measured from fonts, or go through scaled(). The graph is drawn in scene units with
// sceneFont(): there larger text is a larger picture. Set from the setting "window/fontScale" (percent) when a window
// is made and when its theme is applied. Thread rule: readable from any thread; set on the GUI thread. Example:
// view->verticalHeader()->setDefaultSectionSize(scaled(26));

#include <QFont>

namespace cutaway::ui {

inline constexpr int kSmallestText = 80, kLargestText = 200;
inline constexpr const char* kTextScaleKey = "window/fontScale";

int textScale();  // percent
void setTextScale(int percent);
int scaled(int pixels);  // pixels at 100 % text

// As interfaceFont() at 100 %.
QFont sceneFont(int pixelDelta = 0, int weight = QFont::Normal);

}  // namespace cutaway::ui
