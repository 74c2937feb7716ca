#pragma once
// A word of a command line that is copied from the window into a terminal.
//
// Thread rule: pure. Example: shellWord("my model.onnx") == "'my model.onnx'"

#include <QString>

namespace cutaway::ui {

// For a POSIX shell: quoted where it has to be.
QString shellWord(const QString& word);

}  // namespace cutaway::ui
