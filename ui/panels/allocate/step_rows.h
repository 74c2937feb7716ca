#pragma once
// The planner's steps as a table: what each made and by which rule, use counts around it, the free list behind it.
//
// Thread rule: GUI thread; linear in the steps. Example: if (tabs()->currentWidget() == page)
// model->present(stepRows(view));

#include "ui/panels/allocate/allocation_view.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {

ReportRows allocationStepRows(std::shared_ptr<const AllocationView> view);

}  // namespace cutaway::ui
