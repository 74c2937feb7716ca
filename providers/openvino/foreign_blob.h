#pragma once
// Contexts that ONNX Runtime's OpenVINO provider wrote: OpenVINO's own blobs, several in a container or one bare.
//
// The container (magic "OVEP_BIN", version 1) is five numbers of 8 bytes - magic, version, size of this head, place and
// size of a BSON document - the document, and the blobs, each at a multiple of 64 KiB. The document says for every name
// of a partition where its blob lies. Older files have one blob and nothing around it. Everything read here comes from
// strangers: numbers are checked against the bytes, and no depth of the document leads to a depth of calls. Thread
// rule: pure. Example: CUTAWAY_TRY(const auto blob, foreignBlob(context.bytes, "m_ctx_OpenVINO-EP-subgraph_1_0"));

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::openvino {

// The blob of this partition, within `context`; the only one, where there is no other. EP_FAIL: no such bytes, another
// version, cut short, no such partition, or weights that lie in files beside it.
Result<std::span<const std::byte>> foreignBlob(std::span<const std::byte> context, const std::string& partition);

// Why a model with this ep_compatibility_info of ONNX Runtime's provider is not for the OpenVINO here; empty: nothing
// speaks against it, or it does not say. version: "2026.4.1-22982-...".
std::string foreignObjection(std::string_view compatibilityInfo, std::string_view version);

}  // namespace cutaway::openvino
