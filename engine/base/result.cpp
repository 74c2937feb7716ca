#include "engine/base/result.h"

#include "engine/base/new_file.h"
#include "engine/base/printable.h"

namespace cutaway {
namespace {

// Of what people read. A hostile name may have megabytes.
constexpr size_t kLongestMessage = 640, kLongestPlace = 240;

}  // namespace

std::string_view errorCodeName(ErrorCode code) {
  if (code == kNotWritten) code = ErrorCode::kFail;
  if (code == kNotWritable) code = ErrorCode::kInvalidArgument;
  if (code == kNoFolder) code = ErrorCode::kNoSuchFile;
  switch (code) {
    case ErrorCode::kFail:
      return "FAIL";
    case ErrorCode::kInvalidArgument:
      return "INVALID_ARGUMENT";
    case ErrorCode::kNoSuchFile:
      return "NO_SUCHFILE";
    case ErrorCode::kNoModel:
      return "NO_MODEL";
    case ErrorCode::kEngineError:
      return "ENGINE_ERROR";
    case ErrorCode::kRuntimeException:
      return "RUNTIME_EXCEPTION";
    case ErrorCode::kInvalidProtobuf:
      return "INVALID_PROTOBUF";
    case ErrorCode::kModelLoaded:
      return "MODEL_LOADED";
    case ErrorCode::kNotImplemented:
      return "NOT_IMPLEMENTED";
    case ErrorCode::kInvalidGraph:
      return "INVALID_GRAPH";
    case ErrorCode::kEpFail:
      return "EP_FAIL";
    case ErrorCode::kModelLoadCanceled:
      return "MODEL_LOAD_CANCELED";
    case ErrorCode::kModelRequiresCompilation:
      return "MODEL_REQUIRES_COMPILATION";
    case ErrorCode::kNotFound:
      return "NOT_FOUND";
    case ErrorCode::kDeviceReset:
      return "DEVICE_RESET";
  }
  return "GENERAL_ERROR";
}

std::string describe(const Error& error) {
  std::string text =
      fmt::format("{}: {}", errorCodeName(error.code), shortenedText(printable(error.message), kLongestMessage));
  std::string place;
  const auto append = [&place](std::string_view kind, const std::string& name) {
    if (!name.empty())
      place += fmt::format("{}{} '{}'", place.empty() ? "" : ", ", kind, shortenedText(printable(name), kLongestPlace));
  };
  append("file", error.where.file);
  append("node", error.where.node);
  append("value", error.where.value);
  if (!place.empty()) text += fmt::format(" ({})", place);
  return text;
}

Error atFile(Error error, std::string_view file) {
  if (error.where.file.empty()) error.where.file = file;
  return error;
}

Error atNode(Error error, std::string_view node) {
  if (error.where.node.empty()) error.where.node = node;
  return error;
}

Error atValue(Error error, std::string_view value) {
  if (error.where.value.empty()) error.where.value = value;
  return error;
}

}  // namespace cutaway
