#include "app/cli/exit_code.h"

#include <cstdio>

namespace cutaway::cli {

int exitCodeFor(const Error& error) {
  if (error.byPolicy) return kRefusedByPolicy;
  switch (error.code) {
    case ErrorCode::kModelLoadCanceled:
      return kCancelled;
    case ErrorCode::kModelRequiresCompilation:
      return kRefusedByPolicy;
    case ErrorCode::kEngineError:
    case ErrorCode::kRuntimeException:
    case ErrorCode::kDeviceReset:
      return kInternal;
    default:
      return kBadModel;
  }
}

int reportError(const Error& error) {
  fmt::print(stderr, "cutaway-cli: {}\n", describe(error));
  return exitCodeFor(error);
}

}  // namespace cutaway::cli
