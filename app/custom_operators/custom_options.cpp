#include "app/custom_operators/custom_options.h"

#include <algorithm>

#include "app/options/taken_option.h"
#include "engine/provider/provider_spec.h"
#include "providers/onnxruntime/custom/custom_libraries.h"
#include "providers/onnxruntime/provider.h"

namespace cutaway {

namespace {

bool isHost(const std::string& text) {
  const Result<ProviderSpec> spec = parseProviderSpec(text);
  return spec && spec->name == onnxruntimeProvider().name;
}

}  // namespace

void declareCustomOperators(CLI::App& command) {
  addTakenOptions(
      command, "--custom-ops", [](const std::string& path) { return onnxruntime::addCustomLibrary(path); },
      "a library of custom operators written for ONNX Runtime, which runs their nodes in a process of its own", "PATH");
}

void addCustomProvider(std::vector<std::string>& providers) {
  if (onnxruntime::customLibraries().empty() || std::ranges::any_of(providers, isHost)) return;
  providers.insert(providers.begin(), onnxruntimeProvider().name + "{nodes=custom}");
}

}  // namespace cutaway
