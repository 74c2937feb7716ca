#pragma once
// Times of layers that a vendor's own tool measured on its device, read as the events of a trace.
//
// Read are what onnxruntime-qnn writes for profiling_level (CSV), what trtexec writes for --exportProfile (JSON), and
// the counters of OpenVINO's benchmark_app (-report_type average_counters or detailed_counters, CSV).
// Thread rule: pure. Example: CUTAWAY_TRY(std::optional<TraceFile> figures, readDeviceFigures(text, "layers.json"));

#include <optional>
#include <string>
#include <string_view>

#include "engine/profile/trace_events.h"

namespace cutaway::profile {

// nullopt: the text is in none of these forms. INVALID_ARGUMENT, with the file: it is, but has no layer with a time.
Result<std::optional<TraceFile>> readDeviceFigures(std::string_view text, const std::string& file);

}  // namespace cutaway::profile
