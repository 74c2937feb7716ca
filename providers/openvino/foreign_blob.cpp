#include "providers/openvino/foreign_blob.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/quote.h"

namespace cutaway::openvino {
namespace {

constexpr std::string_view kMagic = "OVEP_BIN";
constexpr uint64_t kVersion = 1;
constexpr size_t kHeadBytes = 40;
constexpr std::string_view kSchema = "1.";  // of the document; other first numbers mean other keys
// Types of BSON.
constexpr uint8_t kDouble = 0x01, kText = 0x02, kDocument = 0x03, kArray = 0x04, kBool = 0x08, kNull = 0x0A,
                  kInt32 = 0x10, kUint64 = 0x11, kInt64 = 0x12;

using Bytes = std::span<const std::byte>;

template <typename Number>
Number numberAt(Bytes bytes, size_t offset) {
  Number number{};
  std::memcpy(&number, bytes.data() + offset, sizeof(number));
  return number;
}

struct Entry {
  uint8_t type = 0;
  Bytes value;
};
using Document = std::map<std::string, Entry, std::less<>>;

// How many bytes a value takes; nullopt: a type that no such document has, or more than there are.
std::optional<size_t> sizeOf(uint8_t type, Bytes rest) {
  std::optional<size_t> size;
  switch (type) {
    case kDouble:
    case kUint64:
    case kInt64:
      size = 8;
      break;
    case kInt32:
      size = 4;
      break;
    case kBool:
      size = 1;
      break;
    case kNull:
      size = 0;
      break;
    case kText:
    case kDocument:
    case kArray:
      if (rest.size() < 4) return std::nullopt;
      if (const auto told = numberAt<int32_t>(rest, 0); told >= (type == kText ? 1 : 5))
        size = static_cast<size_t>(told) + (type == kText ? 4 : 0);
      break;
    default:
      break;
  }
  return size && *size <= rest.size() ? size : std::nullopt;
}

// One level: documents inside stay bytes.
std::optional<Document> readDocument(Bytes bytes) {
  if (bytes.size() < 5 || numberAt<int32_t>(bytes, 0) < 5 ||
      static_cast<size_t>(numberAt<int32_t>(bytes, 0)) > bytes.size())
    return std::nullopt;
  Bytes rest = bytes.first(static_cast<size_t>(numberAt<int32_t>(bytes, 0))).subspan(4);
  Document document;
  while (!rest.empty() && rest[0] != std::byte{0}) {
    const auto type = static_cast<uint8_t>(rest[0]);
    const auto end = std::ranges::find(rest.subspan(1), std::byte{0});
    if (end == rest.end()) return std::nullopt;
    const auto nameBytes = static_cast<size_t>(end - rest.begin()) - 1;
    std::string name(reinterpret_cast<const char*>(rest.data()) + 1, nameBytes);
    rest = rest.subspan(nameBytes + 2);
    const std::optional<size_t> size = sizeOf(type, rest);
    if (!size || !document.emplace(std::move(name), Entry{type, rest.first(*size)}).second) return std::nullopt;
    rest = rest.subspan(*size);
  }
  return rest.size() == 1 ? std::optional(std::move(document)) : std::nullopt;
}

const Entry* find(const Document& document, std::string_view name, uint8_t type) {
  const auto found = document.find(name);
  return found != document.end() && found->second.type == type ? &found->second : nullptr;
}

std::optional<uint64_t> countOf(const Document& document, std::string_view name) {
  std::optional<int64_t> number;
  if (const Entry* narrow = find(document, name, kInt32)) number = numberAt<int32_t>(narrow->value, 0);
  for (const uint8_t type : {kInt64, kUint64}) {
    if (const Entry* wide = find(document, name, type)) number = numberAt<int64_t>(wide->value, 0);
  }
  return number && *number >= 0 ? std::optional(static_cast<uint64_t>(*number)) : std::nullopt;
}

tl::unexpected<Error> refused(std::string why) {
  return fail(ErrorCode::kEpFail, "the context of ONNX Runtime's OpenVINO provider cannot be used: {}", std::move(why));
}

Result<Document> readHead(Bytes context) {
  if (context.size() < kHeadBytes) return refused("it is cut short");
  if (const auto version = numberAt<uint64_t>(context, 8); version != kVersion)
    return refused(fmt::format("its format has version {}, and {} is known here", version, kVersion));
  const auto at = numberAt<uint64_t>(context, 24), size = numberAt<uint64_t>(context, 32);
  if (numberAt<uint64_t>(context, 16) != kHeadBytes || at < kHeadBytes || at > context.size() ||
      size > context.size() - at)
    return refused("its head does not fit");
  std::optional<Document> document = readDocument(context.subspan(at, size));
  if (!document) return refused("its directory is damaged");
  const Entry* const schema = find(*document, "version", kText);
  const std::string_view version =
      schema == nullptr
          ? std::string_view()
          : std::string_view(reinterpret_cast<const char*>(schema->value.data()) + 4, schema->value.size() - 5);
  if (!version.starts_with(kSchema))
    return refused(fmt::format("its directory has version {}, and 1 is known here", quotedText(std::string(version))));
  return *std::move(document);
}

}  // namespace

Result<Bytes> foreignBlob(Bytes context, const std::string& partition) {
  if (context.size() < kMagic.size() || std::memcmp(context.data(), kMagic.data(), kMagic.size()) != 0) return context;
  CUTAWAY_TRY(const Document document, readHead(context));
  if (document.contains("weights_metadata_map"))
    return refused(
        "its weights lie in files beside it, which the model says nothing of; have ONNX Runtime compile it again "
        "without ep.share_ep_contexts");
  const Entry* const listed = find(document, "blob_metadata_map", kDocument);
  const std::optional<Document> blobs = listed == nullptr ? std::nullopt : readDocument(listed->value);
  if (!blobs) return refused("its directory lists no blobs");
  const Entry* entry = find(*blobs, partition, kDocument);
  if (entry == nullptr && blobs->size() == 1 && partition.empty()) entry = &blobs->begin()->second;
  if (entry == nullptr || entry->type != kDocument) {
    std::vector<std::string> names;
    for (const auto& [name, each] : *blobs)
      names.push_back(quotedText(name));
    names.resize(std::min<size_t>(names.size(), 5));
    return refused(fmt::format("it has no partition {}; there are: {}", quotedText(partition),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  const std::optional<Document> place = readDocument(entry->value);
  const std::optional<uint64_t> at = place ? countOf(*place, "data_offset") : std::nullopt,
                                size = place ? countOf(*place, "size") : std::nullopt;
  if (!at || !size || *at > context.size() || *size > context.size() - *at || *size == 0)
    return refused("a blob does not lie within it");
  return context.subspan(*at, *size);
}

// A JSON object, of which one text matters: "ov_compat_string":"meta=1.0;ov=2026.4.1;isa=...".
std::string foreignObjection(std::string_view compatibilityInfo, std::string_view version) {
  constexpr std::string_view kKey = "ov=";
  for (size_t at = compatibilityInfo.find(kKey); at != std::string_view::npos;
       at = compatibilityInfo.find(kKey, at + 1)) {
    if (at == 0 || (compatibilityInfo[at - 1] != ';' && compatibilityInfo[at - 1] != '"')) continue;
    const std::string_view rest = compatibilityInfo.substr(at + kKey.size());
    const std::string_view made = rest.substr(0, rest.find_first_of(";\""));
    if (made.empty() || version.substr(0, version.find('-')) == made) return {};
    return fmt::format(
        "it was compiled by OpenVINO {}, and this is {}; have ONNX Runtime compile it again with this one",
        quotedText(std::string(made)), version);
  }
  return {};
}

}  // namespace cutaway::openvino
