#pragma once
// What the program and the host process agree on before the first message.
//
// Thread rule: constants. Example: execve(host, {host, kServe, "4711"}, environment)

namespace cutaway::onnxruntime {

inline constexpr const char* kHostProgram = "cutaway-ort-host";
inline constexpr const char* kHostVariable = "CUTAWAY_ORT_HOST";  // a folder that has it
// "--serve <number of the process that started it>"
inline constexpr const char* kServe = "--serve";
// Official builds of ONNX Runtime from 1.30 on contain an uploader that is on unless this is in the environment before
// the library is opened: later it has made files and a thread already.
inline constexpr const char* kTelemetryVariable = "ORT_DISABLE_TELEMETRY";
inline constexpr const char* kTelemetryOff = "1";

}  // namespace cutaway::onnxruntime
