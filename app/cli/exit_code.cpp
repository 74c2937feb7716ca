#include "app/cli/exit_code.h"

#include "app/cli/console_progress.h"
#include "app/cli/output.h"
#include "engine/base/new_file.h"

namespace cutaway::cli {

std::span<const ExitMeaning> exitMeanings() {
  static constexpr ExitMeaning kMeanings[] = {{kDone, "done"},
                                              {kCheckFailed, "a check failed"},
                                              {kUsage, "usage"},
                                              {kBadModel, "bad model"},
                                              {kRefusedByPolicy, "refused by policy"},
                                              {kInternal, "internal"},
                                              {kNotWritten, "a file or standard output could not be written"},
                                              {kCancelled, "cancelled"}};
  return kMeanings;
}

int exitCodeFor(const Error& error) {
  // What a cancelled piece of work says on its way out depends on where it was.
  if (ConsoleProgress::interrupted()) return kCancelled;
  if (error.byPolicy) return kRefusedByPolicy;
  if (isWriteFailure(error)) return error.code == kNotWritable ? kUsage : kNotWritten;
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

Error notWritten(Error error) {
  if (error.byPolicy) error.message += "; --force replaces it";
  return error;
}

int reportError(const Error& error) {
  putError("cutaway-cli: {}\n", describe(error));
  return exitCodeFor(error);
}

int reportParseEnd(const ParseEnd& end) {
  putText(end.shown);
  putErrorText(end.said);
  return end.isUsage ? kUsage : kDone;
}

}  // namespace cutaway::cli
