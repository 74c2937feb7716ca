#pragma once
// Opened files in the desktop's own list of recent ones, which file dialogs and launchers show.
//
// The list is recently-used.xbel in the user's data folder (freedesktop.org, Desktop Bookmark Specification). It
// belongs to all programs: what others wrote stays as it is, and a list that cannot be understood is left alone. Thread
// rule: any thread; one writer at a time in this program. Example:
//   Result<void> noted = noteRecentFile(desktopRecentList(), "/models/model.onnx", QDateTime::currentDateTimeUtc());

#include <QDateTime>
#include <QString>

#include "engine/base/result.h"

namespace cutaway::ui {

// The list of this user.
QString desktopRecentList();
// The list's content with this file as used at `moment`. INVALID_ARGUMENT: the content is no such list.
Result<QByteArray> withRecentFile(const QByteArray& list, const QString& file, const QDateTime& moment);
// Reads the list, or begins one, and writes it again. Errors of reading and writing files.
Result<void> noteRecentFile(const QString& list, const QString& file, const QDateTime& moment);

}  // namespace cutaway::ui
