#pragma once
// A verb of cutaway-cli: one file each, one function `verb_<name>()` that describes it.
//
// Thread rule: the main thread. Example: app/cli/inputs.cpp. To add one: docs/add/verb.md.

#include <functional>
#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cutaway::cli {

// Exit codes are part of the contract with scripts.
enum ExitCode : int {
  kDone = 0,
  kCheckFailed = 1,
  kUsage = 2,
  kBadModel = 3,
  kRefusedByPolicy = 4,
  kInternal = 5,
  kNotWritten = 6,  // a file or standard output could not be written
  kCancelled = 130
};

struct Verb {
  std::string name;
  std::string help;     // one line
  std::string example;  // shown below --help
  // Declares the verb's options on `command` and gives what runs when it is chosen; the return value is the exit code.
  std::function<std::function<int()>(CLI::App& command)> declare;
};

}  // namespace cutaway::cli
