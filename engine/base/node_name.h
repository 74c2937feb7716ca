#pragma once
// What a node is called, everywhere: its name, or where it has none its operator and number, as onnxruntime's profiles
// and messages do.
//
// Example: nodeName("", "Conv", 3) == "Conv_3"; nodeName("stem", "Conv", 3) == "stem"

#include <string>
#include <string_view>

namespace cutaway {

// number: the node's index in its graph.
inline std::string nodeName(std::string_view name, std::string_view opType, size_t number) {
  return name.empty() ? std::string(opType) + "_" + std::to_string(number) : std::string(name);
}

}  // namespace cutaway
