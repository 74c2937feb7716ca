#pragma once
// What every program says about itself: --version with the facts of its build, and the table of its options, which
// manual pages and completions are made of (packaging/shell).
//
// Thread rule: the main thread, before parsing. Example:
//   CLI::App app("Shows ...", "cutaway-cli");  declareAbout(app, {{0, "done"}, {2, "usage"}});

#include <span>
#include <string>

namespace CLI {
class App;
}

namespace cutaway {

struct ExitMeaning {
  int code = 0;
  const char* meaning = "";  // "a check failed"
};

// Adds --version, and --option-tables, which help does not list. Verbs and options may be added afterwards.
// `exits` lives as long as `app`.
void declareAbout(CLI::App& app, std::span<const ExitMeaning> exits);

// "Exit codes: 0 done, 2 usage"
std::string exitLine(std::span<const ExitMeaning> exits);

}  // namespace cutaway
