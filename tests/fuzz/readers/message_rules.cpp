#include "tests/fuzz/readers/message_rules.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace cutaway::fuzz {

namespace {

constexpr size_t kLongest = 1024;
constexpr std::array<std::string_view, 6> kNotForPeople{"std::",        "bad_alloc",     "json.exception",
                                                        "basic_string", "Unknown error", "google::protobuf"};

// Length of the well-formed character at the front; 0: it is not (RFC 3629).
size_t characterBytes(std::string_view text) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return follows(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    const bool isOverlong = first == 0xe0 && byte(1) < 0xa0, isSurrogate = first == 0xed && byte(1) > 0x9f;
    return follows(1) && follows(2) && !isOverlong && !isSurrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first < 0xf5) {
    const bool isOverlong = first == 0xf0 && byte(1) < 0x90, isBeyond = first == 0xf4 && byte(1) > 0x8f;
    return follows(1) && follows(2) && follows(3) && !isOverlong && !isBeyond ? 4 : 0;
  }
  return 0;
}

std::string_view faultOf(std::string_view text, std::string_view input) {
  if (text.empty()) return "it says nothing";
  if (text.size() > kLongest) return "it is longer than 1 kB";
  for (const std::string_view words : kNotForPeople)
    if (text.find(words) != std::string_view::npos && input.find(words) == std::string_view::npos) return words;
  while (!text.empty()) {
    const size_t bytes = characterBytes(text);
    if (bytes == 0) return "it is no UTF-8";
    const auto first = static_cast<unsigned char>(text.front());
    const bool isControl =
        first < 0x20 || first == 0x7f || (first == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (isControl) return "it has a control character";
    text.remove_prefix(bytes);
  }
  return {};
}

}  // namespace

void judgeMessage(const Error& error, std::string_view input) {
  const std::string said = describe(error);
  const std::string_view fault = faultOf(said, input);
  if (fault.empty()) return;
  std::fprintf(stderr, "a message is not for people (%.*s): %.2000s\n", static_cast<int>(fault.size()), fault.data(),
               said.c_str());
  std::abort();
}

}  // namespace cutaway::fuzz
