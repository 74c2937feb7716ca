#pragma once
// --custom-ops: libraries of custom operators written for ONNX Runtime.
//
// Thread rule: the main thread. Example:
//   declareCustomOperators(command);
//   ...
//   addCustomProvider(options.providers);

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace CLI {
class App;
}

namespace cutaway {

// A library is asked for its operators while options are read; one that cannot be had is an error of usage.
void declareCustomOperators(CLI::App& command);
// Where libraries were named and the list has no provider that runs their operators: one before all others that takes
// those operators and nothing else.
void addCustomProvider(std::vector<std::string>& providers);

}  // namespace cutaway
