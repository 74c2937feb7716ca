#pragma once
// Options whose values are taken while options are read: what is not taken is an error of usage, in the words of its
// error.
//
// Thread rule: the main thread, before parsing. Example:
//   addTakenOption(command, "--log-file", [](const std::string& file) { return log::openFile(file); }, "...", "FILE");

#include <functional>
#include <string>

#include "engine/base/result.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cutaway {

using TakeValue = std::function<Result<void>(const std::string& value)>;

CLI::Option* addTakenOption(CLI::App& command, const std::string& name, TakeValue take, const std::string& help,
                            const std::string& valueName);
// May be given several times, with one value each.
CLI::Option* addTakenOptions(CLI::App& command, const std::string& name, TakeValue take, const std::string& help,
                             const std::string& valueName);

}  // namespace cutaway
