#pragma once
// What a person asks of the window beyond its colours: the size of text, and whether things may move.
//
// Sizes that hold text are measured from fonts, or go through scaled(). The graph is drawn in scene units with sceneFont(): there larger text is a larger picture.
// Set from the settings when the program starts ("window/fontScale" in percent, "window/reducedMotion") and when they change.
// Thread rule: readable from any thread; set on the GUI thread.
// Example: view->verticalHeader()->setDefaultSectionSize(scaled(26));  if (reducedMotion()) return showAtOnce();

#include <QFont>

namespace cutaway::ui {

inline constexpr int kSmallestText = 80, kLargestText = 200;
inline constexpr const char* kTextScaleKey = "window/fontScale";
inline constexpr const char* kReducedMotionKey = "window/reducedMotion";

int textScale();  // percent
void setTextScale(int percent);
int scaled(int pixels);  // pixels at 100 % text

bool reducedMotion();
void setReducedMotion(bool reduced);

// As interfaceFont() at 100 %.
QFont sceneFont(int pixelDelta = 0, int weight = QFont::Normal);

}  // namespace cutaway::ui
