#pragma once
// The size of text in the whole program, changed while windows are open: the application's font and every font that a
// widget chose itself.
//
// Thread rule: GUI thread. Example: viewState.put(kTextScaleKey, 150);  showTextSize(150);

namespace cutaway::ui {

void showTextSize(int percent);  // 80 to 200

}  // namespace cutaway::ui
