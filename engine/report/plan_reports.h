#pragma once
// Reports of schedule, allocate and pattern, together.
//
// Thread rule: immutable once published. Example: see the three headers.

#include "engine/report/allocate_report.h"
#include "engine/report/pattern_report.h"
#include "engine/report/schedule_report.h"
