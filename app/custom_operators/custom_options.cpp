#include "app/custom_operators/custom_options.h"

#include <algorithm>

#include <CLI/CLI.hpp>

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
  command
      .add_option_function<std::vector<std::string>>(
          "--custom-ops",
          [](const std::vector<std::string>& all) {
            for (const std::string& path : all) {
              if (const Result<void> added = onnxruntime::addCustomLibrary(path); !added)
                throw CLI::ValidationError("--custom-ops", added.error().message);
            }
          },
          "a library of custom operators written for ONNX Runtime, which runs their nodes in a process of its own")
      ->type_name("PATH")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

void addCustomProvider(std::vector<std::string>& providers) {
  if (onnxruntime::customLibraries().empty() || std::ranges::any_of(providers, isHost)) return;
  providers.insert(providers.begin(), onnxruntimeProvider().name + "{nodes=custom}");
}

}  // namespace cutaway
