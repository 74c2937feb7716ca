#pragma once
// ONNX models in protobuf's text format become the binary form, which the one reader then reads.
//
// Thread rule: pure. Example: CUTAWAY_TRY(std::string binary, binaryFromText(text));

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::load {

// .textproto .prototxt .pbtxt .onnxtxt .txt
bool hasTextExtension(const std::filesystem::path& path);
// INVALID_PROTOBUF with line and column.
Result<std::string> binaryFromText(std::string_view text);

}  // namespace cutaway::load
