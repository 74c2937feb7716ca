#pragma once
// Graphviz's `dot`, as a process of its own: it can be cancelled at any time and takes nothing down with it.
//
// Thread rule: any thread, one call a thread. Example: CUTAWAY_TRY(const QByteArray json, runDot(text, cancel));

#include <QByteArray>
#include <QString>

#include "engine/base/progress.h"
#include "engine/base/result.h"

namespace cutaway::ui {

// Where it is; empty: not installed. Looked for once.
const QString& dotProgram();

// What dot makes of a graph, in its JSON form with places. NOT_FOUND: it is not installed, and how to get it; FAIL:
// what it said; MODEL_LOAD_CANCELED.
Result<QByteArray> runDot(const QByteArray& text, const CancelToken& cancel);

}  // namespace cutaway::ui
