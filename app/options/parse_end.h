#pragma once
// How reading the command line ended when nothing ran: help and version for standard output, what was wrong for
// standard error, with where to read on. The same words in every program, as safe for a terminal and as short as other
// messages.
//
// Thread rule: the main thread. Example: catch (const CLI::ParseError& error) { return end(endOfParsing(app, error)); }

#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace cutaway {

struct ParseEnd {
  bool isUsage = false;  // something was wrong
  std::string shown;     // help, version; as it is
  std::string said;      // what was wrong: lines
};

ParseEnd endOfParsing(const CLI::App& app, const CLI::ParseError& error);
// Errors of usage in all options of the program and its verbs: files, folders and models that are named by nothing, as
// by a script's variable without a value, and numbers that are none or infinite. After all options were declared.
void refuseHollowValues(CLI::App& app);

}  // namespace cutaway
