#pragma once
// ONNX bytes through OpenVINO's ONNX frontend.
//
// Thread rule: one conversion per call; the frontend is made anew each time. Throws what OpenVINO throws.
// Example: std::shared_ptr<ov::Model> model = convertModel(bytes);

#include <memory>
#include <string>

#include <openvino/core/model.hpp>

namespace cutaway::openvino {

std::shared_ptr<ov::Model> convertModel(const std::string& onnxModel);
// What cannot be converted stays as ov::op::util::FrameworkNode.
std::shared_ptr<ov::Model> convertWhatWorks(const std::string& onnxModel);

}  // namespace cutaway::openvino
