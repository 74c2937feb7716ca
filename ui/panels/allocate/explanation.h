#pragma once
// Why a value lives where it lives, as a page: the rule, what prevented reuse, the closest candidate, the chain.
//
// Links read "value:N" and "node:N", indexes of the plan's graph. Thread rule: pure.
// Example: browser->setHtml(explanationPage(view, plan, value, theme));

#include "ui/panels/allocate/allocation_view.h"

namespace cutaway::ui {

struct Theme;

// Empty when the value has no place.
QString explanationPage(const AllocationView& view, int plan, int value, const Theme& theme);

}  // namespace cutaway::ui
