#pragma once
// Whether the numbers at the front of a blob of OpenVINO's CPU plugin fit the blob.
//
// The plugin of OpenVINO 2026.4 takes them on trust: 8 bytes of magic, u32 version, u64 length and a text with the
// processor it was made for; then six u64, offset and size of three parts (an XML text about inputs and outputs, the
// constants, the model's XML), counted from the first of the six and one after the other to the end. Read off blobs it
// wrote, and off its reader (openvino, src/plugins/intel_cpu/src/utils/graph_serializer). What is inside the parts
// stays OpenVINO's to read. Thread rule: pure. Example: CUTAWAY_CHECK(checkCpuBlob(section->bytes, build));

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/base/result.h"

namespace cutaway::openvino {

// EP_FAIL: cut short, or its numbers do not fit. Blobs of other builds may begin in another way; they are checked when
// they begin in this one.
Result<void> checkCpuBlob(std::span<const std::byte> blob, std::string_view build);

}  // namespace cutaway::openvino
