#include "app/records/record_options.h"

#include "app/options/taken_option.h"
#include "providers/onnxruntime/record/recorded_provider.h"
#include "providers/onnxruntime/record/recording.h"

namespace cutaway {

void declareRecords(CLI::App& command, std::function<void(std::string provider)> onReplay) {
  addTakenOption(
      command, "--record", [](const std::string& path) { return onnxruntime::startRecording(path); },
      "keep what plug-in providers and ONNX Runtime are asked and answer, for --replay on another machine", "FILE");
  const auto replay = [onReplay = std::move(onReplay)](const std::string& path) -> Result<void> {
    CUTAWAY_TRY(std::string provider, addRecord(path));
    onReplay(std::move(provider));
    return {};
  };
  addTakenOption(
      command, "--replay", replay,
      "before other providers, the one that the record FILE is of: it answers about the same model as recorded",
      "FILE");
}

bool hasRecord() {
  return onnxruntime::isRecording();
}

Result<void> finishRecords() {
  return onnxruntime::finishRecording();
}

}  // namespace cutaway
