#pragma once
// What went wrong behind the door, in plain data: the door throws nothing and knows none of the engine's types of
// error.
//
// Thread rule: plain value. A Problem that is none costs nothing. Example: if (Problem problem = machine.fill(...))
// return asError(problem, "fill");

#include <cstdint>
#include <string>
#include <utility>

namespace cutaway::cuda {

enum class ProblemKind : uint8_t {
  kNone,
  kOutOfMemory,
  kDeviceLost,      // the context is gone: nothing on this device works any more (launch failure, illegal address, ECC,
                    // reset)
  kUnsupported,     // this library or device cannot do it; another way may
  kCompileFailed,   // run-time compilation; text has the log
  kCaptureRefused,  // a call that cannot be recorded was made while recording
  kOther,
};

struct Problem {
  ProblemKind kind = ProblemKind::kNone;
  std::string text;  // "cudaMallocAsync: out of memory"
  explicit operator bool() const { return kind != ProblemKind::kNone; }
  static Problem unsupported(std::string text) { return {ProblemKind::kUnsupported, std::move(text)}; }
};

}  // namespace cutaway::cuda
