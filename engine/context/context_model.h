#pragma once
// The context model: the captured model with an EPContext node in the place of every fused one. Where binaries lie is
// filled in last.
//
//   main (float[n,4] x) => (float[n,4] y) {          main (float[n,4] x) => (float[n,4] y) <float[n,4] h> {
//     [npu_g_0] h = npu:g (x)                  ->      [npu_g_0] h = com.microsoft:EPContext <main_context = 1, ...,
//     source = "npu"> (x) [last] y = Softmax (h)                           [last] y = Softmax (h)
//
// Thread rule: edits the model in hand. Example: Model model = contextModelOf(captured, groups, {.sourceName =
// "m.onnx"}, providers);

#include <string>

#include "engine/context/kept_groups.h"
#include "engine/context_binary/context_partition.h"

namespace cutaway::context {

// "models/m.onnx" for a source below the target's folder, else its bare name; empty for a model from memory.
std::string sourceNameFor(const std::filesystem::path& source, const std::filesystem::path& folder);

// Everything but where the binary is: nodes, metadata (cutaway.inside, cutaway.provider,
// ep_compatibility_info.<provider>), opset imports, IR version; initializers and functions that nothing uses any more
// are gone. Throws nothing; a provider that throws at compatibilityInfo() has nothing to say.
Model contextModelOf(const partition::CapturedGroups& captured, std::span<const KeptGroup> groups,
                     const std::string& sourceName);
// The same without EPContext nodes, for models of which nothing was compiled.
Model plainModelOf(const partition::CapturedGroups& captured);

// Where a group's bytes are: in the node (embedded), in a file that the node names, or found through a main node of the
// same provider.
struct ContextPlacement {
  bool isMain = true;  // false: dependent; cache is not used
  bool isEmbedded = false;
  std::string cache;  // the bytes, or the file's name
  int64_t maxSizeBytes = 0;
  std::string notes;                    // the provider's
  std::vector<Attribute> attributes{};  // likewise, of its own
};
// Sets main_context, embed_mode, ep_cache_context, max_size, notes and the provider's own attributes of EPContext
// nodes; one placement a node.
void placeContexts(Model& model, std::span<const NodePlace> nodes, std::vector<ContextPlacement> placements);

}  // namespace cutaway::context
