#pragma once
// --log and --log-file: what a program says while it works, on its terminal and in a file.
//
// Thread rule: the main thread, before parsing. Example: declareLog(command);

namespace CLI {
class App;
}

namespace cutaway {

// A level that is none, or a file that cannot be such a log, is an error of usage.
void declareLog(CLI::App& command);

}  // namespace cutaway
