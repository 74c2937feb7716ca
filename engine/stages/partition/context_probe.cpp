#include "engine/stages/partition/context_probe.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include "engine/context_binary/binary_format.h"
#include "engine/context_binary/context_node.h"

namespace cutaway::partition {

namespace {

using std::string_view_literals::operator""sv;

struct Opening {
  std::string_view bytes;
  std::string_view title;
  size_t offset = 0;
};

// Facts about other formats: ELF and ar objects, zip, gzip and tar archives as their specifications have them; QNN as
// the binaries of its SDK 2.x begin; TensorRT's plan tag; OpenVINO exports as they lie in files.
constexpr Opening kOpenings[] = {
    {"\x7f"
     "ELF"sv,
     "ELF object"},
    {"!<arch>\n"sv, "archive of objects"},
    {"PK\x03\x04"sv, "zip archive"},
    {"\x1f\x8b"sv, "gzip archive"},
    {"ustar"sv, "tar archive", 257},
    {"\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x00"sv, "QNN context binary"},
    {"\x00\x00\x00\x02\x00\x00\x00\x03\x00\x00\x00\x00"sv, "QNN context binary"},
    {"ftrt"sv, "TensorRT plan"},
    {"ptrt"sv, "TensorRT plan"},
    {"OVEncrypt"sv, "OpenVINO blob (encrypted)"},
    {"<?xml"sv, "XML"},
    {"<net"sv, "OpenVINO model (XML)"},
};

uint32_t littleEndian(std::string_view text, size_t offset) {
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i)
    value |= static_cast<uint32_t>(static_cast<unsigned char>(text[offset + i])) << (8 * i);
  return value;
}

bool looksLikeJson(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return c == '\t' || c == '\n' || c == '\r' || static_cast<unsigned char>(c) >= 0x20;
         });
}

}  // namespace

std::string formatOfBinary(std::span<const std::byte> bytes, const context_binary::ContextSource* source) {
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min<size_t>(bytes.size(), 512));
  if (head.starts_with(context_binary::kContextMagic))
    return head.size() < 12
               ? std::string("Cutaway context, cut short")
               : fmt::format("Cutaway context {}", littleEndian(head, context_binary::kContextMagic.size()));
  for (const Opening& each : kOpenings) {
    if (head.size() < each.offset || !head.substr(each.offset).starts_with(each.bytes)) continue;
    return source != nullptr && !source->model.empty() && each.title == "XML" ? source->model : std::string(each.title);
  }
  if (looksLikeJson(head.substr(0, 64))) return "JSON text";
  const bool known = source != nullptr && !source->blob.empty();
  return fmt::format("{}, {} bytes", known ? source->blob : "unknown", bytes.size());
}

}  // namespace cutaway::partition
