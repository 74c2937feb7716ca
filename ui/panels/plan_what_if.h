#pragma once
// The what-if page that every panel of plans holds; see ui/panels/plans.
//
// Thread rule: GUI thread.
// Example: addWhatIf([context](QWidget* room) { return makePlanWhatIf(context, "pattern", room); });

#include <QString>

#include "ui/panels/panel.h"

namespace cutaway::ui {

// `id`: of the panel, for names and remembered columns.
QWidget* makePlanWhatIf(const PanelContext& context, const QString& id, QWidget* parent);

}  // namespace cutaway::ui
