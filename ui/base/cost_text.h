#pragma once
// A cost in the unit of a schedule.
//
// Thread rule: pure. Example: costText(step.cost, schedule.costUnit) == "400 M"

#include <string>

#include <QString>

namespace cutaway::ui {

// unit: GraphSchedule::costUnit. "3.2 ms", "3 nodes"; estimated work ("work"), which is no FLOP count, has a prefix
// alone.
QString costText(int64_t cost, const std::string& unit);
QString workHelp();  // what the unit "work" is

}  // namespace cutaway::ui
