#pragma once
// One export: the work on a worker, progress and Cancel in a small window, the file only under its name once it is
// whole.
//
// What goes wrong is told with its cause and can be tried again, here or elsewhere; nothing half-written is left and
// nothing that was there before is lost. Thread rule: GUI thread; `write` runs on a worker and sees only what it was
// given. Example: startExport(window, {.title = tr("Picture"), .path = path, .write = [picture](QIODevice& file, const
// ExportControl& control) { return picture->writePng(file, control.cancel, control.permille); }});

#include <atomic>
#include <functional>
#include <memory>

#include <QIODevice>
#include <QString>

#include "engine/base/progress.h"
#include "engine/base/result.h"

class QWidget;

namespace cutaway::ui {

struct ExportControl {
  CancelToken cancel;
  std::atomic<int>* permille = nullptr;  // 0: the work does not say how far it is
};

struct ExportWork {
  QString title;  // "Picture": title of the small window
  QString path;   // a file, or with `files` the folder
  std::function<Result<void>(QIODevice& file, const ExportControl& control)> write;  // one file
  std::vector<std::pair<QString, std::function<std::string()>>> files = {};  // or several, by name in the folder
};

// `done` is called once, with what was written or an empty text when it was given up.
void startExport(QWidget* window, ExportWork work, std::function<void(const QString& path)> done);

// The work alone, as the worker does it: a temporary file beside the target, renamed when it is whole.
Result<void> writeExport(const ExportWork& work, const ExportControl& control);

}  // namespace cutaway::ui
