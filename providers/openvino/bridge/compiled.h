#pragma once
// Compiled models, their requests and their blobs.
//
// A blob is OpenVINO's own export and nothing else: what it was made for is said outside of it (context.h).
// Thread rule: as bridge.h says. Throws what OpenVINO throws, apart from the virtual functions of bridge.h.
// Example: std::unique_ptr<Compiled> compiled = wrapCompiled(core.compile_model(model, "CPU"));

#include <openvino/runtime/core.hpp>

#include "providers/openvino/bridge/bridge.h"

namespace cutaway::openvino {

std::unique_ptr<Compiled> wrapCompiled(ov::CompiledModel model);
std::unique_ptr<Compiled> importCompiled(ov::Core& core, const BlobView& blob, const CompileSettings& settings);
ov::AnyMap propertiesOf(const CompileSettings& settings);

}  // namespace cutaway::openvino
