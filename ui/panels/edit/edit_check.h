#pragma once
// Why an edit cannot be made, as far as the snapshot of the loaded model tells: said while it is typed. The engine
// checks again when it is applied.
//
// Thread rule: pure. Example: reason->setText(whyNot(edit, *walk->loadedGraphs));

#include <QString>
#include <QStringList>

#include "engine/edit/model_edit.h"
#include "engine/report/graph_report.h"

namespace cutaway::ui {

// Empty: nothing speaks against it.
QString whyNot(const edit::ModelEdit& edit, const ModelGraphs& graphs);

// Names of element types as edits write them: "float", "int64" ...
QStringList elementTypeNames();
// Symbols in the shapes of the main graph's inputs, in their order.
QStringList inputSymbols(const ModelGraphs& graphs);
// "[batch,3,224]" or "float[batch,3,224]" -> "batch,3,224".
QString shapeLine(std::string_view shape);
// The node of the main graph or a body that an origin means; null: it is gone.
const NodeReport* nodeOfOrigin(const ModelGraphs& graphs, int origin, int* graph = nullptr);

}  // namespace cutaway::ui
