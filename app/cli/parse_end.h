#pragma once
// How reading the command line ended when no verb ran: help and version on standard output, what was wrong on standard
// error. What was given is shown as safe for a terminal and as short as in other messages.
//
// Thread rule: the main thread. Example: catch (const CLI::ParseError& error) { return endOfParsing(app, error); }

#include <CLI/CLI.hpp>

namespace cutaway::cli {

int endOfParsing(const CLI::App& app, const CLI::ParseError& error);  // kDone or kUsage

}  // namespace cutaway::cli
