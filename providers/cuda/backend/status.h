#pragma once
// How a call of the device interface ended, in plain data: the interface throws nothing and knows none of the engine's
// types of error.
//
// Thread rule: plain value. A Status that is ok costs nothing.
// Example: if (Status status = backend.fill(...); !status.ok()) return asError(status, "fill");

#include <cstdint>
#include <string>
#include <utility>

namespace cutaway::cuda {

enum class StatusCode : uint8_t {
  kOk,
  kOutOfMemory,
  kDeviceLost,      // the context is gone: nothing on this device works any more (launch failure, illegal address, ECC,
                    // reset)
  kUnsupported,     // this library or device cannot do it; another way may
  kCompileFailed,   // run-time compilation; text has the log
  kCaptureRefused,  // a call that cannot be recorded was made while recording
  kOther,
};

struct Status {
  StatusCode code = StatusCode::kOk;
  std::string text;  // "cudaMallocAsync: out of memory"
  bool ok() const { return code == StatusCode::kOk; }
  static Status unsupported(std::string text) { return {StatusCode::kUnsupported, std::move(text)}; }
};

}  // namespace cutaway::cuda
