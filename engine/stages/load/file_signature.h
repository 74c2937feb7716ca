#pragma once
// What a file that is not an ONNX model looks like, so that the message can say it.
//
// Thread rule: pure. Example: describeSignature(bytes) == "a Git-LFS pointer: ...".

#include <optional>
#include <string>

#include "engine/schema/wire_reader.h"

namespace cutaway::load {

// A finished message when the bytes begin like another known kind of file; nullopt when they might be an ONNX model.
std::optional<std::string> foreignSignature(ByteSpan bytes);
// True when the bytes read like text.
bool looksLikeText(ByteSpan bytes);

}  // namespace cutaway::load
