#pragma once
// Kernels of nodes as JSON. Thread rule: pure. Example: json["kernels"] = kernelsToJson(report);

#include <nlohmann/json_fwd.hpp>

#include "engine/report/kernel_report.h"

namespace cutaway {

// A list of objects with `graph`, `node`, `name`, `op_type`, `provider`, `variant`, `fast_path`, `refused`
// (`fast_path`, `reason`), `packed_bytes`, `compiled`.
nlohmann::json kernelsToJson(const KernelReport& report);

}  // namespace cutaway
