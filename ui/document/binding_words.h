#pragma once
// For which sizes of its open dimensions a model's figures stand.
//
// Thread rule: GUI thread. Example: title->setNote(bindingOf(document, Stage::kRun).join(", "));  // "batch = 1 (this
// run)"

#include <set>
#include <string>

#include <QStringList>

#include "engine/report/walk_report.h"

namespace cutaway::ui {

class Document;

// Dimensions of the model's inputs that have a name: with a size from the settings, or none yet. Empty while the walk
// has not come to them.
std::set<std::string> symbolsOf(const Document& document);

// Whether inputs have dimensions without a name and a size, or no rank: only what is fed tells them.
bool hasUnnamedSizes(const Document& document);

// One word group a dimension: "batch = 8", "seq = 1 (this run)", "seq open", "unnamed sizes open". A model without open
// dimensions: one that says so. Empty: nothing is known yet.
QStringList bindingOf(const Document& document, Stage stage);

// The first few, and how many more there are.
QString inShort(const QStringList& binding);

}  // namespace cutaway::ui
