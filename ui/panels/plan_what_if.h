#pragma once
// The what-if page that every panel of plans holds; see ui/panels/plans.
//
// Thread rule: GUI thread.
// Example: addWhatIf(makePlanWhatIf(context, "pattern"));

#include <QString>

#include "ui/panels/panel.h"

namespace cutaway::ui {

// `id`: of the panel, for names and remembered columns.
QWidget* makePlanWhatIf(const PanelContext& context, const QString& id);

}  // namespace cutaway::ui
