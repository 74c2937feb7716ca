#include "app/about/build_facts.h"

#include <google/protobuf/stubs/common.h>

#include "engine/base/opened_library.h"
#include "providers/cuda/library.h"
#include "providers/onednn/library.h"
#include "providers/onnxruntime/library.h"
#include "providers/openvino/library.h"

namespace cutaway {

namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "GCC " __VERSION__;
#else
constexpr const char* kCompiler = "unknown";
#endif

std::string protobufVersion() {
  constexpr int kVersion = GOOGLE_PROTOBUF_VERSION;
  return fmt::format("{}.{}.{}", kVersion / 1000000, kVersion / 1000 % 1000, kVersion % 1000);
}

std::string libraries() {
  std::string text =
      fmt::format("onnx {}, oneDNN {}, protobuf {}", CUTAWAY_ONNX_VERSION, onednn::libraryVersion(), protobufVersion());
  if (*CUTAWAY_QT_VERSION != '\0') text += fmt::format(", Qt {}", CUTAWAY_QT_VERSION);
  return text;
}

std::string placeOf(const std::filesystem::path& path) {
  return path.empty() ? "not there" : path.string();
}

}  // namespace

const char* versionNumber() {
  return CUTAWAY_VERSION;
}

std::string versionText(const std::string& program) {
  const Result<std::filesystem::path> host = onnxruntime::findHostProgram();
  return fmt::format(
      "{} {}\n"
      "commit: {}\n"
      "compiler: {}, {}\n"
      "libraries: {}\n"
      "module openvino: {}\n"
      "module cuda: {}\n"
      "module onnxruntime: {}",
      program, versionNumber(), *commitOfSources() == '\0' ? "unknown" : commitOfSources(), kCompiler,
      CUTAWAY_BUILD_TYPE, libraries(), placeOf(firstWith(openvino::searchFolders(), openvino::kModuleFile)),
      placeOf(firstWith(cuda::searchFolders(), cuda::kModuleFile)), placeOf(host ? *host : std::filesystem::path()));
}

}  // namespace cutaway
