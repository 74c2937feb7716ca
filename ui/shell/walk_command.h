#pragma once
// The command line that walks a model with the settings of the window.
//
// Thread rule: pure. Example: walkCommand("model.onnx", options) == "cutaway-cli inspect --providers onednn,cpu --dim
// batch=1 model.onnx"

#include <QString>

#include "engine/session/session.h"

namespace cutaway::ui {

// Options that are as by default are left out. Quoted for a POSIX shell where that has to be.
QString walkCommand(const QString& path, const session::SessionOptions& options);

}  // namespace cutaway::ui
