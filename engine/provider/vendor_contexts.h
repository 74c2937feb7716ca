#pragma once
// Contexts in their vendor's own form: what ONNX Runtime writes for a plug-in provider, and loads again on a device.
//
// A group is exported as two sections, a line that says the form and ONNX bytes in which the provider's EPContext node
// stands. Where that node has the group's inputs and outputs, the context model gets it as it is, and its bytes go to a
// file without a container of ours, so that ONNX Runtime loads the model, too. Such bytes carry no checksum: ours lies
// in the node's metadata. Thread rule: as ExecutionProvider. Example:
//   if (auto* vendor = dynamic_cast<VendorContexts*>(&provider)) vendor->restoreVendorContext(context, progress);

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/context_binary/context_partition.h"
#include "engine/graph/attribute.h"
#include "engine/provider/execution_provider.h"
#include "engine/report/binary_facts.h"

namespace cutaway {

inline constexpr const char* kVendorFormSection = "onnxruntime.plugin";
inline constexpr const char* kVendorModelSection = "model";
// Metadata of a main EPContext node: XXH3 of its bytes, 16 hexadecimal digits.
inline constexpr const char* kVendorChecksumKey = "cutaway.context_checksum";
// Metadata of models, followed by the name that the provider has in ONNX Runtime.
inline constexpr const char* kCompatibilityKey = "ep_compatibility_info.";

struct VendorContext {
  std::string nodeName;
  std::vector<Attribute> attributes;                         // of the EPContext node, without ep_cache_context
  std::vector<context_binary::ContextPort> inputs, outputs;  // values of the node, in its order
  std::span<const std::byte> bytes;                          // of the context
  std::shared_ptr<const void> keepAlive;                     // of `bytes`
};

// What a provider is as well, when it restores such contexts.
class VendorContexts {
 public:
  virtual ~VendorContexts() = default;
  // Why a context with this ep_compatibility_info is not for the target here; empty: nothing speaks against it.
  virtual std::string objectionTo(const std::string& compatibilityInfo) const = 0;
  // The kernel's inputs and outputs are those of the node, in its order. EP_FAIL: the vendor's library refuses the
  // bytes, or does not survive them (a session answers INVALID_GRAPH, as ONNX Runtime's providers do);
  // MODEL_LOAD_CANCELED.
  virtual Result<CompiledNode> restoreVendorContext(const VendorContext& context, const Progress& progress) = 0;
  // What the vendor's library tells of the bytes, for people; `toldBy` is empty where it tells nothing. An Error says
  // why not this time, and hinders nothing.
  virtual Result<BinaryDescription> describeBinary(const VendorContext& /*context*/, const Progress& /*progress*/) {
    return BinaryDescription();
  }
};

}  // namespace cutaway
