#pragma once
// What is asked of weight sharing, and what came of it in words and rows.
//
// Thread rule: pure. Example: table->present(sharingRows(written));

#include <memory>

#include <QStringList>

#include "engine/compile/share.h"
#include "ui/base/table_columns.h"

namespace cutaway::ui {

struct SharingWish {
  QStringList models;  // in order: the binary is named after the first
  QString provider;    // "openvino"
  QString options;     // "precision=bf16, device=CPU"
  QString folder;
  bool overwrite = false;
};

// `session`: the settings of the window, whose provider and sharing keys are replaced.
Result<compile::ShareRequest> sharingRequest(const SharingWish& wish, session::SessionOptions session);
// The tool that does the same: "ep_weight_sharing_ctx_gen -e openvino -i 'precision|bf16' a.onnx,b.onnx". It writes
// beside each model.
QString sharingCommand(const SharingWish& wish, int level);
QString sharingSentence(const ContextWritten& written);
// Files first, then notes.
ReportRows sharingRows(const std::shared_ptr<const ContextWritten>& written);

}  // namespace cutaway::ui
