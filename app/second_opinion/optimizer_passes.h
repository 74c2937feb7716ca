#pragma once
// What the passes of ONNX Runtime's optimiser are known to take from a graph and to write into it.
//
// Facts of onnxruntime 1.31 up to the extended level with the CPU provider: documentation, and what models showed that
// it optimised here. Thread rule: pure. Example: optimizerPass("ConvActivationFusion").writes == {"FusedConv"}

#include <string>

#include "engine/study/second_opinion/second_opinion.h"

namespace cutaway {

// By the name in its log. A pass that is not known here accounts for nothing: its lists are empty.
study::OtherPass optimizerPass(const std::string& name);

}  // namespace cutaway
