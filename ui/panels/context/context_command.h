#pragma once
// The command line that does what an export of the window does.
//
// Thread rule: pure. Example: contextCommand("m.onnx", document.options(), exportOptions) == "cutaway-cli context
// m.onnx -o m_ctx.onnx --opt-level 3"

#include <QString>

#include "engine/session/session.h"
#include "ui/document/context_controller.h"

namespace cutaway::ui {

QString contextCommand(const QString& model, const session::SessionOptions& options,
                       const ContextExportOptions& exportOptions);

}  // namespace cutaway::ui
