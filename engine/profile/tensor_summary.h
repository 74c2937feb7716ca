#pragma once
// A tensor in short, for reports.
//
// Thread rule: pure. Example: report.outputs.push_back(summarize(feed.name, feed.value));

#include "engine/report/run_report.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::profile {

TensorSummary summarize(const std::string& name, const RuntimeValue& value);

}  // namespace cutaway::profile
