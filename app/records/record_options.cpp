#include "app/records/record_options.h"

#include <CLI/CLI.hpp>

#include "providers/onnxruntime/record/recorded_provider.h"
#include "providers/onnxruntime/record/recording.h"

namespace cutaway {

void declareRecords(CLI::App& command, std::function<void(std::string provider)> onReplay) {
  command
      .add_option_function<std::string>(
          "--record",
          [](const std::string& path) {
            if (const Result<void> started = onnxruntime::startRecording(path); !started)
              throw CLI::ValidationError("--record", started.error().message);
          },
          "keep what plug-in providers and ONNX Runtime are asked and answer, for --replay on another machine")
      ->type_name("FILE");
  command
      .add_option_function<std::string>(
          "--replay",
          [onReplay = std::move(onReplay)](const std::string& path) {
            Result<std::string> provider = addRecord(path);
            if (!provider) throw CLI::ValidationError("--replay", provider.error().message);
            onReplay(*std::move(provider));
          },
          "before other providers, the one that the record FILE is of: it answers about the same model as recorded")
      ->type_name("FILE");
}

Result<void> finishRecords() {
  return onnxruntime::finishRecording();
}

}  // namespace cutaway
