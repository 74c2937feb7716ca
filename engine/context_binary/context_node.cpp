#include "engine/context_binary/context_node.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace cutaway::context_binary {
namespace {

constexpr const char* kMain = "main_context";
constexpr const char* kCache = kContextCache;
constexpr const char* kEmbed = "embed_mode";
constexpr const char* kSdkVersion = "ep_sdk_version";
constexpr const char* kModelFile = "onnx_model_filename";
constexpr const char* kHardware = "hardware_architecture";
constexpr const char* kPartition = "partition_name";
constexpr const char* kSource = "source";
constexpr const char* kNotes = "notes";
constexpr const char* kMaxSize = "max_size";
constexpr std::array<std::string_view, 10> kNames{kMain,     kCache,     kEmbed,  kSdkVersion, kModelFile,
                                                  kHardware, kPartition, kSource, kNotes,      kMaxSize};

bool isOfSchema(const Attribute& attribute) {
  return std::ranges::find(kNames, attribute.name) != kNames.end();
}

template <typename... Args>
tl::unexpected<Error> refuse(const Node& node, fmt::format_string<Args...> format, Args&&... args) {
  return fail(
      atNode(Error{ErrorCode::kInvalidGraph,
                   fmt::format("EPContext node '{}': {}", node.name, fmt::format(format, std::forward<Args>(args)...)),
                   {}},
             node.name));
}

// nullptr: the node does not have it.
template <typename T>
Result<const T*> attributeOf(const Node& node, const char* name, std::string_view kind) {
  const Attribute* const attribute = node.findAttribute(name);
  if (attribute == nullptr) return nullptr;
  const T* const value = heldAs<T>(attribute->value);
  if (value == nullptr)
    return refuse(node, "the attribute {} is of kind {}, it must be {}", name, attributeKindName(attribute->value),
                  kind);
  return value;
}

Result<int64_t> numberOf(const Node& node, const char* name, int64_t otherwise) {
  CUTAWAY_TRY(const int64_t* const value, attributeOf<int64_t>(node, name, "INT"));
  return value == nullptr ? otherwise : *value;
}

Result<bool> flagOf(const Node& node, const char* name) {
  CUTAWAY_TRY(const int64_t value, numberOf(node, name, 1));
  if (value != 0 && value != 1) return refuse(node, "the attribute {} is {}, it must be 0 or 1", name, value);
  return value == 1;
}

Result<std::string> textOf(const Node& node, const char* name) {
  CUTAWAY_TRY(const std::string* const value, attributeOf<std::string>(node, name, "STRING"));
  return value == nullptr ? std::string() : *value;
}

Result<void> readCache(const Node& node, ContextNode& context) {
  const Attribute* const attribute = node.findAttribute(kCache);
  const auto* const tensor = attribute == nullptr ? nullptr : heldAs<Tensor>(attribute->value);
  context.hasCache = attribute != nullptr;
  if (tensor != nullptr && tensor->type() == ElementType::kUint8) {
    context.cache = {static_cast<const char*>(tensor->data()), tensor->bytes().size()};
    return {};
  }
  CUTAWAY_TRY(const std::string* const text, attributeOf<std::string>(node, kCache, "STRING"));
  if (text != nullptr) context.cache = *text;
  return {};
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// One spelling for all of a provider: "OpenVINOExecutionProvider", "OpenVINO" and "openvino" are "openvino". Simulated
// hardware is not the hardware: "declared(QNN-HTP)", a name with an argument, keeps its signs.
std::string plainSource(std::string_view source) {
  constexpr std::string_view kSuffix = "executionprovider";
  const size_t open = source.find('(');
  const bool hasArgument = open != std::string_view::npos && open > 0 && source.ends_with(')');
  std::string plain;
  for (const char c : source) {
    const bool isPlain = (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9');
    if (isPlain || hasArgument) plain += lower(c);
  }
  if (plain.size() > kSuffix.size() && plain.ends_with(kSuffix)) plain.resize(plain.size() - kSuffix.size());
  return plain;
}

}  // namespace

bool isContextNode(const Node& node) {
  return node.opType == kContextOperator && node.domain == kContextDomain;
}

Result<ContextNode> readContextNode(const Node& node) {
  ContextNode context;
  CUTAWAY_TRY(context.isMain, flagOf(node, kMain));
  CUTAWAY_TRY(context.isEmbedded, flagOf(node, kEmbed));
  CUTAWAY_CHECK(readCache(node, context));
  CUTAWAY_TRY(context.sdkVersion, textOf(node, kSdkVersion));
  CUTAWAY_TRY(context.modelFile, textOf(node, kModelFile));
  CUTAWAY_TRY(context.hardware, textOf(node, kHardware));
  CUTAWAY_TRY(context.partitionName, textOf(node, kPartition));
  CUTAWAY_TRY(context.source, textOf(node, kSource));
  CUTAWAY_TRY(context.notes, textOf(node, kNotes));
  CUTAWAY_TRY(context.maxSizeBytes, numberOf(node, kMaxSize, 0));
  if (context.maxSizeBytes < 0)
    return refuse(node, "the attribute {} is {}, a size cannot be negative", kMaxSize, context.maxSizeBytes);
  const char* const what = context.isEmbedded ? "the context's bytes" : "the name of a file beside the model";
  if (context.isMain && !context.hasCache)
    return refuse(node, "the attribute {} is missing; a main node has {} there", kCache, what);
  if (context.isMain && context.cache.empty())
    return refuse(node, "the attribute {} is empty; a main node has {} there", kCache, what);
  if (std::ranges::none_of(node.outputs, [](ValueId id) { return id.valid(); }))
    return refuse(node, "it has no outputs, it needs at least one");
  return context;
}

void writeContextNode(const ContextNode& context, Node& node) {
  // The bytes may lie in the attribute that is about to be replaced.
  std::string cache(context.cache);
  node.opType = kContextOperator;
  node.domain = kContextDomain;
  std::erase_if(node.attributes, isOfSchema);
  const auto text = [&](const char* name, const std::string& value) {
    if (!value.empty()) node.setAttribute(name, value);
  };
  node.setAttribute(kMain, int64_t{context.isMain});
  node.setAttribute(kEmbed, int64_t{context.isEmbedded});
  if (context.hasCache || !cache.empty()) node.setAttribute(kCache, std::move(cache));
  text(kSdkVersion, context.sdkVersion);
  text(kModelFile, context.modelFile);
  text(kHardware, context.hardware);
  text(kPartition, context.partitionName);
  text(kSource, context.source);
  text(kNotes, context.notes);
  if (context.maxSizeBytes > 0) node.setAttribute(kMaxSize, context.maxSizeBytes);
}

std::vector<Attribute> ownAttributes(const Node& node) {
  std::vector<Attribute> own;
  std::ranges::copy_if(node.attributes, std::back_inserter(own), std::not_fn(isOfSchema));
  return own;
}

std::string objectionToOwn(const Attribute& attribute) {
  if (attribute.name.empty()) return "it has no name";
  if (isOfSchema(attribute)) return "EPContext has an attribute of this name";
  const bool isPlain = std::holds_alternative<int64_t>(attribute.value) ||
                       std::holds_alternative<float>(attribute.value) ||
                       std::holds_alternative<std::string>(attribute.value) ||
                       std::holds_alternative<std::vector<int64_t>>(attribute.value) ||
                       std::holds_alternative<std::vector<float>>(attribute.value) ||
                       std::holds_alternative<std::vector<std::string>>(attribute.value);
  return isPlain ? std::string()
                 : fmt::format("it is of kind {}; numbers, texts and lists of them are kept",
                               attributeKindName(attribute.value));
}

bool sameSource(std::string_view source, std::string_view provider) {
  if (source == provider) return true;
  const std::string plain = plainSource(source);
  return !plain.empty() && plain == plainSource(provider);
}

const ContextSource* findSource(std::string_view source, std::span<const ContextSource> known) {
  const std::string plain = plainSource(source);
  const auto found =
      std::ranges::find_if(known, [&](const ContextSource& each) { return plainSource(each.name) == plain; });
  return plain.empty() || found == known.end() ? nullptr : &*found;
}

std::string sourceTitle(std::string_view source, std::span<const ContextSource> known) {
  const ContextSource* found = findSource(source, known);
  return found == nullptr ? std::string(source) : found->title;
}

}  // namespace cutaway::context_binary
