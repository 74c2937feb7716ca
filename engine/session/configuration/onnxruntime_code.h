#pragma once
// A configuration as a program that opens the model in onnxruntime.
//
// It says what referenceKeys() says; what onnxruntime has no setting for stands in comments. Thread rule: pure.
// Example: put(onnxruntimeCode(CodeLanguage::kPython, "model.onnx", configurationOf(options), table));

#include <cstdint>
#include <string>

#include "engine/session/configuration/configuration.h"

namespace cutaway::session {

enum class CodeLanguage : uint8_t { kPython, kCpp };

// Whole: imports or includes, settings, the session. C++ needs onnxruntime 1.22, where every provider is chosen by
// name.
std::string onnxruntimeCode(CodeLanguage language, const std::string& model, const Configuration& configuration,
                            const ProviderTable& table);

}  // namespace cutaway::session
