#pragma once
// Which operator forms OpenVINO takes: the frontend converts all questions at once, then query_model is asked about
// what came of them.
//
// Questions stand side by side in one model without edges between them, so that an operation belongs to the question
// whose results it leads to. Thread rule: pure over the core in hand. Throws what OpenVINO throws. Example:
// std::vector<Judged> answers = judgeQuestions(core, bytes, outputs, 12, "CPU");

#include <openvino/runtime/core.hpp>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

std::vector<Judged> judgeQuestions(ov::Core& core, const std::string& onnxModel,
                                   const std::vector<ExpectedOutput>& outputs, size_t count, const std::string& device);

}  // namespace cutaway::openvino
