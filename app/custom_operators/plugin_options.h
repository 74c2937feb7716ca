#pragma once
// --plugin: folders with plug-ins of this program.
//
// Thread rule: the main thread. Example:
//   declarePlugins(command);
//   ...
//   addPluggedProvider(options.providers);

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cutaway {

// A folder is opened as soon as it is read, so that options behind it know what it brings; one that cannot be had is an
// error of usage.
void declarePlugins(CLI::App& command);
// Where plug-ins have operators and the list names no provider that runs them: one before all others.
void addPluggedProvider(std::vector<std::string>& providers);

}  // namespace cutaway
