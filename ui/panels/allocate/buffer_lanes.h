#pragma once
// Buffers as lanes: who lives in which, one behind the other.
//
// Thread rule: pure; the data keeps the snapshot alive.
// Example: chart->present(bufferLanes(view, plan));      chart->present(chainLanes(view, plan, value));

#include "ui/panels/allocate/allocation_view.h"

namespace cutaway::ui {

// Every buffer of a graph, in the order in which they come into use; with a device, only those in its memory.
LifeChartData bufferLanes(const std::shared_ptr<const AllocationView>& view, int plan, const std::string& device = {});
// The buffer of one value with all its tenants, parts inside it, arrows from whom to whom; below it the closest
// candidate's, when there was one.
LifeChartData chainLanes(const std::shared_ptr<const AllocationView>& view, int plan, int value);

}  // namespace cutaway::ui
