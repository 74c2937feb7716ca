#pragma once
// EPContext nodes (com.microsoft, version 1): their attributes, read and written.
//
// Thread rule: pure. Example: if (isContextNode(node)) { CUTAWAY_TRY(const ContextNode context, readContextNode(node));
// ... }

#include <span>
#include <string>
#include <string_view>

#include "engine/graph/graph.h"

namespace cutaway::context_binary {

inline constexpr const char* kContextOperator = "EPContext";
inline constexpr const char* kContextDomain = "com.microsoft";
inline constexpr const char* kContextCache = "ep_cache_context";

struct ContextNode {
  bool isMain =
      true;  // main_context: carries or names the binary; else it refers to that of a main node of the same source
  bool isEmbedded = true;  // embed_mode: `cache` is the binary, not the path of a file
  std::string_view cache;  // ep_cache_context, in the node's own attribute; empty for dependent nodes
  bool hasCache = false;
  std::string sdkVersion;     // ep_sdk_version
  std::string modelFile;      // onnx_model_filename: what it was made from
  std::string hardware;       // hardware_architecture
  std::string partitionName;  // partition_name; empty: the node's name
  std::string source;         // provider that made it; empty: not said (older files): anybody may try
  std::string notes;
  int64_t maxSizeBytes = 0;  // max_size
};

bool isContextNode(const Node& node);
// INVALID_GRAPH naming the node and the attribute: wrong kind of attribute, main_context or embed_mode neither 0 nor 1,
// negative max_size, a main node without ep_cache_context or with an empty one, no outputs. The cache may be a text or,
// in memory only, a tensor of bytes (ContextCatalog makes texts such). Attributes that are not of the schema are
// allowed: they are the provider's own.
Result<ContextNode> readContextNode(const Node& node);
// Makes the node an EPContext node with these attributes: main_context and embed_mode always, texts that are not empty,
// other attributes stay. Its name, inputs, outputs and metadata are the caller's.
void writeContextNode(const ContextNode& context, Node& node);
// Attributes that are not of the schema: whoever made the node put them there for itself.
std::vector<Attribute> ownAttributes(const Node& node);
// Why a provider may not put this attribute on its node; empty: it may.
std::string objectionToOwn(const Attribute& attribute);
// Whether two names of providers mean the same: ours ("openvino") and onnxruntime's
// ("OpenVINOExecutionProvider", "OpenVINO"). Simulated hardware, a name with an argument
// ("declared(QNN-HTP)"), is not that hardware.
bool sameSource(std::string_view source, std::string_view provider);

// What a provider tells of context models that it, or hardware that it knows, has written.
struct ContextSource {
  std::string name;     // as sameSource() compares: "qnn" is that of "QNNExecutionProvider" as well
  std::string title;    // for people
  std::string blob{};   // what bytes are that carry no known mark; empty: unknown
  std::string model{};  // what text is that begins as XML; empty: XML
};
const ContextSource* findSource(std::string_view source, std::span<const ContextSource> known);  // nullptr: a stranger
// The title; the name itself of a stranger.
std::string sourceTitle(std::string_view source, std::span<const ContextSource> known);

}  // namespace cutaway::context_binary
