#pragma once
// What nlohmann/json has against a text, without the number of its rule, which tells nobody anything.
//
// Thread rule: pure. Example: "[json.exception.type_error.302] type must be string" gives "type must be string"

#include <exception>
#include <string_view>

namespace cutaway {

// Lives as long as the exception.
inline std::string_view jsonFault(const std::exception& exception) {
  std::string_view said = exception.what();
  if (!said.starts_with("[json.exception.")) return said;
  const size_t end = said.find("] ");
  return end == std::string_view::npos ? said : said.substr(end + 2);
}

}  // namespace cutaway
