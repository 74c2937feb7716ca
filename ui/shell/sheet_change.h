#pragma once
// A new style sheet for the whole window without holding it up: what is to be seen is dressed at once or, where
// that takes longer than a frame, in portions behind which the windows are painted; hidden widgets when they are shown
// or, in small portions, while nothing else is going on. (Dressing one widget takes Qt about a
// third of a millisecond, and the panels of a document have some thousands.)
//
// Thread rule: GUI thread. Example: changeSheet(theme.styleSheet());

#include <QString>

namespace cutaway::ui {

void changeSheet(const QString& sheet);
// In the next turn of the event loop; until then, and while it goes on, windows are not painted. What else a theme
// changes has this turn.
void changeSheetNext(const QString& sheet);
// Hidden widgets that still wait for the sheet.
int waitingForSheet();

}  // namespace cutaway::ui
