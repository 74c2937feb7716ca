#pragma once
// How users name providers: "openvino{device=CPU,precision=f32}, declared(TensorRT), cpu".
//
// Thread rule: pure. Example: CUTAWAY_TRY(const std::vector<std::string> names, splitProviderList(text));
// CUTAWAY_TRY(const ProviderSpec spec, parseProviderSpec(names[0]));

#include <string>
#include <string_view>
#include <vector>

#include "engine/provider/execution_provider.h"

namespace cutaway {

struct ProviderSpec {
  std::string name;      // as in the provider table
  std::string argument;  // what stands in round brackets
  ProviderOptions options;
};

// Splits at commas outside of brackets. INVALID_ARGUMENT for empty entries and unbalanced brackets.
Result<std::vector<std::string>> splitProviderList(std::string_view text);
// INVALID_ARGUMENT naming the place for anything that is not name, name(argument), name{key=value,...} or both.
Result<ProviderSpec> parseProviderSpec(std::string_view text);
std::string printProviderSpec(const ProviderSpec& spec);

}  // namespace cutaway
