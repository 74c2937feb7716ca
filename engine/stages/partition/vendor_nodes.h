#pragma once
// EPContext nodes whose bytes are in their vendor's own form: where those lie, and whether they are as they were made.
//
// Thread rule: one partitioning. Files are mapped read-only. Example:
//   CUTAWAY_TRY(const std::vector<VendorPlace> places, vendorPlaces(*model, graph, id, folder));
//   for (const VendorPlace& place : places) ...   // none: the bytes are a container of ours, or there are none

#include <filesystem>
#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/provider/vendor_contexts.h"

namespace cutaway::partition {

struct VendorPlace {
  VendorContext context;
  std::string title;     // "m_qnn.bin", "inside the node"
  std::string checksum;  // that the main node tells of the bytes; empty: none
};

// The node's own bytes; those of each main node of the same source for a node that depends on one, which of them has it
// being known to the vendor's library alone. INVALID_GRAPH: attributes or path are bad, the file is missing.
Result<std::vector<VendorPlace>> vendorPlaces(const Model& model, const Graph& graph, NodeId id,
                                              const std::filesystem::path& folder);
// EP_FAIL: the bytes are not those that the checksum was made of; MODEL_LOAD_CANCELED.
Result<void> checkVendorBytes(const VendorPlace& place, const Progress& progress);
// What the model tells of the contexts of this source; empty: nothing.
std::string compatibilityOf(const Model& model, const std::string& source);

}  // namespace cutaway::partition
