#pragma once
// A session as it lies in a .cutaway file: open models with their settings, edits, bookmarks and places, and the
// arrangement of the window.
//
// JSON, described in resources/manual/session-format.md. Paths of files that lie beside or below the session file are
// relative to it, so that a folder can be moved as a whole. Thread rule: plain values and pure functions; reading and
// writing may run on any thread. Example: CUTAWAY_CHECK(writeFileSafely(path, sessionToJson(session, path)));
// CUTAWAY_TRY(SessionState session, sessionFromJson(bytes, path, table));

#include <array>
#include <optional>
#include <vector>

#include <QByteArray>
#include <QHash>
#include <QJsonArray>
#include <QString>
#include <QStringList>

#include "engine/edit/model_edit.h"
#include "engine/session/session.h"
#include "ui/document/bookmarks.h"

namespace cutaway::ui {

struct SessionModel {
  QString path;  // absolute
  session::SessionOptions options;
  std::vector<edit::ModelEdit> edits;
  std::array<std::optional<Bookmark>, Bookmarks::kLast + 1> bookmarks;
  Stage stage = Stage::kLoad;
  QString overlay;                // id; empty: that of the stage
  std::optional<Bookmark> place;  // what was in sight
  std::vector<int> selected;      // original nodes
  QByteArray trace;               // of the latest profile, JSON; empty: none
};

struct SessionState {
  std::vector<SessionModel> models;
  int current = 0;
  QByteArray arrangement;  // of the docks, QMainWindow::saveState
  QJsonArray styleRules;   // as ui/base/style_rules.h writes them
};

// Without what changes by looking around (places, selection, arrangement): two sessions with the same content need no
// saving.
QByteArray sessionContent(const SessionState& session);

QByteArray sessionToJson(const SessionState& session, const QString& file);
// INVALID_ARGUMENT with the file and what is wrong in it.
Result<SessionState> sessionFromJson(const QByteArray& json, const QString& file, const ProviderTable& providers);

// All or nothing: writes beside the file and renames; what was there before stays until the new one is complete. FAIL
// with the system's cause.
Result<QByteArray> readWholeFile(const QString& file);
// Renames to NAME.damaged (NAME.damaged.2 ...); gives the new name, empty when that was not possible.
QString putAside(const QString& file);

}  // namespace cutaway::ui
