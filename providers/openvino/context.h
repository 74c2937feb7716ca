#pragma once
// Compiled groups out of the process and back: what OpenVINO exports, with what it was made for.
//
// Two sections: "blob", OpenVINO's own bytes, imported where they lie in the mapped file, and "group" (stored_group.h).
// A blob is handed to OpenVINO only when its checksum (the caller's check), the build of OpenVINO and the device agree
// and its outermost layout is sound. OpenVINO's reader is not hardened against hands that forge all of these: open
// context models from people you trust. Thread rule: as Bridge. Example: CUTAWAY_TRY(ContextPartition partition,
// exportGroup(bridge, options, compiled, progress));

#include "engine/provider/execution_provider.h"
#include "engine/provider/provider_context.h"
#include "engine/provider/vendor_contexts.h"
#include "providers/openvino/asking/asker.h"
#include "providers/openvino/options.h"

namespace cutaway::openvino {

inline constexpr const char* kBlobSection = "blob";
inline constexpr const char* kGroupSection = "group";

// kNone where the device's plugin exports nothing.
ContextSupport supportOf(Bridge& bridge, const OpenvinoOptions& options);
// ENGINE_ERROR: OpenVINO does not export the group; EP_FAIL: the kernel is not one of this provider;
// MODEL_LOAD_CANCELED.
Result<context_binary::ContextPartition> exportGroup(Bridge& bridge, const OpenvinoOptions& options,
                                                     const ContextExport& compiled, const Progress& progress);
// With `threads` and the session's own options, but for the precision, which is that of the stored group. EP_FAIL.
Result<CompiledNode> restoreGroup(Bridge& bridge, const OpenvinoOptions& options, int threads,
                                  const ContextRestore& stored);

// A context that ONNX Runtime's OpenVINO provider wrote (foreign_blob.h). It carries no checksum, so that `asker` tries
// it first: of damaged bytes OpenVINO may die. EP_FAIL.
Result<CompiledNode> restoreForeign(Bridge& bridge, Asker& asker, const OpenvinoOptions& options, int threads,
                                    const VendorContext& context, const Progress& progress);

// "cutaway-openvino 1; build ...; device ..."
std::string compatibilityText(const ContextSupport& support);
CompatibilityVerdict judgeCompatibility(std::string_view info, const ContextSupport& support);

}  // namespace cutaway::openvino
