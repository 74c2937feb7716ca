#pragma once
// From an engine error to the exit code and the lines on stderr that people read.
//
// Thread rule: the main thread. Example: if (!session) return reportError(session.error());

#include <span>

#include "app/about/about.h"
#include "app/cli/verb.h"
#include "app/options/parse_end.h"
#include "engine/base/result.h"

namespace cutaway::cli {

std::span<const ExitMeaning> exitMeanings();  // of every ExitCode, ascending
int exitCodeFor(const Error& error);
// Prints "cutaway-cli: <what>" and where; gives the exit code.
int reportError(const Error& error);
// Prints how reading the command line ended; kDone or kUsage.
int reportParseEnd(const ParseEnd& end);
// Of a file that was not written: the same, and that --force replaces one that is there.
Error notWritten(Error error);

}  // namespace cutaway::cli
