#pragma once
// Groups that a vendor's library compiled, as that library and ONNX Runtime write them: no container of ours around.
//
// A group's section holds an ONNX model. Where it is one EPContext node with the group's inputs and outputs, the
// context model gets that node's attributes, and its bytes stand in the node or in a file of their own. Thread rule:
// one export. Example:
//   const std::vector<std::optional<VendorPart>> parts = vendorPartsOf(made, warnings, progress);
//   placeVendorPart(made.model, made.nodes[i], *parts[i], {.isEmbedded = false, .file = "m_qnn.bin"});

#include <optional>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/context/pending_export.h"

namespace cutaway::context {

struct VendorPart {
  std::vector<Attribute> attributes;                            // of the vendor's EPContext node, without its bytes
  std::string bytes;                                            // of the context
  std::vector<std::pair<std::string, std::string>> metadata{};  // for the model: ep_compatibility_info
};

// One for each partition of the export; none where it has no such form. A provider's groups all have it or none:
// otherwise they stay in a container, and a warning says why ONNX Runtime does not load the model.
std::vector<std::optional<VendorPart>> vendorPartsOf(const PendingExport& made, std::vector<std::string>& warnings,
                                                     const Progress& progress);

struct VendorFile {
  bool isEmbedded = true;
  std::string name{};  // of the file beside the model
};
// The node gets the vendor's attributes, the checksum of the bytes as metadata, and the bytes or the file's name.
void placeVendorPart(Model& model, const NodePlace& place, VendorPart part, const VendorFile& file);

// "m_ctx", "qnn", 1 -> "m_qnn.bin"; from the second on "m_qnn_2.bin".
std::string vendorFileName(const std::string& stem, const std::string& provider, size_t number);
// Whether a context model with this stem may have such a file.
bool isVendorFileOf(const std::string& stem, const std::string& name);

}  // namespace cutaway::context
