#pragma once
// Options of providers as session keys: "ep.<provider>.<option>".
//
// Names of plug-ins and of profiles may hold dots, and so may options. The provider is what stands in double quotes
// (ep."my.chip".mode, with \" and \\ in it); else the longest known name that a dot follows; else what stands before
// the first dot outside of round brackets.
//
// Thread rule: pure. Example: splitProviderKey("ep.my.chip.mode", {{"my.chip", "cpu"}})->option == "mode"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::session {

struct ProviderKey {
  std::string provider;
  std::string option;
  bool isCertain = true;  // false: more names might be known to somebody else, and another one meant
};

// nullopt: a key of the session, such as "ep.context_enable".
std::optional<ProviderKey> splitProviderKey(std::string_view key, std::span<const std::string> known);
// Reads as it was meant, whatever names are known.
std::string printProviderKey(std::string_view provider, std::string_view option);
// Names in a list of providers, with and without what stands in round brackets. What is no provider is left out.
std::vector<std::string> namesOf(std::span<const std::string> specs);

}  // namespace cutaway::session
