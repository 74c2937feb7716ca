#pragma once
// Compiled models, their requests and their blobs.
//
// A blob is a line "cutaway-openvino 1", a line with OpenVINO's version, a line with the device, and OpenVINO's own export.
// Thread rule: as bridge.h says. Throws what OpenVINO throws, apart from the virtual functions of bridge.h.
// Example: std::unique_ptr<Compiled> compiled = wrapCompiled(core.compile_model(model, "CPU"), "CPU");

#include <openvino/runtime/core.hpp>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

std::unique_ptr<Compiled> wrapCompiled(ov::CompiledModel model, const std::string& device);
std::unique_ptr<Compiled> importCompiled(ov::Core& core, const std::string& blob, const CompileSettings& settings);
ov::AnyMap propertiesOf(const CompileSettings& settings);

}  // namespace cutaway::openvino
